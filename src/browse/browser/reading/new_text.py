"""Which lines of a page's text are new since the last time. Keeps hashes of lines, not the text."""

from collections import Counter
from collections.abc import Iterator

import msgspec


class ReadText(msgspec.Struct, frozen=True):
    """A text that a caller has read: which part of the page, its lines, and if it was cut."""

    selector: str | None
    main: bool
    lines: Counter[int]
    cut: bool = False

    @classmethod
    def of(cls, text: str, selector: str | None, *, main: bool, cut: bool = False) -> "ReadText":
        """Keep the lines of a text."""
        return cls(selector, main, Counter(map(hash, text.splitlines())), cut)

    def is_like(self, other: "ReadText") -> bool:
        """Check whether both are of the same part of a page."""
        return (self.selector, self.main) == (other.selector, other.main)


class NewLines(msgspec.Struct, frozen=True):
    """What is new in a text: the lines, how many are as before, and how many are gone."""

    lines: list[str]
    same: int
    gone: int


def new_lines(text: str, before: ReadText) -> NewLines:
    """Compare a text with the previous one: a line that has only moved is not new."""
    left = before.lines.copy()
    fresh = list(_fresh(text, left))
    return NewLines(fresh, before.lines.total() - left.total(), left.total())


def _fresh(text: str, left: Counter[int]) -> Iterator[str]:
    for line in text.splitlines():
        if left[hash(line)] > 0:
            left[hash(line)] -= 1
        elif line.strip():
            yield line
