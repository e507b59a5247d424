"""What is said of the time in which a person had a tab."""

from types import SimpleNamespace

from browse.browser.page.shapes import TreeRow
from browse.browser.reading.snapshot import Snapshot
from browse.view.observation import MAX_ADDRESSES, MAX_ELEMENTS, Changes, Observation


def row(number: int, name: str, text: str = "") -> TreeRow:
    return TreeRow(number, 0, "textbox", name, "", text, 0)


async def compared(tab, before: list[TreeRow], after: list[TreeRow], *, doc: int = 1) -> Changes:
    watched = Observation(tab)
    watched._before = Snapshot(before, doc=1)
    return watched.compared(Snapshot(after, doc=doc))


async def test_elements_are_told_apart_by_ref_and_no_value_is_told(tab):
    changes = await compared(
        tab, [row(1, "Name"), row(2, "Old")], [row(1, "Name", "typed"), row(3, "New", "secret")]
    )

    assert changes.lines() == ['+ @e3 [textbox] "New"', '- @e2 [textbox] "Old"']


async def test_on_another_page_the_same_name_is_the_same_element(tab):
    changes = await compared(tab, [row(1, "Search")], [row(9, "Search"), row(1, "Next")], doc=2)

    assert changes.lines() == ['+ @e1 [textbox] "Next"']


async def test_a_page_that_was_not_known_is_not_compared(tab):
    changes = Observation(tab).compared(Snapshot([row(1, "Name")], doc=1))

    assert not changes.is_compared
    assert changes.lines() == []


async def test_lists_are_limited(tab):
    watched = Observation(tab)
    watched.begin()
    for number in range(3 * MAX_ADDRESSES):
        tab.page.happen(
            "framenavigated", SimpleNamespace(url=f"http://x/{number}", parent_frame=None)
        )
    watched.end()
    changes = await compared(tab, [], [row(number, "N") for number in range(1, 200)])

    assert len(watched.noted().addresses) == MAX_ADDRESSES
    assert watched.noted().addresses[-1] == f"http://x/{3 * MAX_ADDRESSES - 1}"
    assert len(changes.lines()) == MAX_ELEMENTS + 1
    assert changes.lines()[-1] == "+ … and 159 more"
