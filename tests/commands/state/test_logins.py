"""Who may use logins."""

import browse.commands  # noqa: F401 - importing the groups declares the commands
from browse.core.scopes import Scope, Surface
from browse.registry.spec import declared


def test_logins_are_for_the_owner_on_this_machine():
    """A source may be any program, so a token that could add one could run programs."""
    rights = {it.name: (it.scope, it.surfaces) for it in declared() if it.command == "login"}

    assert {"login add", "login link", "login fill"} <= set(rights)
    assert {*rights.values()} == {(Scope.ROOT, Surface.LOCAL)}
