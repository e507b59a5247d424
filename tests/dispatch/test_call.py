"""Calls inside calls."""

from support.fakes import a_call


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
