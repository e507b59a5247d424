"""Which frame of a tab a ref belongs to. The documents themselves keep the elements."""

import re
from dataclasses import dataclass, field
from typing import Literal

from playwright.async_api import Frame

Kind = Literal["e", "c"]
# Which frame showed what is forgotten beyond this; such old refs are stale.
MAX_STRETCHES = 2_000
_REF = re.compile(r"@([ec])([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Ref:
    """A ref as it is typed: `@e12` for the accessibility tree, `@c3` for other clickable things."""

    kind: Kind
    number: int

    def __str__(self) -> str:
        return f"@{self.kind}{self.number}"


def parse(word: str) -> Ref | None:
    """Read a ref; None when the word is something else."""
    found = _REF.fullmatch(word)
    if not found:
        return None
    return Ref("e" if found.group(1) == "e" else "c", int(found.group(2)))


@dataclass(slots=True)
class Numbers:
    """The numbers given out in one tab, never twice, and the frame that each stretch went to."""

    next: dict[Kind, int] = field(default_factory=lambda: {"e": 1, "c": 1})
    _stretches: dict[Kind, list[tuple[int, int, Frame]]] = field(
        default_factory=lambda: {"e": [], "c": []}
    )

    def claim(self, kind: Kind, frame: Frame, following: int) -> None:
        """Record that a frame took the numbers up to `following`."""
        first = self.next[kind]
        if following <= first:
            return
        stretches = self._stretches[kind]
        if stretches and stretches[-1][2] is frame and stretches[-1][1] == first:
            first = stretches.pop()[0]
        stretches.append((first, following, frame))
        del stretches[:-MAX_STRETCHES]
        self.next[kind] = following

    def given(self, ref: Ref) -> bool:
        """Tell whether a ref was ever given out in this tab."""
        return 0 < ref.number < self.next[ref.kind]

    def frame_of(self, ref: Ref) -> Frame | None:
        """Tell the frame that a ref was shown in; None when that is not known (any more)."""
        for first, following, frame in reversed(self._stretches[ref.kind]):
            if first <= ref.number < following:
                return frame
        return None
