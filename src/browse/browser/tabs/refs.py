"""The frame of a tab that a ref belongs to. The documents themselves hold the elements."""

import re
from dataclasses import dataclass, field
from typing import Literal

from playwright.async_api import Frame

Kind = Literal["e", "c"]
# How many ranges of refs are remembered; older refs are stale.
MAX_RANGES = 2_000
_REF = re.compile(r"@([ec])([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Ref:
    """A ref as typed: `@e12` for the accessibility tree, `@c3` for other clickable elements."""

    kind: Kind
    number: int

    def __str__(self) -> str:
        return f"@{self.kind}{self.number}"


def parse(word: str) -> Ref | None:
    """Parse a ref; None if the word is not one."""
    found = _REF.fullmatch(word)
    if not found:
        return None
    return Ref("e" if found.group(1) == "e" else "c", int(found.group(2)))


@dataclass(slots=True)
class RefNumbers:
    """The ref numbers of one tab, each used once, and the frame of each range."""

    next: dict[Kind, int] = field(default_factory=lambda: {"e": 1, "c": 1})
    _ranges: dict[Kind, list[tuple[int, int, Frame]]] = field(
        default_factory=lambda: {"e": [], "c": []}
    )

    def claim(self, kind: Kind, frame: Frame, following: int) -> None:
        """Record that a frame took the numbers up to `following`."""
        first = self.next[kind]
        if following <= first:
            return
        ranges = self._ranges[kind]
        if ranges and ranges[-1][2] is frame and ranges[-1][1] == first:
            first = ranges.pop()[0]
        ranges.append((first, following, frame))
        del ranges[:-MAX_RANGES]
        self.next[kind] = following

    def given(self, ref: Ref) -> bool:
        """Check whether a ref was ever shown in this tab."""
        return 0 < ref.number < self.next[ref.kind]

    def frame_of(self, ref: Ref) -> Frame | None:
        """Return the frame that a ref was shown in; None if it is unknown or forgotten."""
        for first, following, frame in reversed(self._ranges[ref.kind]):
            if first <= ref.number < following:
                return frame
        return None
