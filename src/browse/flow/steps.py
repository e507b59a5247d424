"""One step in a tab: enough to run it again, and to notice that the page has changed.

Nothing here holds a secret: what was typed into a secret field is not kept, nor what looks like a
key or a token.
"""

from typing import Literal

import msgspec

# What replaces a secret in a word. Other masks (`****`) contain it.
HIDDEN = "***"


class Target(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An element that a step read or acted on, described in several ways in case one fails."""

    word: str  # as it was typed: `@e3`, a selector
    role: str = ""
    name: str = ""
    tag: str = ""
    css: str = ""  # matched this element alone, inside its frame
    frame: tuple[str, ...] = ()  # the css of each frame element, from the page inwards
    secret: bool = False  # what is typed into it is never written down


class Mark(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How a page looked: its address, its title, and a sketch of its structure.

    Two sketches are compared by `fingerprint.likeness`, from 0 (nothing in common) to 1 (the same).
    """

    url: str = ""
    title: str = ""
    sketch: str = ""


class Shape(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a command returned, without the words: the length of a text, or rows with fields."""

    kind: Literal["nothing", "text", "rows", "fields", "file"] = "nothing"
    chars: int = 0
    count: int = 0
    fields: tuple[str, ...] = ()


class Step(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One command that ran in a tab, and its outcome."""

    number: int  # counts up in its tab, from 1
    ts: str
    tab: int
    command: str
    client: str = ""  # whose token it was; "" for the owner of the daemon
    run: str = ""  # when its daemon began: the next one counts its tabs and steps anew
    words: tuple[str, ...] = ()  # what followed the command; a secret is `***`
    targets: dict[str, Target] = {}  # by the name of the parameter
    before: Mark = Mark()
    after: Mark = Mark()
    shape: Shape = Shape()
    ms: int = 0
    error: str = ""  # its code; "" when the command succeeded

    @property
    def typed(self) -> tuple[str, ...]:
        """The whole command line, as far as it is known."""
        return (self.command, *self.words)

    @property
    def succeeded(self) -> bool:
        return not self.error

    @property
    def hides(self) -> bool:
        """Whether a word of it was a secret and is not known."""
        return any(HIDDEN in word for word in self.words)
