"""A mark that runs through page words, so that a reader tells them from all else at every place.

It is made anew for each reply, so no page can know it, and what a page wrote never holds it.
"""

import re
import secrets
from dataclasses import dataclass

# Letters and digits that no reader takes for others.
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
LETTERS = 6
EVERY_CHARS = 240  # at most so far from one mark to the next, where there are blanks at all
_BLANKS = re.compile(r"[ \t]+")


@dataclass(frozen=True, slots=True)
class Marked:
    """Page words with the mark in them, and our line that tells it."""

    text: str
    note: str


def marked(text: str) -> Marked:
    """Put a new mark at the beginning of each line and on and on through long ones."""
    mark = _unused(text)
    lines = [_line(line, mark) for line in text.split("\n")]
    note = f"[each line above from the page begins with {mark}, which no page knows]"
    return Marked("\n".join(lines), note)


def _unused(text: str) -> str:
    while True:
        mark = "^" + "".join(secrets.choice(ALPHABET) for _ in range(LETTERS))
        if mark not in text:
            return mark


def _line(line: str, mark: str) -> str:
    parts = [mark, " "]
    start = since = 0
    for blank in _BLANKS.finditer(line):
        if blank.end() - since < EVERY_CHARS:
            continue
        parts += [line[start : blank.end()], mark, " "]
        start = since = blank.end()
    return "".join([*parts, line[start:]])
