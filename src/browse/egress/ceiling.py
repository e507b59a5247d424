"""The size limit of a reply: cut at a line, say how much is left and how to get it.

The cursor of a text counts characters. That of a log names an entry, because a log grows while its
pages are read, drops old entries, and changes entries.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import msgspec

from browse.core.text import counted, cut_at_line
from browse.registry.results import ENTRY_SPAN, Entries

NOTE_CHARS = 120  # room for the note itself


class ReplyPage(msgspec.Struct, frozen=True):
    """One page of a long text: the part to show, and our line about the rest ("" if none)."""

    text: str
    note: str
    next: int | None


def cut(text: str, *, limit: int, after: int, unread: bool = False) -> ReplyPage:
    """Return the part of a text that starts at `after` and fits in `limit` characters (0 = all).

    If more of it is `unread`, there is always a next page.
    """
    rest = text[after:]
    if not unread and (not limit or len(rest) <= limit):
        return ReplyPage(rest, "", None)
    shown = cut_at_line(rest, limit) if 0 < limit < len(rest) else rest
    is_line = unread or rest[len(shown) : len(shown) + 1] == "\n"
    following = after + len(shown) + is_line
    if not unread:
        return _page(shown, following, len(text))
    note = f"[more was not read: add --after {following} for the rest, or --max-chars 0 for all]"
    return ReplyPage(shown, note, following)


def _page(
    shown: str, following: int, total: int, cursor: int | None = None, besides: str = ""
) -> ReplyPage:
    left = total - following
    if left <= 0:  # only the last line break was beyond the limit
        return ReplyPage(shown, "", None)
    cursor = following if cursor is None else cursor
    note = (
        f"[{left:,} of {total:,} characters left out: "
        f"add {besides}--after {cursor} for the rest, or --max-chars 0 for all]"
    )
    return ReplyPage(shown, note, cursor)


def cut_log(text: str, entries: Entries, *, limit: int, after: int) -> ReplyPage:
    """Return a page of a log: as many whole entries as fit, else a part of one.

    Following the cursors shows every entry once, even if entries are added or dropped meanwhile.
    The note counts the entries that were dropped before they were shown.
    """
    each, starts = entries.each, _starts(text, entries.numbers)
    begin = _place(entries, starts, len(text), after)
    page = ReplyPage(text[begin:], "", None)
    if limit and len(page.text) > limit:
        following = starts[bisect_right(starts, begin + limit + 1) - 1]
        shown = text[begin : following - 1]
        if following <= begin:  # an entry that does not fit
            shown = cut_at_line(page.text, limit)
            following = begin + len(shown) + (text[begin + len(shown)] == "\n")
        index = bisect_right(starts, following) - 1
        cursor = each[index] * ENTRY_SPAN + following - starts[index]
        besides = f"--last {len(each) - index} " if entries.limited else ""
        page = _page(shown, following, len(text), cursor, besides)
    missed = _missed(entries, after)
    what = "older entries" if missed is True else counted(missed, "entry", plural="entries")
    gone = f"[missing here: {what} that the log has dropped since]" if missed else ""
    return ReplyPage(page.text, "\n".join(filter(None, [gone, page.note])), page.next)


def _starts(text: str, numbers: Sequence[int]) -> list[int]:
    """Return where each entry of a log starts in a text, by the number of each line."""
    ends = accumulate(len(line) + 1 for line in text.split("\n"))
    lines = zip(numbers, [0, *ends], strict=False)  # nothing starts where the last one ends
    first: dict[int, int] = {}
    for number, start in lines:
        first.setdefault(number, start)
    return list(first.values())


def _place(entries: Entries, starts: Sequence[int], end: int, after: int) -> int:
    """Return the position that a cursor points to."""
    if not after:
        return 0
    number, inside = divmod(after, ENTRY_SPAN)
    index = entries.place(after)
    here, *more = [*starts[index : index + 2], end]
    return min(here + inside, more[0]) if more and entries.each[index] == number else here


def _missed(entries: Entries, after: int) -> int | bool:
    """Return how many entries were dropped before they were shown; True: nobody knows how many."""
    missed = max(0, entries.oldest - after // ENTRY_SPAN) if after else 0
    return missed > 0 if entries.newest_first else missed


def cut_by_rank(
    text: str, ranks: Sequence[int], *, limit: int, after: int, more: int = 0
) -> ReplyPage:
    """Return a page of a text whose lines have ranks: low ranks come on the first pages.

    Within a page the lines keep their order, and all pages together are the whole text. If the
    text goes on for `more` lines, which rank below all others, there is always a next page.
    """
    page = _cut_by_rank(text, ranks, limit=limit, after=after)
    if not more:
        return page
    following = len(text) + 1 if page.next is None else page.next
    left = more + text.count("\n") - page.text.count("\n")
    lines = counted(left, "line")
    note = f"[{lines} left out: add --after {following} for the rest, or --max-chars 0 for all]"
    return ReplyPage(page.text, note, following)


def _cut_by_rank(text: str, ranks: Sequence[int], *, limit: int, after: int) -> ReplyPage:
    if not after and (not limit or len(text) <= limit):
        return ReplyPage(text, "", None)
    lines = text.split("\n")
    order = sorted(range(len(lines)), key=ranks.__getitem__)
    ends = list(accumulate(len(lines[index]) + 1 for index in order))
    start = bisect_right(ends, after)
    stop = bisect_right(ends, after + limit + 1) if limit else len(ends)
    if stop <= start or after not in (0, *ends[start - 1 : start]):  # a line that does not fit
        return cut("\n".join(lines[index] for index in order), limit=limit, after=after)
    shown = "\n".join(lines[index] for index in sorted(order[start:stop]))
    return _page(shown, ends[stop - 1], len(text))


def trim(
    data: Mapping[str, Any],
    *,
    limit: int,
    after: int,
    size: int,
    entries: Entries | None = None,
    left: int = 0,
) -> dict[str, Any]:
    """Shorten the longest text or list in JSON data until it fits; say which and by how much.

    `size` is the length of the encoded data. `after` counts that field's characters or items; of a
    log it is a cursor, the same as for its text. So many items are `left` that were not read. Data
    without a text or a list stays as it is: our own facts are short.
    """
    each = entries.each if entries else []
    found = [
        (_weight(value), path, value)
        for path, value in _heavy(data, ())
        if entries is None or (isinstance(value, list) and len(value) == len(each))
    ]
    if not found:
        return dict(data)
    weight, path, value = max(found, key=lambda item: item[0])
    begin = entries.place(after) if entries and after else after
    rest = value[begin:]
    kept = rest[: _fitting(rest, limit - (size - weight) - NOTE_CHARS)] if limit else rest
    following = begin + len(kept)
    total = len(value) + left
    note = {"field": ".".join(path), "from": begin, "kept": len(kept), "of": total}
    if following < total:
        note["next"] = each[following] * ENTRY_SPAN if entries else following
        if entries and entries.limited:
            note["last"] = len(each) - following
    if entries and (missed := _missed(entries, after)):
        note["missing"] = missed
    return {**_replace(data, path, kept), "truncated": note}


def _fitting(rest: str | list[Any], spare: int) -> int:
    """Return how many characters or items fit when encoded: at least one, so that paging ends."""
    if isinstance(rest, list):
        used = list(accumulate(_weight(item) + 1 for item in rest[: max(spare, 1)]))
        return max(1, bisect_right(used, spare))
    # A character takes at least one place, so at most `spare` characters fit.
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
