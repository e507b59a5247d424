"""The ceiling on a reply: cut at a line, say how much is left and how to get it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from browse.core.text import cut_at_line

NOTE_CHARS = 120  # room for the note itself


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a long text: the part to show, our line about the rest ("" when it is whole)."""

    text: str
    note: str
    next: int | None


def cut(text: str, *, limit: int, after: int) -> Page:
    """Take the part of a text that starts at `after` and fits into `limit` characters (0 = all)."""
    rest = text[after:]
    if not limit or len(rest) <= limit:
        return Page(rest, "", None)
    shown = cut_at_line(rest, limit)
    following = after + len(shown) + (rest[len(shown) : len(shown) + 1] == "\n")
    left = len(text) - following
    note = (
        f"[{left:,} of {len(text):,} characters left out: "
        f"add --after {following} for the rest, or --max-chars 0 for all]"
    )
    return Page(shown, note, following)


def trim(data: Mapping[str, Any], *, limit: int, after: int, size: int) -> dict[str, Any]:
    """Shorten the longest text or list in JSON data until it fits, and say which and by how much.

    `size` is the length of the encoded data; encoding again after each cut would cost more than
    being a little under the ceiling. `after` counts that field's characters or items.
    """
    path, value = max(_heavy(data, ()), key=lambda item: _weight(item[1]), default=((), ""))
    rest = value[after:]
    spare = limit - (size - _weight(value)) - NOTE_CHARS if limit else _weight(rest)
    keep = max(1, len(rest) * max(spare, 0) // max(_weight(rest), 1)) if rest else 0
    kept = rest[:keep]
    following = after + len(kept)
    note = {"field": ".".join(path), "from": after, "kept": len(kept), "of": len(value)}
    if following < len(value):
        note["next"] = following
    return {**_replace(data, path, kept), "truncated": note}


def _weight(value: str | list[Any]) -> int:
    return len(value) if isinstance(value, str) else len(repr(value))


def _heavy(data: Any, path: tuple[str, ...]) -> list[tuple[tuple[str, ...], Any]]:
    if isinstance(data, str | list):
        return [(path, data)]
    if isinstance(data, Mapping):
        return [found for key, value in data.items() for found in _heavy(value, (*path, key))]
    return []


def _replace(data: Any, path: tuple[str, ...], value: Any) -> Any:
    if not path:
        return value
    return {**data, path[0]: _replace(data[path[0]], path[1:], value)}
