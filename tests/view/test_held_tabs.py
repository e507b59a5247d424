"""Which commands are refused while a person has a tab."""

from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio

from browse.auth.caller import ROOT
from browse.core.errors import BrowseError, Code
from browse.core.scopes import Reach, Scope
from browse.registry.bind import Bound
from browse.registry.spec import ChangedTabs, Lane
from browse.view.held_tabs import HeldTabs
from browse.view.holds import Holds
from support.fakes import FakeBrowser, FakeTabs, a_spec

FREE = {"lane": Lane.FREE, "reach": Reach.BROWSER}


class TwoSessions(FakeBrowser):
    """A browser with a session beside the usual one."""

    def __init__(self, usual: FakeTabs, other: FakeTabs) -> None:
        super().__init__()
        self.open_tabs, self.other = usual, other

    def named(self) -> dict[str, FakeTabs]:
        return {"other": self.other}


@pytest_asyncio.fixture
async def gate(tabs, tab) -> HeldTabs:
    """A person has tab 1, of the usual session."""
    holds = Holds()
    holds.begin(tabs, tab)
    browser: Any = TwoSessions(tabs, FakeTabs())
    return HeldTabs(holds, browser)


async def refused(gate: HeldTabs, session: str = "", tab: Any = None, **facts: Any) -> bool:
    bound = Bound(a_spec(**facts))
    try:
        await gate.check(bound, ROOT, session=session, tab_id=None, tab=tab)
    except BrowseError as exc:
        return exc.code is Code.HANDED_OVER
    return False


@pytest.mark.parametrize(
    ("facts", "here", "elsewhere"),
    [
        ({}, False, False),
        ({"acts": True}, True, False),
        ({"navigates": True}, True, False),
        ({"scope": Scope.WRITE}, True, False),
        ({"scope": Scope.WRITE, "changes": ChangedTabs.NONE}, False, False),
        ({"changes": ChangedTabs.SESSION}, True, True),
        ({"changes": lambda _: ChangedTabs.ALL}, True, True),
    ],
)
async def test_a_command_in_a_tab(gate, tab, facts, here, elsewhere):
    other: Any = SimpleNamespace(id=2)

    assert await refused(gate, tab=tab, **facts) is here
    assert await refused(gate, tab=other, **facts) is elsewhere


@pytest.mark.parametrize(
    ("facts", "here", "elsewhere"),
    [
        (FREE, False, False),
        (FREE | {"scope": Scope.ADMIN}, True, False),
        (FREE | {"scope": Scope.CONTROL}, True, False),
        (FREE | {"scope": Scope.ADMIN, "reach": Reach.OWN}, False, False),
        (FREE | {"changes": ChangedTabs.ALL}, True, True),
        (FREE | {"changes": ChangedTabs.NONE, "scope": Scope.ADMIN}, False, False),
        ({"lane": Lane.BROWSER, "mutates": True}, True, False),
    ],
)
async def test_a_command_without_a_tab(gate, facts, here, elsewhere):
    assert await refused(gate, **facts) is here
    assert await refused(gate, session="other", **facts) is elsewhere
