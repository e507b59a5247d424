"""Which tab is the person's: one that they turned to, not one that we have put in front."""

import math
from types import SimpleNamespace
from typing import Any

import pytest

from browse.auth.caller import ROOT
from browse.browser.tabs import activation
from browse.browser.window import follow
from browse.core.clock import wall_ms

AFTERWARDS = math.inf


class FakeThing:
    """A window, or a page in it: something that can be referred to weakly."""

    def __init__(self, context: Any = None) -> None:
        self.context = context
        self.url = "https://tea.example/"


class FakeLeases:
    """Knows no user, and remembers whose current tab is which."""

    def __init__(self) -> None:
        self.taken: dict[str, int] = {}

    def users(self, _: int) -> list[str]:
        return []

    def holders(self) -> list[str]:
        return [ROOT.holder]

    def take(self, holder: str, tab: int) -> None:
        self.taken[holder] = tab


@pytest.fixture
def scene(monkeypatch) -> Any:
    """A window with two tabs, of which the second is in front; the news of it come late."""
    window: Any = FakeThing()
    pages: list[Any] = [FakeThing(window), FakeThing(window)]
    tabs = [SimpleNamespace(id=n, page=it, owner="") for n, it in enumerate(pages)]
    leases = FakeLeases()
    lock = SimpleNamespace(is_held=False, idle_s=lambda: 60.0)
    session = SimpleNamespace(all=lambda: tabs, leases=leases, lock=lock)

    async def page_of(_: Any, __: Any, target: str) -> Any:
        return pages[int(target)]

    monkeypatch.setattr(follow, "_page_of", page_of)
    for page in pages:
        with activation.by_us(window):
            activation.is_in_front(page)

    async def activated(target: str, seen: float = AFTERWARDS) -> None:
        browser: Any = SimpleNamespace(open_tabs=session)
        await follow._activated(browser, window, target, seen)

    return SimpleNamespace(activated=activated, taken=leases.taken, window=window, pages=pages)


async def test_a_tab_that_we_put_in_front_is_no_turn_of_the_persons_however_late_the_news(scene):
    await scene.activated("1")

    assert scene.taken == {}


async def test_a_tab_that_the_person_turns_to_is_the_current_one(scene):
    await scene.activated("1")
    await scene.activated("0")

    assert scene.taken == {ROOT.holder: 0}


async def test_what_was_in_front_before_we_put_another_there_is_no_turn_of_the_persons(scene):
    await scene.activated("0", seen=wall_ms() - 60_000)

    assert scene.taken == {}


async def test_a_person_may_turn_at_once_to_a_tab_that_we_had_in_front_before(scene):
    """Nobody told of it then: of two tabs that come to the front, only the last is reported."""
    await scene.activated("0", seen=wall_ms() + 1)

    assert scene.taken == {ROOT.holder: 0}


async def test_what_comes_to_the_front_while_we_put_a_tab_there_is_no_turn_of_the_persons(scene):
    with activation.by_us(scene.window):
        await scene.activated("0", seen=wall_ms())

    assert scene.taken == {}


async def test_what_takes_the_place_of_a_tab_that_we_closed_is_no_turn_of_the_persons(scene):
    activation.close(scene.pages[1])
    await scene.activated("0")
    assert scene.taken == {}

    await scene.activated("1")

    assert scene.taken == {ROOT.holder: 1}
