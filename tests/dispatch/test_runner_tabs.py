"""Which tab a command acts on."""

import pytest

from browse import _exit
from browse.core.errors import Code
from browse.registry.results import Text
from browse.registry.spec import Lane
from support.fakes import FakeTab, a_call, a_runner, a_spec, run


@pytest.mark.parametrize(
    ("words", "tab_id", "url"),
    [
        (["where"], None, "about:one"),
        (["where"], 2, "about:two"),
        (["where", "--tab-id", "2"], None, "about:two"),
        (["where", "--tab-id", "2"], 1, "about:two"),
        (["where", "--tab-id=2"], None, "about:two"),
    ],
    ids=["the current tab", "the call's tab", "the flag", "the flag wins", "one word"],
)
async def test_a_command_acts_on_the_tab_that_was_meant(words, tab_id, url):
    async def handler(ctx) -> Text:
        return Text(ctx.tab.url)

    tabs = (FakeTab(1, "about:one"), FakeTab(2, "about:two"))
    said, _ = await run(a_runner(a_spec(handler, "where"), tabs=tabs), *words, tab_id=tab_id)

    assert said == url


@pytest.mark.parametrize("tab_id", [9, 0, -1])
async def test_an_unknown_tab_is_an_error_and_never_another_tab(tab_id):
    _, error = await run(a_runner(a_spec()), "act", tab_id=tab_id)

    assert error
    assert (error.code, error.exit) == (Code.TAB_UNKNOWN, _exit.TARGET)


async def test_a_command_without_a_tab_finds_the_flag_in_its_call():
    async def handler(ctx) -> Text:
        return Text(str(ctx.call.tab_id))

    said, _ = await run(a_runner(a_spec(handler, lane=Lane.FREE)), "act", "--tab-id", "7")

    assert said == "7"


@pytest.mark.parametrize(
    ("words", "tab"),
    [
        (["act"], 1),
        (["act", "--tab-id", "2"], 2),
        (["act", "--tab-id", "9"], 0),
        (["none"], 0),
        ([], 0),
    ],
)
async def test_the_tab_of_a_call_can_be_told_beforehand(words, tab):
    runner = a_runner(a_spec(), tabs=(FakeTab(1), FakeTab(2)))

    assert await runner.tab_of(a_call(*words)) == tab
