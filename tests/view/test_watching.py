"""What is seen while a person is watched."""

from types import SimpleNamespace

from browse.view.watching import MAX_TABS, WatchedSession
from support.fakes import FakeTabs


async def test_the_addresses_of_all_tabs_are_noted_until_the_end(tab, tabs):
    tabs.context = tab.page
    watch = WatchedSession(tabs, 1.0)
    watch.begin(tab)
    tab.page.happen("framenavigated", SimpleNamespace(url="http://a/", parent_frame=None))
    watch.end(5.0)
    watch.end(9.0)
    tab.page.happen("framenavigated", SimpleNamespace(url="http://b/", parent_frame=None))

    assert watch.seen[1].noted().addresses == ["http://a/"]
    assert watch.ended == 5.0
    assert tab.page.heard["page"] == []


async def test_of_many_tabs_some_are_watched(tab):
    tabs = FakeTabs(*(type(tab)(number) for number in range(1, 2 * MAX_TABS)))
    tabs.context = tab.page  # type: ignore[attr-defined] # only to listen
    watch = WatchedSession(tabs, 1.0)  # type: ignore[arg-type] # a fake
    watch.begin(tabs.all()[0])  # type: ignore[arg-type] # a fake

    assert len(watch.seen) == MAX_TABS
