"""A mark repeated throughout page words, so that a reader recognises them at every place.

It is new for each reply, so no page can know it, and the page words do not contain it.
"""

import re
import secrets

import msgspec

# Letters and digits that are not easily confused.
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
LETTERS = 6
EVERY_CHARS = 240  # maximum distance between marks, if there are spaces
_BLANKS = re.compile(r"\s+")


class MarkedText(msgspec.Struct, frozen=True):
    """Page words with the mark in them, and our line that explains it."""

    text: str
    note: str


def marked(text: str) -> MarkedText:
    """Put a new mark at the start of each line and repeatedly into long ones.

    Lines must end in line feeds only, as `envelope.defuse` leaves them.
    """
    mark = _unused(text)
    lines = [_line(line, mark) for line in text.split("\n")]
    note = f"[each line above from the page begins with {mark}, which no page knows]"
    return MarkedText("\n".join(lines), note)


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
