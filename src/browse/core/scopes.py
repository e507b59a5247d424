"""Scopes of callers, surfaces on which commands are offered, and the reach of commands."""

from collections.abc import Iterable
from enum import Enum, Flag, auto

from browse.core.errors import Usage


class Scope(Flag):
    """Rights that a token has and an invocation needs."""

    READ = auto()
    WRITE = auto()
    ADMIN = auto()
    META = auto()
    CONTROL = auto()
    ROOT = auto()  # the owner's own token; no other ever carries it

    @classmethod
    def every(cls) -> "Scope":
        return cls.READ | cls.WRITE | cls.ADMIN | cls.META | cls.CONTROL | cls.ROOT

    @classmethod
    def named(cls, words: Iterable[str]) -> "Scope":
        """Parse scopes as they are spelled in tokens; raise for an unknown one."""
        found = NOTHING
        for word in words:
            member = cls.__members__.get(word.strip().upper())
            if member is None or member is cls.ROOT:
                known = (cls.every() & ~cls.ROOT).words()
                raise Usage(f"{word[:40]!r} is not a scope", hint=f"the scopes are: {known}")
            found |= member
        return found

    def words(self) -> str:
        """Spell the scopes as in tokens and documentation: `read, write`."""
        return ", ".join(self.list())

    def list(self) -> list[str]:
        return [member.name.lower() for member in self if member.name]


class Surface(Flag):
    """A listener on which a command may be offered."""

    LOCAL = auto()
    TUNNEL = auto()


class Reach(Enum):
    """What a command may affect in the browser besides its tab."""

    TAB = "its tab"
    OWN = "the caller's own tabs"
    BROWSER = "the whole browser"


NOTHING = Scope(0)
ANYWHERE = Surface.LOCAL | Surface.TUNNEL
