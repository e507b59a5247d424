"""Small helpers for text that every reply uses."""

import re

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


def nearest(word: str, known: list[str]) -> str:
    """Return the known word that was probably meant (two slips, four letters), or ""."""
    if len(word) < 4:
        return ""
    # Comparing is slow for long words, and those are too far from everything anyway.
    close = [other for other in known if abs(len(other) - len(word)) <= 2]
    # Among equals, prefer the same length: letters are swapped more often than lost.
    scored = sorted((_distance(word, it), abs(len(it) - len(word)), it) for it in close)
    return scored[0][2] if scored and scored[0][0] <= 2 else ""


def _distance(one: str, two: str) -> int:
    row = list(range(len(two) + 1))
    for i, a in enumerate(one, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(two, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
    return row[-1]
