"""The ref numbers of a tab: the frame of each, and the callers that have seen it.

The documents themselves hold the elements. Numbers start again with each document of the main
frame, so a number means an element only together with the count of that document.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec
from playwright.async_api import Frame

from browse.browser.page.shapes import Next
from browse.browser.tabs.seen_refs import Called, SeenRefs

Kind = Literal["e", "c"]
KINDS: tuple[Kind, ...] = ("e", "c")
# How many ranges of refs are remembered; older refs are stale.
MAX_RANGES = 2_000
MAX_CALLERS = 50
_REF = re.compile(r"@([ec])([0-9]{1,9})")


class Ref(msgspec.Struct, frozen=True):
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


class TakenRefs(msgspec.Struct, frozen=True):
    """The refs that a command has read from a document; its reply may show only some of them."""

    doc: int
    refs: Mapping[str, Called]


NONE_TAKEN = TakenRefs(0, {})


def _no_ranges() -> dict[Kind, list[tuple[int, int, Frame]]]:
    return {"e": [], "c": []}


class RefNumbers(msgspec.Struct):
    """The ref numbers of one tab, each used once in a document, and the frame of each range.

    `caller` is the caller of the command that uses the tab now.
    """

    doc: int = 1
    next: dict[Kind, int] = msgspec.field(default_factory=lambda: {"e": 1, "c": 1})
    caller: str = ""
    _ranges: dict[Kind, list[tuple[int, int, Frame]]] = msgspec.field(default_factory=_no_ranges)
    _taken: TakenRefs = NONE_TAKEN
    _seen: dict[str, SeenRefs] = msgspec.field(default_factory=dict)

    def begin(self, caller: str) -> None:
        """Begin a command of a caller."""
        self.caller, self._taken = caller, NONE_TAKEN

    def restart(self) -> None:
        """Start again at 1: the main frame has a new document."""
        self.doc += 1
        self.next = {"e": 1, "c": 1}
        self._ranges = _no_ranges()

    def start(self) -> dict[str, int]:
        """Return where a page script begins to number elements."""
        return {"doc": self.doc, "e": self.next["e"], "c": self.next["c"]}

    def word(self, ref: Ref) -> str:
        """Return a ref as page scripts look it up: in this document only."""
        return f"{self.doc}{ref}"

    def claim(self, frame: Frame, following: Next) -> None:
        """Record the numbers that a page script gave to elements of a frame."""
        if following.doc != self.doc:
            return  # the page has navigated meanwhile
        for kind, stop in zip(KINDS, (following.e, following.c), strict=True):
            self._claim(kind, frame, stop)

    def _claim(self, kind: Kind, frame: Frame, stop: int) -> None:
        first = self.next[kind]
        if stop <= first:
            return
        ranges = self._ranges[kind]
        if ranges and ranges[-1][2] is frame and ranges[-1][1] == first:
            first = ranges.pop()[0]
        ranges.append((first, stop, frame))
        del ranges[:-MAX_RANGES]
        self.next[kind] = stop

    def frame_of(self, ref: Ref) -> Frame | None:
        """Return the frame that a ref was shown in; None if it is unknown or forgotten."""
        for first, stop, frame in reversed(self._ranges[ref.kind]):
            if first <= ref.number < stop:
                return frame
        return None

    def take(self, taken: TakenRefs) -> None:
        """Keep the refs that the current command has read last; its reply may show them."""
        self._taken = taken

    def taken(self) -> TakenRefs:
        """Return what the current command has read last."""
        return self._taken

    def show(self, refs: Mapping[str, Called]) -> None:
        """Record that the current caller sees these refs."""
        self.seen_by(self.caller, TakenRefs(self.doc, refs), refs)

    def seen_by(self, caller: str, taken: TakenRefs, shown: Iterable[str]) -> None:
        """Record which of the refs that a command has read are in its reply."""
        seen = self._seen.pop(caller, None) or SeenRefs()
        self._seen[caller] = seen
        for oldest in list(self._seen)[:-MAX_CALLERS]:
            del self._seen[oldest]
        seen.add(taken.doc, {ref: taken.refs[ref] for ref in shown if ref in taken.refs})

    def shown_to_anyone(self) -> dict[str, Called]:
        """Return the refs of the current document that some caller has seen, in their order."""
        found = {ref: it for seen in self._seen.values() for ref, it in seen.of(self.doc).items()}
        return dict(sorted(found.items(), key=lambda row: (row[0][1], int(row[0][2:]))))

    def is_shown(self, ref: Ref) -> bool:
        """Check whether the current document has shown a ref to the current caller."""
        return str(ref) in self._mine.of(self.doc)

    def was(self, ref: Ref) -> Called | None:
        """Return what the current caller last saw under a ref; None if nothing, or forgotten."""
        return self._mine.last(str(ref))

    @property
    def _mine(self) -> SeenRefs:
        return self._seen.get(self.caller) or SeenRefs()
