"""The report on hidden text: our line, and a few quotes of it."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from browse.core.text import counted
from browse.registry.results import PageText, from_page
from browse.security.blocks import Block

MOST_QUOTES = 5
QUOTE_CHARS = 80
MOST_TOLD = 20
TOLD_CHARS = 500


def warning(result: PageText) -> str:
    """Return a line with how many blocks are hidden and why; "" if none is suspicious."""
    alarming = _alarming(result)
    if not alarming:
        return ""
    total = len(alarming)
    count = f"{counted(total, 'block')} that a person cannot see"
    whys = ", ".join(f"{why} ({n})" for why, n in Counter(it.why for it in alarming).most_common())
    verb, them = ("was", "it") if total == 1 else ("were", "them")
    if result.keeps_hidden:
        return f"⚠ hidden content: {count}: {whys}; `browse text` leaves {them} out"
    return (
        f"⚠ hidden content: {count} {verb} left out: {whys}; see {them} with `browse text --hidden`"
    )


def quotes(result: PageText) -> str:
    """Quote the first blocks, shortened, a line each."""
    lines = [f"- {it.why}: {_short(it.text)}" for it in _alarming(result) if it.text]
    return "\n".join(list(dict.fromkeys(lines))[:MOST_QUOTES])


def as_data(result: PageText) -> list[dict[str, Any]]:
    """Return the hidden blocks as data."""
    return [
        {
            "why": it.why,
            "place": it.place.value,
            **({"foreign": True} if it.foreign else {}),
            **({"byUsers": True} if it.by_users else {}),
            **from_page(text=it.text[:TOLD_CHARS]),
        }
        for it in _alarming(result)[:MOST_TOLD]
    ]


def _alarming(result: PageText) -> Sequence[Block]:
    return [it for it in result.hidden if it.alarming]


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= QUOTE_CHARS else line[: QUOTE_CHARS - 1] + "…"
