"""Commands about commands."""

import json

import pytest

from browse.core.errors import Code
from browse.registry.spec import declared
from support.fakes import FakeTab, a_runner, run


@pytest.fixture
def tabs() -> tuple[FakeTab, FakeTab]:
    return FakeTab(1, "http://one/"), FakeTab(2, "http://two/")


@pytest.fixture
def runner(tabs):
    return a_runner(tabs=tabs)


async def test_steps_run_in_order_and_page_words_have_a_label(runner, tabs):
    said, error = await run(runner, "chain", "goto http://127.0.0.1/x | reload | url")

    assert error is None
    assert tabs[0].acts == [("open", "http://127.0.0.1/x"), ("reload",)]
    done, label, *_ = said.splitlines()
    assert done == "Navigated to http://127.0.0.1/x (200); Reloaded http://127.0.0.1/x"
    assert label == "[url]"
    assert said.count("\n--- end [") == 1


async def test_steps_may_come_on_stdin(runner, tabs):
    await run(runner, "chain", stdin=b'[["goto", "http://127.0.0.1/x"]]')

    assert tabs[0].acts == [("open", "http://127.0.0.1/x")]


async def test_an_alias_shows_what_it_stands_for(runner):
    said, _ = await run(runner, "chain", "setcontent", stdin=b"")

    assert "[setcontent→load-html] ERROR: step 1 of 1 failed" in said


async def test_the_first_failure_ends_the_chain(runner, tabs):
    said, error = await run(runner, "chain", "reload | tab 9 | back | forward")

    assert error
    assert error.code is Code.TAB_UNKNOWN
    assert tabs[0].acts == [("reload",)]
    assert "[tab] ERROR: step 2 of 4 failed; the 2 after it did not run." in said


async def test_the_steps_are_facts_as_well(runner):
    data = json.loads((await run(runner, "chain", "--json", "reload | url"))[0])

    assert [step["command"] for step in data["steps"]] == ["reload", "url"]
    assert data["steps"][1]["result"] == {"page": {"url": "http://one/"}}
    assert all(step["ok"] for step in data["steps"])


@pytest.mark.parametrize(
    ("words", "changes"),
    [(["chain", "--tab-id", "2", "reload"], {}), (["chain", "reload"], {"tab_id": 2})],
    ids=["by flag", "by the call"],
)
async def test_the_steps_act_on_the_tab_of_the_chain(runner, tabs, words, changes):
    await run(runner, *words, **changes)

    assert (tabs[0].acts, tabs[1].acts) == ([], [("reload",)])


async def test_a_chain_does_not_run_itself(runner):
    said, error = await run(runner, "chain", "chain reload")

    assert error
    assert error.code is Code.USAGE
    assert "cannot run inside itself" in said


async def test_help_lists_every_command(runner):
    said, _ = await run(runner, "help")

    assert all(f"  {spec.command} " in said for spec in declared())


async def test_help_on_one_command_shows_its_flags(runner):
    said, _ = await run(runner, "help", "setcontent")

    assert said.startswith("Usage: browse load-html")
    assert "--wait-until" in said


async def test_help_on_an_unknown_command_says_what_was_meant(runner):
    said, error = await run(runner, "help", "gooto")

    assert error
    assert error.code is Code.UNKNOWN_COMMAND
    assert "Did you mean 'goto'" in said


async def test_the_guide_for_agents_is_printed(runner):
    assert (await run(runner, "help", "--agent"))[0].startswith("---\nname: browse")
