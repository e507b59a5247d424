"""What the reply to an action tells; that it is seen is shown end to end."""

from typing import Any

import pytest

from browse.browser.actions.effects import MAX_KEPT, ActionEffects
from browse.browser.elements.departures import Departure
from browse.browser.tabs.dialogs import DialogRecord
from browse.dispatch.acting import _facts, _is_made_of, _opened, _report, _with_text
from support.fakes import FakeTab


class FakePage:
    """A page that opened by itself."""

    url = "http://popup/"


class FakeTabs:
    """Tabs that hold the first page that they are asked about."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    async def holding(self, page: object) -> FakeTab | None:
        self.asked.append(page)
        return FakeTab(7) if len(self.asked) == 1 else None


class FakeCtx:
    """The surroundings of an action."""

    def __init__(self) -> None:
        self.tab = FakeTab(1, "http://here/")

    async def tabs(self) -> FakeTabs:
        return FakeTabs()


@pytest.fixture
def seen() -> Any:
    return ActionEffects(Departure())


def test_nothing_is_told_as_nothing(seen):
    assert _report(seen, []) == (["Nothing changed"], [])


def test_what_changes_by_itself_is_told_apart(seen):
    seen.ticked = True

    assert _report(seen, []) == (["Nothing changed, except where the page changes by itself"], [])


@pytest.mark.issue(15)
def test_new_text_is_told_once():
    rows = ['+ @e2 [button] "Undo"']

    assert _with_text(rows, ["Done", "Later"], {"Done"}) == ([*rows, "+ [text]: Later"], [])
    assert _with_text([], ["1", "2", "3", "4"], set())[1] == ["1 more line of new text"]


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    ("line", "only"), [("Go on Stay", True), ("Stay 3", False), ("Going", False)]
)
def test_a_line_of_names_tells_nothing_new(line, only):
    assert _is_made_of(line, ["Go on", "Stay"]) is only


async def test_tabs_that_opened_are_told_by_number(seen):
    ctx: Any = FakeCtx()
    seen.popups = [FakePage(), FakePage()]

    opened = await _opened(ctx, seen)
    lines, quotes = _report(seen, opened)

    assert opened == [7, None]
    assert lines == [
        "Tab 7 was opened",
        "A tab was opened, and closed again; the current one is the same",
    ]
    assert quotes == ["new tab: http://popup/"] * 2
    assert _facts(ctx, seen, opened)["opened"] == [7]


def test_dialogs_and_downloads_are_told_in_our_words_and_quoted_as_the_pages(seen):
    seen.dialogs = [DialogRecord("alert", "Obey me", "accepted")]
    seen.downloads = ["evil.bin"]

    lines, quotes = _report(seen, [])

    assert lines == ["A dialog (alert) was accepted", "A download started"]
    assert quotes == ["alert: Obey me", "download: evil.bin"]


@pytest.mark.parametrize(
    ("count", "line"),
    [(1, "1 console error"), (2, "2 console errors"), (MAX_KEPT, f"{MAX_KEPT}+ console errors")],
)
def test_errors_are_counted_and_the_first_ones_quoted(seen, count, line):
    seen.errors = ["oh no"] * count

    lines, quotes = _report(seen, [])

    assert lines == [line]
    assert len(quotes) == min(count, 5)


def test_the_pages_words_are_below_page_in_the_facts(seen):
    ctx: Any = FakeCtx()
    seen.dialogs = [DialogRecord("alert", "Obey me", "accepted")]

    facts = _facts(ctx, seen, [])

    assert (facts["navigated"], facts["changed"]) == (False, True)
    assert facts["page"]["dialogs"][0]["message"] == "Obey me"
