"""Which tab a caller gets."""

import asyncio
from dataclasses import dataclass

from msgspec.structs import replace

from browse.auth.caller import ROOT
from browse.browser.tabs.leases import Leases
from browse.browser.tabs.tab_choice import TabChoice

ADA, GRACE = replace(ROOT, agent="ada"), replace(ROOT, agent="grace")


@dataclass
class FakeTab:
    id: int
    owner: str = ""


class Opened:
    """A session whose new tabs take a while to come."""

    def __init__(self, *tabs: int) -> None:
        self.tabs = {id: FakeTab(id) for id in tabs}
        self.leases = Leases()
        self.choice = TabChoice(self.tabs, self.leases, self._new)  # type: ignore[arg-type]

    async def _new(self, caller):
        tab = FakeTab(len(self.tabs) + 1)
        self.tabs[tab.id] = tab
        self.leases.take(caller.holder, tab.id)
        await asyncio.sleep(0)
        return tab


async def chosen(opened: Opened, *callers) -> list[int]:
    return [tab.id for tab in await asyncio.gather(*map(opened.choice.current, callers))]


async def test_agents_that_come_at_once_get_tabs_of_their_own():
    assert len(set(await chosen(Opened(1), ADA, GRACE, ROOT))) == 3


async def test_two_commands_of_one_agent_get_the_same_tab():
    opened = Opened(1)
    await opened.choice.current(ROOT)

    assert await chosen(opened, ADA, ADA) == [2, 2]


async def test_a_free_tab_is_preferred_and_the_first_choice_before_others():
    opened = Opened(1, 2, 3)
    opened.choice.first = 2

    assert [*await chosen(opened, ADA), *await chosen(opened, GRACE)] == [2, 3]


async def test_a_popup_is_for_who_opened_it():
    opened = Opened(1, 2)
    opened.leases.take("ada", 1)
    opened.leases.reserve(2, None)  # not known yet
    assert await chosen(opened, GRACE) == [3]

    opened.leases.reserve(2, ["ada"])
    del opened.tabs[1]
    assert await chosen(opened, ADA) == [2]
    opened.leases.reserve(4, [])  # a person opened it
    opened.tabs[4] = FakeTab(4)
    assert await chosen(opened, ROOT) == [4]
