"""The ceiling on a reply: cut at a line, say how much is left and how to get it."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import msgspec

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
    return _page(shown, following, len(text))


def _page(shown: str, following: int, total: int) -> Page:
    left = total - following
    if left <= 0:  # at most the end of the last line was beyond the limit
        return Page(shown, "", None)
    note = (
        f"[{left:,} of {total:,} characters left out: "
        f"add --after {following} for the rest, or --max-chars 0 for all]"
    )
    return Page(shown, note, following)


def cut_by_rank(text: str, ranks: Sequence[int], *, limit: int, after: int) -> Page:
    """Take a page of a text whose lines have ranks, one each: low ranks come on the first pages.

    Within a page the lines stand in their own order, and all pages together are the whole text.
    """
    if not after and (not limit or len(text) <= limit):
        return Page(text, "", None)
    lines = text.split("\n")
    order = sorted(range(len(lines)), key=ranks.__getitem__)
    ends = list(accumulate(len(lines[index]) + 1 for index in order))
    start = bisect_right(ends, after)
    stop = bisect_right(ends, after + limit + 1) if limit else len(ends)
    if stop <= start or after not in (0, *ends[start - 1 : start]):  # a line that does not fit
        return cut("\n".join(lines[index] for index in order), limit=limit, after=after)
    shown = "\n".join(lines[index] for index in sorted(order[start:stop]))
    return _page(shown, ends[stop - 1], len(text))


def trim(data: Mapping[str, Any], *, limit: int, after: int, size: int) -> dict[str, Any]:
    """Shorten the longest text or list in JSON data until it fits, and say which and by how much.

    `size` is the length of the encoded data. `after` counts that field's characters or items. Data
    without a text or a list is facts of our own, which are short: it stays as it is.
    """
    found = [(_weight(value), path, value) for path, value in _heavy(data, ())]
    if not found:
        return dict(data)
    weight, path, value = max(found, key=lambda item: item[0])
    rest = value[after:]
    kept = rest[: _fitting(rest, limit - (size - weight) - NOTE_CHARS)] if limit else rest
    following = after + len(kept)
    note = {"field": ".".join(path), "from": after, "kept": len(kept), "of": len(value)}
    if following < len(value):
        note["next"] = following
    return {**_replace(data, path, kept), "truncated": note}


def _fitting(rest: str | list[Any], spare: int) -> int:
    """Count the characters or items that fit when encoded: at least one, so that paging ends."""
    if isinstance(rest, list):
        used = list(accumulate(_weight(item) + 1 for item in rest[: max(spare, 1)]))
        return max(1, bisect_right(used, spare))
    # A character takes one place or more, so no longer part than `spare` can fit.
    return max(
        1, bisect_right(range(max(spare, 0) + 1), spare, key=lambda n: _weight(rest[:n])) - 1
    )


def _weight(value: Any) -> int:
    return len(msgspec.json.encode(value).decode())


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
