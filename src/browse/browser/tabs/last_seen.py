"""What each caller of a tab has seen last, to tell it later what is new."""

from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

if TYPE_CHECKING:
    from browse.browser.reading.new_text import ReadText
    from browse.browser.visual.same_picture import SavedPicture

T = TypeVar("T")
MAX_CALLERS = 50
MAX_WARNED_LINES = 20_000


class LastSeen(Generic[T]):
    """The last thing of a kind that each caller has seen, and the one before it.

    The callers that came first are forgotten first.
    """

    def __init__(self) -> None:
        self._seen: dict[str, tuple[T | None, T]] = {}

    def add(self, caller: str, now: T, *, again: bool = False) -> T | None:
        """Keep what a caller sees now, and return what it saw before; None if that is nothing.

        `again`: this continues a reply that was cut, so what was before that reply counts.
        """
        before, last = self._seen.pop(caller, (None, None))
        previous = before if again else last
        self._seen[caller] = (previous, now)
        for oldest in list(self._seen)[:-MAX_CALLERS]:
            del self._seen[oldest]
        return previous


class WarnedLines:
    """The lines, as hashes, that each caller was warned of, in the document that the tab shows.

    Whoever was warned of too many is warned again.
    """

    def __init__(self) -> None:
        self._lines: dict[str, tuple[int, set[int]]] = {}

    def of(self, caller: str, doc: int) -> set[int]:
        """Return the lines of a document that a caller was warned of, to be added to."""
        known, lines = self._lines.pop(caller, (doc, set[int]()))
        if known != doc or len(lines) > MAX_WARNED_LINES:
            lines = set()
        self._lines[caller] = (doc, lines)
        for oldest in list(self._lines)[:-MAX_CALLERS]:
            del self._lines[oldest]
        return lines


class SeenByCallers(msgspec.Struct):
    """What the callers of a tab have seen last, by kind."""

    texts: "LastSeen[ReadText]" = msgspec.field(default_factory=LastSeen)
    pictures: "LastSeen[SavedPicture]" = msgspec.field(default_factory=LastSeen)
    warned: WarnedLines = msgspec.field(default_factory=WarnedLines)
