"""What a caller may do (scopes), where a command is offered (surfaces), how far it reaches."""

from collections.abc import Iterable
from enum import Enum, Flag, auto

from browse.core.errors import Usage


class Scope(Flag):
    """Rights that a token carries and an invocation demands."""

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
        """Read scopes as they are spelled in tokens; an unknown one is an error, not nothing."""
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
    """What of the browser a command touches besides the tab that it is aimed at."""

    TAB = "its tab"
    OWN = "the caller's own tabs"
    BROWSER = "the whole browser"


NOTHING = Scope(0)
ANYWHERE = Surface.LOCAL | Surface.TUNNEL
