"""Tabs: listing, switching, opening, closing."""

import json

import pytest

from browse.core.errors import Code
from support.fakes import FakeBrowser, FakeTab, a_caller, a_runner, run

OTHER = a_caller(name="other")


@pytest.fixture
def session() -> FakeBrowser:
    tabs = (
        FakeTab(1, "http://a/", "First\n page"),
        FakeTab(2, "http://b/"),
        FakeTab(5, "http://c/"),
    )
    return FakeBrowser(*tabs)


@pytest.fixture
def runner(session):
    return a_runner(browser=session)


async def ids(runner) -> list[int]:
    return [row["id"] for row in json.loads((await run(runner, "tabs", "--json"))[0])["tabs"]]


async def test_the_list_is_the_pages_word_with_a_line_for_each_tab(runner, session):
    session.open_tabs.all()[1].crashed = True

    said, _ = await run(runner, "tabs")

    assert said.splitlines()[1:-1] == [
        "→ [1] First page — http://a/",
        "  [2] (crashed) — http://b/",
        "  [5] (untitled) — http://c/",
    ]


async def test_popups_that_were_turned_away_are_counted(runner, session):
    session.open_tabs.popups_closed = 3

    said, _ = await run(runner, "tabs")

    assert "(3 popups beyond the limit of tabs were closed)" in said


async def test_switching_is_for_the_caller_only(runner):
    said, _ = await run(runner, "tab", "5")

    assert said == "Switched to tab 5"
    assert "http://c/" in (await run(runner, "url"))[0]
    assert "http://a/" in (await run(runner, "url", caller=OTHER))[0]


@pytest.mark.parametrize("command", ["tab", "closetab"])
async def test_an_unknown_tab_is_an_error(runner, command):
    _, error = await run(runner, command, "9")

    assert error
    assert error.code is Code.TAB_UNKNOWN
    assert await ids(runner) == [1, 2, 5]


async def test_a_new_tab_is_the_current_one(runner, session):
    said, _ = await run(runner, "newtab", "http://127.0.0.1/x")

    assert said == "Opened tab 6 → http://127.0.0.1/x (200)"
    assert "http://127.0.0.1/x" in (await run(runner, "url"))[0]
    assert session.open_tabs.find(6).acts == [("open", "http://127.0.0.1/x")]


async def test_a_new_tab_without_an_address_is_blank(runner):
    assert (await run(runner, "newtab"))[0] == "Opened tab 6"


@pytest.mark.parametrize(
    ("words", "changes", "left"),
    [
        (["closetab"], {}, [2, 5]),
        (["closetab", "2"], {}, [1, 5]),
        (["closetab", "--tab-id", "5"], {}, [1, 2]),
        (["closetab"], {"tab_id": 2}, [1, 5]),
        (["closetab", "5"], {"tab_id": 2}, [1, 2]),
    ],
    ids=["the current one", "by number", "by flag", "by the call", "the number wins"],
)
async def test_the_tab_that_was_meant_is_closed(runner, words, changes, left):
    _, error = await run(runner, *words, **changes)

    assert error is None
    assert await ids(runner) == left


async def test_a_command_runs_on_every_tab(runner):
    said, _ = await run(runner, "tab-each", "url")

    rows = json.loads(said)
    assert [row["tabId"] for row in rows] == [1, 2, 5]
    assert all(row["url"] in row["output"] for row in rows)
    assert all("output" in row["untrusted"] for row in rows)


async def test_a_failure_on_a_tab_is_in_its_row(runner):
    rows = json.loads((await run(runner, "tab-each", "url", "--odd"))[0])

    assert [row["status"] for row in rows] == [400, 400, 400]


async def test_pages_of_the_browser_itself_are_passed_over(session, runner):
    session.open_tabs.find(2).url = "chrome://settings"

    rows = json.loads((await run(runner, "tab-each", "url"))[0])

    assert rows[1]["output"] == "skipped: internal page"


async def test_a_command_for_every_tab_does_not_run_itself(runner):
    _, error = await run(runner, "tab-each", "tab-each", "url")

    assert error
    assert error.code is Code.USAGE
