"""The facts of the dashboard, from fakes of the parts that have them."""

import pytest

from browse.auth.terms import Terms
from browse.auth.tokens import TokenKind
from browse.core.errors import BrowseError, Code
from browse.dashboard.facts import DashboardFacts
from browse.dispatch.pending_steps import PendingStep
from support.fakes import FakeBrowser, FakeTab, a_call, a_runner


class Board:
    """A dashboard over fakes."""

    def __init__(self, *tabs: FakeTab) -> None:
        self.browser = FakeBrowser(*tabs)
        self.parts = a_runner(browser=self.browser).parts
        self.facts = DashboardFacts(lambda: self.parts, lambda: {"status": "healthy"})

    async def part(self, name: str):
        return (await self.facts.collect([name]))[name]


async def test_health_says_which_daemon_this_is_and_what_is_on():
    health = await Board().part("health")

    assert health["status"] == "healthy"
    assert health["started"] == "2026-01-31T10:00:00.000Z"
    assert health["automation"] == {"on": False, "since": None}
    assert health["tunnel"]["open"] is False
    assert health["defences"]["status"] == "protected"


async def test_a_tab_says_who_holds_it_and_what_runs_in_it_and_marks_page_words():
    tab = FakeTab(3, "https://example.com/", "Tea \n shop")
    board = Board(tab)
    assert board.browser.open_tabs
    board.browser.open_tabs.leases.take("codex", 3)

    (idle,) = await board.part("tabs")
    async with tab.lock.hold("click"):
        (busy,) = await board.part("tabs")

    assert idle["page"] == {"title": "Tea shop", "url": "https://example.com/"}
    assert (idle["id"], idle["heldBy"], idle["busy"]) == (3, ["codex"], "")
    assert busy["busy"] == "`click` for 0 s"


async def test_a_page_is_not_asked_for_its_title_while_a_command_uses_its_tab():
    tab = FakeTab(1, title="new")
    tab.last_title = "old"

    async with tab.lock.hold("wait"):
        (row,) = await Board(tab).part("tabs")

    assert row["page"]["title"] == "old"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("root", "owner"),
        ("/dev/pts/3", "terminal"),
        ("codex", "agent"),
        ("skill:prices:1", "skill"),
        ("reader", "paired"),
    ],
)
async def test_agents_are_told_apart(name, kind):
    board = Board(FakeTab(1))
    assert board.browser.open_tabs
    board.parts.access.tokens.issue(TokenKind.SESSION, Terms("reader"))
    board.browser.open_tabs.leases.take(name, 1)

    (row,) = await board.part("agents")

    assert (row["name"], row["kind"], row["tab"], row["idleSeconds"]) == (name, kind, 1, 0)


async def test_pairings_have_no_token():
    board = Board()
    issued = board.parts.access.tokens.issue(TokenKind.SESSION, Terms("reader"))

    (row,) = await board.part("pairings")

    assert row["clientId"] == "reader"
    assert issued.token not in str(row)


async def test_a_pending_step_is_shown_without_what_a_person_would_type():
    board = Board()
    held = PendingStep(
        a_call("click", "#pay"), "click #pay", "shop.example", "[button] Pay", "f" * 16
    )
    board.parts.automation.steps.add(held)

    (row,) = await board.part("steps")

    assert (row["id"], row["step"], row["page"]) == (
        held.id,
        "click #pay",
        {"target": "[button] Pay"},
    )
    assert "ffff" not in str(row)


async def test_security_counts_every_day_and_skills_name_their_tier():
    board = Board()

    security, skills = await board.part("security"), await board.part("skills")

    assert security["days"] == 30
    assert {"byDay", "byKind", "outcomes", "since"} <= set(security)
    assert {"wikipedia-infobox"} <= {row["name"] for row in skills if row["tier"] == "bundled"}


async def test_a_part_that_fails_says_so_in_its_place(monkeypatch):
    board = Board()

    async def fails() -> None:
        raise BrowseError(Code.STATE_UNUSABLE, "Cannot read the log.", hint="mend it")

    monkeypatch.setitem(board.facts._collect, "security", fails)
    found = await board.facts.collect(["security", "notes"])

    assert found == {
        "security": {"problem": "Cannot read the log.", "hint": "mend it"},
        "notes": [],
    }


async def test_an_unknown_part_is_refused_with_those_that_exist():
    with pytest.raises(BrowseError, match="not a part") as told:
        await Board().facts.collect(["tabs", "secrets"])

    assert "memory" in told.value.hint


async def test_without_a_browser_there_are_no_tabs_and_none_is_started():
    board = Board()
    board.browser.open_tabs = None

    found = await board.facts.collect(["tabs", "agents", "memory"])

    assert found == {"tabs": [], "agents": [], "memory": None}


def test_a_tab_that_is_gone_is_said_to_be():
    with pytest.raises(BrowseError) as told:
        Board().facts.find(9)

    assert told.value.code is Code.TAB_UNKNOWN
