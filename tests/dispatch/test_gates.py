"""The gates, in order."""

import pytest
from msgspec.structs import replace

from browse.core.errors import BrowseError, Code
from browse.core.scopes import ANYWHERE, NOTHING, Scope, Surface
from browse.dispatch.gates import GATES
from browse.registry.bind import Bound
from browse.registry.params import WORD, Doc
from browse.registry.signature import Argument
from browse.registry.spec import ChangedTabs
from support.fakes import a_caller, a_spec


def check(bound: Bound, caller) -> None:
    for gate in GATES:
        gate(bound, caller)


def refused(bound: Bound, caller) -> BrowseError:
    with pytest.raises(BrowseError) as caught:
        check(bound, caller)
    return caught.value


def test_the_owner_passes():
    check(Bound(a_spec(), scopes=Scope.every(), local_only=True), a_caller())


def test_a_command_of_the_terminal_does_not_run_in_the_daemon():
    error = refused(Bound(a_spec(runs_here="browse.setup")), a_caller())

    assert error.code is Code.SURFACE
    assert "browse act" in error.hint


@pytest.mark.parametrize(
    ("surfaces", "local_only", "caller_at", "passes"),
    [
        (Surface.LOCAL, False, Surface.LOCAL, True),
        (Surface.LOCAL, False, Surface.TUNNEL, False),
        (ANYWHERE, False, Surface.TUNNEL, True),
        (ANYWHERE, True, Surface.TUNNEL, False),
        (ANYWHERE, True, Surface.LOCAL, True),
    ],
)
def test_a_command_runs_where_it_is_offered(surfaces, local_only, caller_at, passes):
    bound = Bound(a_spec(surfaces=surfaces), local_only=local_only)
    caller = a_caller(surface=caller_at)

    if passes:
        check(bound, caller)
    else:
        assert refused(bound, caller).code is Code.SURFACE


def test_who_is_afar_is_told_of_the_form_without_a_file():
    flag = Argument("base64", WORD, Doc(""), required=False, default=False, flag=True, switch=True)
    bound = Bound(a_spec(args=(flag,)), local_only=True)

    assert "--base64" in refused(bound, a_caller(surface=Surface.TUNNEL)).hint


def test_a_missing_scope_is_named_and_so_are_those_there_are():
    bound = Bound(a_spec(), scopes=Scope.READ | Scope.ADMIN | Scope.WRITE)

    error = refused(bound, a_caller(Scope.READ))

    assert error.code is Code.SCOPE
    assert error.message == "'act' in this form needs the scope: write, admin."
    assert "your token has: read;" in error.hint


def test_a_token_without_scopes_may_do_nothing():
    assert (
        "your token has: none"
        in refused(Bound(a_spec(), scopes=Scope.READ), a_caller(NOTHING)).hint
    )


def test_what_is_not_offered_gets_no_word_about_scopes():
    bound = Bound(a_spec(surfaces=Surface.LOCAL), scopes=Scope.ADMIN)

    assert refused(bound, a_caller(NOTHING, Surface.TUNNEL)).code is Code.SURFACE


@pytest.mark.parametrize(
    ("changes", "scopes", "passes"),
    [
        ({}, Scope.READ, True),
        ({}, Scope.READ | Scope.META, True),
        ({}, Scope.READ | Scope.WRITE, False),
        ({}, Scope.ROOT, False),
        ({"acts": True}, Scope.READ, False),
        ({"navigates": True}, Scope.READ, False),
        ({"mutates": True}, Scope.META, False),
        ({"changes": ChangedTabs.SESSION}, Scope.READ, False),
        ({"changes": ChangedTabs.ASIDE}, Scope.META, False),
    ],
)
def test_who_only_reads_is_refused_what_may_change_something(changes, scopes, passes):
    bound = Bound(a_spec(mutates=False) if not changes else a_spec(**changes), scopes=scopes)
    reader = replace(a_caller(), only_reads=True)

    if passes:
        check(bound, reader)
    else:
        assert "BROWSE_ONLY_READ" in refused(bound, reader).hint
