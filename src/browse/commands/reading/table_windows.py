"""Collect a table that keeps only the rows near its window in the page: scroll through it.

Where the table stood before, it stands again afterwards.
"""

import asyncio
from bisect import bisect_left
from contextlib import suppress
from typing import NamedTuple

import msgspec

from browse.browser.actions.settling import watch_effects
from browse.browser.elements.page_changes import listening
from browse.browser.page import scripts
from browse.browser.page.tables import Table, TablePosition
from browse.commands.reading.table_source import TableSource
from browse.core.errors import BrowseError, Code
from browse.core.tasks import spawn
from browse.core.text import counted
from browse.dispatch.context import Ctx

MAX_ROWS = 20_000
MAX_S = 240.0
# How long a table may take to show the rows of the place that it was scrolled to.
ROWS_S = 1.0
# How long a table that was scrolled to its end may take to bring more rows.
MORE_S = 1.0
# How much two measures of one edge may differ, in pixels.
NEAR_PX = 2.0
# A page that has more rows than this, and tells of no others, has them all.
MOST_AT_ONCE = 2_000
# How far back a window may begin, in windows.
FARTHEST_WINDOWS = 4
# How often a window is looked for that joins the one before, where a page shows rows too far below.
MAX_CLOSER = 4
# How long putting it back may take after the command was cancelled.
BACK_S = 5.0


class WholeTable(msgspec.Struct):
    """All rows that were found by scrolling; `problem` says why some are missing, if any."""

    table: Table
    problem: str = ""


class _Collected:
    """Rows in order, each once: by their number, else by what they say and where they stand."""

    def __init__(self) -> None:
        self.lost = 0  # rows that stand between others and did not appear
        self.last_top = self.last_bottom = float("-inf")
        self._numbered: dict[int, list[str]] = {}
        self._rows: list[list[str]] = []
        self._tops: list[float] = []

    def __len__(self) -> int:
        return len(self._numbered) + len(self._rows)

    def gap(self, table: Table) -> int:
        """Count the rows that are missing between those that are known and a window."""
        rows = _in_order(table)
        if not rows or not len(self):
            return 0
        if self._numbered:
            return max(0, rows[0].number - max(self._numbered) - 1)
        if self._joint(rows) is not None:
            return 0
        first = rows[0]
        return max(0, round((first.top - self.last_bottom) / max(first.bottom - first.top, 1.0)))

    def joins(self, table: Table) -> bool:
        """Whether a window begins among the rows that are known, or right after them."""
        rows = _in_order(table)
        if self._numbered or not self._rows:
            return not self.gap(table)
        return not rows or self._joint(rows) is not None

    def add(self, table: Table) -> None:
        """Add the rows of a window."""
        rows = _in_order(table)
        if not len(self) and all(it.number for it in rows):
            self._numbered = {it.number: it.words for it in rows}
        elif self._numbered:
            self.lost += self.gap(table)
            for it in rows:
                # A row that was still empty is told by what it holds later.
                known = self._numbered.get(it.number, it.words)
                self._numbered[it.number] = it.words if any(it.words) else known
        else:
            self._append(rows, self.gap(table))
        for it in rows:
            if it.bottom > self.last_bottom:
                self.last_top, self.last_bottom = it.top, it.bottom

    def in_order(self) -> list[list[str]]:
        """Return the rows from top to bottom."""
        return [self._numbered[number] for number in sorted(self._numbered)] or self._rows

    def _append(self, rows: "list[_Row]", gap: int) -> None:
        at = self._joint(rows) if rows and self._rows else None
        if at is None:
            self.lost += gap
            new = [it for it in rows if it.top > self.last_bottom - NEAR_PX]
        else:
            new = rows[len(self._rows) - at :]
        self._rows += [it.words for it in new]
        self._tops += [it.top for it in new]

    def _joint(self, rows: "list[_Row]") -> int | None:
        """Return which known row a window begins with; None if it joins none.

        Where a row stands is only a hint: it is an estimate of the page, which may change.
        """
        words = [it.words for it in rows]
        near = bisect_left(self._tops, rows[0].top - NEAR_PX)
        first = max(0, len(self._rows) - FARTHEST_WINDOWS * len(rows))
        fits = [
            at
            for at in range(first, len(self._rows))
            if self._rows[at] == words[0]
            and self._rows[at : at + len(words)] == words[: len(self._rows) - at]
        ]
        best = min(fits, key=lambda at: abs(at - near), default=None)
        return None if best is None or abs(best - near) > len(rows) else best


class _Row(NamedTuple):
    """A row of a window: its number if the page tells it, else 0, and its edges."""

    number: int
    top: float
    bottom: float
    words: list[str]


def _in_order(table: Table) -> list[_Row]:
    """Return the rows of a window from top to bottom; those that say nothing only take room."""
    placed = zip(table.places, table.rows, strict=False)
    rows = [_Row(*place, words) for place, words in placed if place[0] or any(words)]
    return sorted(rows, key=lambda it: it.top)


async def collect_windows(ctx: Ctx, source: TableSource) -> WholeTable:
    """Scroll through a table and collect its rows; put it back to where it stood."""
    first = await source.read(placed=True)
    if first is None or first.position is None:
        return WholeTable(first or _gone())
    if not first.total and first.count > MOST_AT_ONCE:
        return WholeTable(first)
    start = first.position
    try:
        return await _collect(ctx, source, first)
    finally:
        back = spawn(_scroll_back(source, start), name="scroll a table back")
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(back), BACK_S)


def _gone() -> Table:
    raise BrowseError(
        Code.NO_MATCH, "The table is not on the page any more.", hint="`browse table` lists them"
    )


async def _scroll_back(source: TableSource, start: TablePosition) -> None:
    with suppress(BrowseError):  # the page has gone elsewhere meanwhile
        await _scroll(source, start.top, start.left)


async def _scroll(source: TableSource, top: float, left: float) -> None:
    place = await source.place()
    await scripts.SCROLL_TABLE(place, nth=source.nth, top=top, left=left)


async def _collect(ctx: Ctx, source: TableSource, first: Table) -> WholeTable:
    found, problem = _Collected(), ""
    try:
        async with asyncio.timeout(MAX_S):
            known = 0 if first.is_about else first.total
            await _scroll_through(ctx, source, found, total=known)
        if len(found) >= MAX_ROWS:
            problem = f"no more than {MAX_ROWS:,} rows are collected"
    except TimeoutError:
        problem = f"scrolling through it took longer than {MAX_S:.0f} s"
    rows = found.in_order()[:MAX_ROWS]
    missing = 0 if first.is_about else first.total - len(rows)
    if found.lost and not problem:
        problem = f"{counted(found.lost, 'row')} in between did not appear"
    elif missing > 0 and not problem:
        problem = f"scrolling has shown no others; {counted(missing, 'row')} may be on other pages"
    whole = msgspec.structs.replace(first, rows=rows, count=len(rows), places=[])
    return WholeTable(whole, problem)


async def _scroll_through(ctx: Ctx, source: TableSource, found: _Collected, *, total: int) -> None:
    """Add the rows of one window after the other, each of which begins in the one before."""
    now = await _window(ctx, source, 0.0)
    while True:
        found.add(now)
        at = now.position
        if len(found) >= (total or MAX_ROWS) or at is None:
            return
        if at.top >= at.most_top - NEAR_PX:
            longer = await _longer(ctx, source, at)
            if longer is None:
                return
            now = longer
            continue
        # The last rows that are known become the first ones that are seen.
        before = at.top
        top = min(max(found.last_top - at.high / 4, before + at.high / 2), at.most_top)
        now = await _window(ctx, source, top)
        for _ in range(MAX_CLOSER):
            if found.joins(now):
                break
            top = (before + top) / 2
            now = await _window(ctx, source, top)
        if now.position is None or now.position.top <= before:
            return  # it does not scroll any further


async def _window(ctx: Ctx, source: TableSource, top: float) -> Table:
    """Scroll to a place and read what is shown there, once it is shown."""
    async with watch_effects(ctx.tab):
        await _scroll(source, top, 0.0)
    now: Table | None = None
    with suppress(TimeoutError):
        async with asyncio.timeout(ROWS_S), listening(ctx.tab) as changes:
            while True:
                await changes.expect_next()
                now = await source.read(placed=True)
                if now is not None and _is_covered(now):
                    return now
                await changes.next()
    return now or _gone()


async def _longer(ctx: Ctx, source: TableSource, end: TablePosition) -> Table | None:
    """Return a table that brings more rows when it has come to its end; None if it does not."""
    with suppress(TimeoutError):
        async with asyncio.timeout(MORE_S), listening(ctx.tab) as changes:
            while True:
                await changes.expect_next()
                now = await source.read(placed=True)
                if now and now.position and now.position.most_top > end.most_top + NEAR_PX:
                    return now
                await changes.next()
    return None


def _is_covered(table: Table) -> bool:
    """Whether there are rows from the upper edge of the window to its lower one."""
    at = table.position
    if at is None or not table.places:
        return False
    top, bottom = min(it[1] for it in table.places), max(it[2] for it in table.places)
    high = (bottom - top) / len(table.places)
    begins = at.top <= NEAR_PX or top <= at.top + 2 * high
    return begins and bottom >= at.top + at.high - 2 * high
