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
from browse.registry.spec import Spec, declared

# Which right each command needs. A new command is written down here: that is the decision.
NEEDS = {
    Scope.READ: """
        accessibility attrs console css data dialog forms help html inspect is links markdown media
        network pdf perf routes scan screenshot snapshot status table tabs text url video
    """,
    Scope.WRITE: """
        archive back check click closetab dialog-accept dialog-dismiss download drag fill focus
        forward goto hover load-html mouse newtab press reload scrape scroll select type uncheck
        upload viewport wait
    """,
    Scope.ADMIN: """
        cleanup cookie cookie-import cookies demo doctor emulate eval har header install js
        prettyscreenshot route storage style trace unroute useragent
    """,
    Scope.META: "chain diff frame replay responsive tab",
    Scope.CONTROL: "memory restart state stop",
    Scope.ROOT: """
        activity automate cdp confirm context deny domain-skill log match pair-agent
        session skill tab-each token tunnel ux-audit
    """,
}
# What reaches beyond the tabs of its caller, so that own-only and domain-bound agents may not.
BEYOND_NAMES = """
    activity automate cdp confirm context cookie-import demo deny dialog dialog-accept
    dialog-dismiss doctor domain-skill emulate har header install log match memory pair-agent
    restart route routes session skill state stop tab-each token trace tunnel unroute useragent
    video
"""
# What waits for a person while automation is on: always, and with some arguments.
HELD_NAMES = """
    check click cookie cookie-import dialog-accept dialog-dismiss drag eval fill har header js
    load-html mouse press reload route select style type uncheck unroute upload
"""
HELD = set(HELD_NAMES.split())
HELD_AT_TIMES = {"automate", "cdp", "replay", "skill", "state", "storage", "wait"}
BEYOND = set(BEYOND_NAMES.split())
BY_NAME = {name: scope for scope, names in NEEDS.items() for name in names.split()}
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
    beyond = spec.name in BEYOND and confined and Scope.CONTROL not in caller.scopes
    return offered and BY_NAME[spec.name] in caller.scopes and not beyond


def test_every_command_is_decided_upon():
    assert set(BY_NAME) == {spec.name for spec in declared()}
    fixed = {spec.name for spec in declared() if spec.reach is Reach.BROWSER}
    assert fixed == BEYOND
    assert {spec.name for spec in declared() if spec.mutates is True and not spec.runs_here} == HELD
    assert {spec.name for spec in declared() if callable(spec.mutates)} == HELD_AT_TIMES


@pytest.mark.parametrize("spec", declared(), ids=lambda spec: spec.name)
def test_who_may_run_it(spec):
    assert len(CALLERS) == 32 * 2 * 2 * 2
    wrong = [caller for caller in CALLERS if let_in(spec, caller) != expected(spec, caller)]

    assert wrong == []
    assert let_in(spec, ROOT) is not spec.runs_here
