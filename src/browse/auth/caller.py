"""A caller: who sent a command, over which listener, with which rights."""

import msgspec

from browse.auth.origins import Origin
from browse.auth.terms import Behalf, TabPolicy
from browse.core.scopes import Scope, Surface

# No client's name can begin like this: only runs of skills have such names.
SKILL = "skill:"


class Caller(msgspec.Struct, frozen=True):
    """The identity that every gate checks.

    `domains` limits where the caller's tabs may go; empty means anywhere. `agent` tells the owner's
    agents apart: all of them have all rights, and each has a current tab. `folders` lists those
    whose files it may name; None means the usual ones. `origin` tells callers without a name apart
    as far as that can be told. `only_reads`: it asked to be refused what changes something.
    `behalf`: it is the script of another caller, and works in the tabs of that one.
    """

    name: str
    scopes: Scope
    surface: Surface
    domains: tuple[str, ...] = ()
    tabs: TabPolicy = TabPolicy.OWN_ONLY
    agent: str = ""
    folders: tuple[str, ...] | None = None
    origin: Origin = ()
    only_reads: bool = False
    behalf: Behalf | None = None

    @property
    def is_owner(self) -> bool:
        return Scope.ROOT in self.scopes

    @property
    def is_program(self) -> bool:
        """Whether the caller is the script of a skill."""
        return self.name.startswith(SKILL)

    @property
    def reads_as_agent(self) -> bool:
        """Whether the caller is a remote model: not the owner, and not a program (a skill)."""
        return not self.is_owner and not self.is_program

    @property
    def works_for_agent(self) -> bool:
        """Whether the caller is the script of a remote model."""
        return self.behalf is not None and bool(self.behalf.owner)

    @property
    def confined(self) -> bool:
        """Whether the caller may only affect its own tabs."""
        limited = self.tabs is TabPolicy.OWN_ONLY or bool(self.domains)
        return limited and Scope.CONTROL not in self.scopes

    def may_use(self, owner: str) -> bool:
        """Check whether the caller may use a tab of this owner; "" is the daemon's owner.

        A caller limited to some domains may use only its own tabs: others may be elsewhere.
        """
        shares = self.tabs is TabPolicy.SHARED and not self.domains
        return shares or owner == self.owner

    @property
    def owner(self) -> str:
        """The name under which the caller owns tabs and files; "" is the daemon's owner."""
        if self.behalf:
            return self.behalf.owner
        return "" if self.is_owner else self.name

    @property
    def holder(self) -> str:
        """The name under which the caller has a current tab."""
        return self.behalf.holder if self.behalf else self.agent or self.name


ROOT = Caller("root", Scope.every(), Surface.LOCAL, tabs=TabPolicy.SHARED)


def bearer(header: str) -> str:
    """Return the token in an `Authorization` header; "" when it is not a bearer token."""
    kind, _, token = header.partition(" ")
    return token.strip() if kind.lower() == "bearer" else ""
