"""Who is asking."""

import pytest

from browse.auth.caller import ROOT, Caller, bearer
from browse.auth.terms import Behalf, TabPolicy
from browse.core.scopes import Scope, Surface


def test_the_owner_may_do_everything_on_this_machine_only():
    assert ROOT.scopes == Scope.every()
    assert ROOT.surface is Surface.LOCAL


def test_an_agent_uses_its_own_tabs_only_unless_they_are_shared():
    alone = Caller("codex", Scope.READ, Surface.LOCAL)
    sharing = Caller("codex", Scope.READ, Surface.LOCAL, tabs=TabPolicy.SHARED)

    assert [alone.may_use(owner) for owner in ("codex", "", "other")] == [True, False, False]
    assert all(sharing.may_use(owner) for owner in ("codex", "", "other"))
    assert all(ROOT.may_use(owner) for owner in ("", "other"))


def test_a_script_works_in_the_tabs_of_its_caller_and_is_a_program():
    behalf = Behalf("codex", "codex", Surface.TUNNEL)
    script = Caller("skill:run:1", Scope.READ, behalf.surface, behalf=behalf)

    assert [script.may_use(owner) for owner in ("codex", "", "skill:run:1")] == [True, False, False]
    assert (script.holder, script.owner) == ("codex", "codex")
    assert script.is_program
    assert script.works_for_agent
    assert not script.reads_as_agent


def test_a_script_of_the_owner_works_for_no_agent():
    behalf = Behalf("ada", "", Surface.LOCAL)

    assert not Caller("skill:run:1", Scope.READ, Surface.LOCAL, behalf=behalf).works_for_agent


@pytest.mark.parametrize(
    ("caller", "confined"),
    [
        (ROOT, False),
        (Caller("a", Scope.READ, Surface.LOCAL), True),
        (Caller("a", Scope.READ, Surface.LOCAL, tabs=TabPolicy.SHARED), False),
        (Caller("a", Scope.READ, Surface.LOCAL, ("x.org",), TabPolicy.SHARED), True),
        (Caller("a", Scope.CONTROL, Surface.LOCAL, ("x.org",)), False),
    ],
)
def test_who_must_keep_to_its_tabs(caller, confined):
    assert caller.confined is confined


@pytest.mark.parametrize(
    ("header", "token"),
    [
        ("Bearer abc", "abc"),
        ("bearer abc", "abc"),
        ("BEARER  abc ", "abc"),
        ("Basic abc", ""),
        ("Bearer", ""),
        ("Bearer ", ""),
        ("abc", ""),
        ("", ""),
        (" Bearer abc", ""),
    ],
)
def test_the_token_is_taken_from_a_bearer_header(header, token):
    assert bearer(header) == token
