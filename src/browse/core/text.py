"""Small helpers for text that every reply uses."""

import re

from browse import _nearest

_LONE = re.compile("[\ud800-\udfff]")


def well_formed(text: str) -> str:
    """Replace lone surrogates, which no encoder accepts, by U+FFFD."""
    return _LONE.sub("\ufffd", text)


def has_lone_surrogate(text: str) -> bool:
    """Check for half a character (a non-UTF-8 argument, a broken page string)."""
    return _LONE.search(text) is not None


def cut(text: str, limit: int) -> str:
    """Cut text to at most `limit` characters, with an ellipsis where something was cut."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def cut_at_line(text: str, limit: int) -> str:
    """Cut text to at most `limit` characters, at the end of a line where one is near enough."""
    if len(text) <= limit:
        return text
    end = text.rfind("\n", limit // 2, limit + 1)
    return text[: end if end > 0 else limit]


def counted(number: int, noun: str, *, plural: str = "") -> str:
    """Say how many there are: `1 tab`, `2 tabs`, `10,000 cookies`."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def nearest(word: str, known: list[str]) -> str:
    """Return the known word that was probably meant, or ""."""
    return next(iter(_nearest.nearest(word, known)), "")
