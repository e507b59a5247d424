"""Every command with every set of scopes, on both listeners, for callers of every kind."""

from itertools import combinations

import pytest

import browse.commands  # noqa: F401 - importing the groups declares the commands
from browse.auth.caller import ROOT, Caller
from browse.auth.terms import TabPolicy
from browse.core.errors import BrowseError
from browse.core.scopes import Reach, Scope, Surface
from browse.dispatch.gates import GATES
from browse.registry.bind import Bound
from browse.registry.spec import Spec, by_command, declared

# Decisions that are not to be loosened by accident, by name or by the first word of a family. What
# a new command needs is in its declaration, and in docs/commands.md; it has no place here.
NEEDS = {
    Scope.WRITE: """
        archive back check click closetab dialog-accept dialog-dismiss download drag fill focus
        forward goto hover keydown keyup load-html mouse newtab press reload scrape scroll select
        type uncheck upload viewport wait
    """,
    Scope.ADMIN: """
        cleanup cookie cookie-import cookies demo doctor emulate eval har header install js
        prettyscreenshot route storage style trace unroute useragent
    """,
    Scope.META: "chain diff frame mcp replay responsive tab",
    Scope.CONTROL: "memory restart run state stop",
    Scope.ROOT: """
        activity automate cdp confirm context deny domain-skill log match pair-agent
        session skill tab-each token tunnel ux-audit
    """,
}
# What a caller may do in tabs of its own that may only read.
NAVIGATES = "back closetab forward goto newtab"
# What reaches beyond the tabs of its caller, so that own-only and domain-bound agents may not.
BEYOND = """
    activity automate cdp confirm context cookie-import demo deny dialog dialog-accept
    dialog-dismiss doctor domain-skill emulate har header install log match memory pair-agent
    restart route routes session skill state stop tab-each token trace tunnel unroute useragent
    video
"""
# What waits for a person while automation is on: always, and with some arguments.
HELD = """
    check click cookie cookie-import dialog-accept dialog-dismiss drag eval fill header js
    keydown keyup load-html mouse press reload route run select style type uncheck unroute upload
"""
HELD_BELOW = {
    "automate": {"end"},
    "har": {"record", "replay", "stop"},
    "skill": {"approve", "record", "run", "save"},
    "tools": {"call"},
    "state": {"load"},
    "storage": {"set", "rm", "clear"},
}
HELD_AT_TIMES = {"cdp", "cookies", "replay", "skill record", "wait"}
GRANTED = [Scope.READ, Scope.WRITE, Scope.ADMIN, Scope.META, Scope.CONTROL]
SETS = [
    Scope(sum(scope.value for scope in chosen))
    for size in range(len(GRANTED) + 1)
    for chosen in combinations(GRANTED, size)
]
CALLERS = [
    Caller("codex", scopes, surface, domains, tabs)
    for scopes in SETS
    for surface in (Surface.LOCAL, Surface.TUNNEL)
    for tabs in TabPolicy
    for domains in ((), ("example.com",))
]


def let_in(spec: Spec, caller: Caller) -> bool:
    bound = Bound(spec, scopes=spec.scope, values={"session": None})
    try:
        for gate in GATES:
            gate(bound, caller)
    except BrowseError:
        return False
    return True


def expected(spec: Spec, caller: Caller) -> bool:
    offered = bool(spec.surfaces & caller.surface) and not spec.runs_here
    confined = caller.tabs is TabPolicy.OWN_ONLY or bool(caller.domains)
    beyond = spec.reach is Reach.BROWSER and confined and Scope.CONTROL not in caller.scopes
    reads = spec.navigates and caller.tabs is TabPolicy.OWN_ONLY and Scope.READ in caller.scopes
    return offered and (spec.scope in caller.scopes or reads) and not beyond


def below(words: str) -> list[Spec]:
    """List the commands of these names, with the sub-commands of families among them."""
    known = by_command(declared())
    return [spec for word in words.split() for spec in known[word]]


@pytest.mark.parametrize("scope", NEEDS, ids=Scope.words)
def test_rights_are_as_they_were_decided(scope):
    assert {spec.name: spec.scope for spec in below(NEEDS[scope])} == {
        spec.name: scope for spec in below(NEEDS[scope])
    }


def test_what_a_reader_may_do_in_its_own_tabs_is_as_it_was_decided():
    assert {spec.name for spec in declared() if spec.navigates} == set(NAVIGATES.split())


def test_what_reaches_beyond_the_callers_tabs_is_as_it_was_decided():
    assert [spec.name for spec in below(BEYOND) if spec.reach is not Reach.BROWSER] == []


def test_what_waits_for_a_person_is_as_it_was_decided():
    at_times = {spec.name for spec in declared() if callable(spec.mutates)}

    assert [spec.name for spec in below(HELD) if spec.mutates is not True] == []
    assert at_times >= HELD_AT_TIMES
    assert {
        name: {spec.words[0] for spec in below(name) if spec.mutates} for name in HELD_BELOW
    } == HELD_BELOW


@pytest.mark.parametrize("spec", declared(), ids=lambda spec: spec.name)
def test_who_may_run_it(spec):
    assert len(CALLERS) == 32 * 2 * 2 * 2
    wrong = [caller for caller in CALLERS if let_in(spec, caller) != expected(spec, caller)]

    assert wrong == []
    assert let_in(spec, ROOT) is not bool(spec.runs_here)
