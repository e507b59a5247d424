"""Which tabs a person has, and what agents may do meanwhile."""

import pytest

from browse.core.errors import BrowseError, Code
from browse.registry.bind import Bound
from browse.registry.spec import ChangedTabs
from browse.view.holds import MAX_REASON_CHARS, Holds, is_acting
from support.fakes import a_spec


@pytest.fixture
def now() -> list[float]:
    return [100.0]


@pytest.fixture
def holds(now) -> Holds:
    return Holds(clock=lambda: now[0])


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({"mutates": True}, True),
        ({"acts": True}, True),
        ({"navigates": True}, True),
        ({}, False),
        ({"mutates": lambda values: False}, False),
        ({"changes": ChangedTabs.SESSION}, True),
    ],
)
def test_what_changes_a_page_or_leaves_it_is_acting(facts, expected):
    assert is_acting(Bound(a_spec(**facts))) is expected


async def test_a_refusal_says_who_has_the_tab_and_what_to_type(holds, tabs, tab, now):
    hold = holds.begin(tabs, tab, asked_by="claude", reason="CAPTCHA\nnow")
    now[0] += 12
    refused = holds.refusal(hold, tab, Bound(a_spec(name="click", acts=True)))

    assert refused.code is Code.HANDED_OVER
    assert refused.message == (
        "A person has tab 1, handed over by claude 12 s ago: CAPTCHA\\nnow. 'click' did not run."
    )
    assert "browse resume --tab-id 1" in refused.hint
    assert (refused.facts["person"]["seconds"], refused.facts["person"]["isThere"]) == (12, False)


async def test_the_idle_clock_stands_still_and_starts_again_at_the_end(holds, tabs, tab, now):
    now[0] += 50
    before = holds.idle_s()
    hold = holds.begin(tabs, tab)
    now[0] += 5000
    during = holds.idle_s()
    holds.end(hold, "the person")
    now[0] += 3

    assert (before, during, holds.idle_s()) == (50, 0, 3)


async def test_a_hold_ends_once_and_is_reported_once(holds, tabs, tab):
    hold = holds.begin(tabs, tab)
    holds.end(hold, "the person", " done ")
    holds.end(hold, "an agent", "again")

    assert (hold.ended_by, hold.message, hold.over.is_set()) == ("the person", "done", True)
    assert holds.of(1) is None
    assert holds.report(1) is hold
    assert holds.report(1) is None
    assert not any(tab.page.heard[event] for event in ("framenavigated", "popup"))


async def test_a_tab_that_closes_ends_its_hold(holds, tabs, tab):
    hold = holds.begin(tabs, tab)
    tab.page.happen("close")

    assert hold.ended_by == "the end of the tab"


async def test_a_tab_that_is_closed_is_not_handed_over(holds, tabs, tab):
    tab.closed = True

    with pytest.raises(BrowseError, match="was closed"):
        holds.begin(tabs, tab)
    assert holds.all() == []


async def test_a_reason_is_one_line_of_limited_length(holds, tabs, tab):
    hold = holds.begin(tabs, tab, reason="x" * 5000)

    assert len(hold.reason) == MAX_REASON_CHARS
    holds.explain(hold, "two\x1b[31m")
    assert hold.reason == "two\\x1b[31m"


async def test_a_watched_session_is_only_read(holds, tabs, tab, now):
    tabs.context = tab.page
    click = Bound(a_spec(name="click", acts=True))
    first, second = holds.start_watch(tabs, tab), holds.start_watch(tabs, tab)

    assert (first, second, holds.idle_s()) == (True, False, 0)
    holds.check_watch(Bound(a_spec()), tabs)
    holds.check_watch(click, None)
    with pytest.raises(BrowseError) as caught:
        holds.check_watch(click, tabs)
    assert caught.value.code is Code.WATCHING
    now[0] += 30
    done = holds.stop_watch()
    assert done
    assert (done.since, done.ended, list(done.seen)) == (100, 130, [1])
    holds.check_watch(click, tabs)
    assert holds.stop_watch() is None
