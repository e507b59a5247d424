"""What a caller may do (scopes) and where a command is offered (surfaces)."""

from enum import Flag, auto


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

    def words(self) -> str:
        """Spell the scopes as in tokens and documentation: `read, write`."""
        return ", ".join(member.name.lower() for member in self if member.name)


class Surface(Flag):
    """A listener on which a command may be offered."""

    LOCAL = auto()
    TUNNEL = auto()


NOTHING = Scope(0)
ANYWHERE = Surface.LOCAL | Surface.TUNNEL
