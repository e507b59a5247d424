"""Calls inside calls."""

import pytest

from browse.core.errors import BrowseError, Code
from browse.core.scopes import Scope
from browse.dispatch.call import MAX_AGENT_CHARS, MAX_WORDS_CHARS
from support.fakes import a_call, a_caller

AGENT = a_caller(Scope.READ)


def test_a_step_has_the_rights_and_the_place_of_its_call_but_not_its_stdin():
    outer = a_call("chain", cwd="/p", tab_id=3, stdin=b"[]")

    inner = outer.inner(("text",), within="chain")

    assert (inner.words, inner.within, inner.stdin) == (("text",), ("chain",), b"")
    assert (inner.caller, inner.cwd, inner.tab_id) == (outer.caller, "/p", 3)


def test_a_step_may_be_aimed_at_another_tab():
    assert a_call("tab-each", tab_id=3).inner(("text",), within="tab-each", tab_id=5).tab_id == 5


def test_a_step_of_a_step_remembers_everything_around_it():
    step = a_call("chain").inner(("tab-each", "chain"), within="chain")

    assert step.inner(("chain",), within="tab-each").within == ("chain", "tab-each")


def test_an_agent_sends_no_more_than_its_limit_with_its_stdin():
    a_call("text", "x" * (MAX_AGENT_CHARS - 4), caller=AGENT).check_size()

    for call in (
        a_call("text", "x" * MAX_AGENT_CHARS, caller=AGENT),
        a_call("text", *["x" * 1024] * 256, caller=AGENT),
        a_call("chain", caller=AGENT, stdin=b"x" * MAX_AGENT_CHARS),
    ):
        with pytest.raises(BrowseError) as caught:
            call.check_size()
        assert caught.value.code is Code.TOO_LARGE


def test_the_owner_may_send_more_and_any_stdin():
    a_call("fill", "x" * MAX_AGENT_CHARS, stdin=b"x" * MAX_WORDS_CHARS).check_size()

    with pytest.raises(BrowseError, match="4,096 KiB at most"):
        a_call("text", "x" * MAX_WORDS_CHARS).check_size()
