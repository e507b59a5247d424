"""Collect a table that keeps only the rows near its window in the page: scroll through it.

Where the table stood before, it stands again afterwards.
"""

import asyncio
from contextlib import suppress

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
# How much two measures of one edge may differ, in pixels.
NEAR_PX = 2.0
# How often a window is looked for that joins the one before, where a page shows rows too far below.
MAX_CLOSER = 4
# How long putting it back may take after the command was cancelled.
BACK_S = 5.0


class WholeTable(msgspec.Struct):
    """All rows that were found by scrolling; `problem` says why some are missing, if any."""

    table: Table
    problem: str = ""


class _Collected:
    """Rows by their number, or by where they stand, each once."""

    def __init__(self) -> None:
        self.rows: dict[float, list[str]] = {}
        self.numbered = True
        self.last_top = self.last_bottom = float("-inf")
        self.lost = 0  # rows that stand between others and did not appear

    def gap(self, table: Table) -> int:
        """Count the rows that are missing between those that are known and a window."""
        after = [it for it in table.places if it[1] > self.last_bottom - NEAR_PX]
        if not self.rows or not after:
            return 0
        if self.numbered:
            return max(0, min(it[0] for it in after) - int(max(self.rows)) - 1)
        first = min(after, key=lambda it: it[1])
        return max(0, round((first[1] - self.last_bottom) / max(first[2] - first[1], 1.0)))

    def add(self, table: Table) -> None:
        """Add the rows of a window."""
        if not self.rows:
            self.numbered = all(number for number, _, _ in table.places)
        self.lost += self.gap(table)
        placed = zip(table.rows, table.places, strict=False)
        for row, (number, top, bottom) in sorted(placed, key=lambda it: it[1][1]):
            if self.numbered and number:
                # A row that was still empty is told by what it holds later.
                self.rows[number] = row if any(row) else self.rows.get(number, row)
            elif not self.numbered and any(row) and top > self.last_bottom - NEAR_PX:
                self.rows[top] = row
            if bottom > self.last_bottom:
                self.last_top, self.last_bottom = top, bottom

    def in_order(self) -> list[list[str]]:
        """Return the rows from top to bottom."""
        return [self.rows[place] for place in sorted(self.rows)]


async def collect_windows(ctx: Ctx, source: TableSource) -> WholeTable:
    """Scroll through a table and collect its rows; put it back to where it stood."""
    first = await source.read(placed=True)
    if first is None or first.position is None:
        return WholeTable(first or _gone())
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
            await _scroll_through(ctx, source, found)
        if len(found.rows) >= MAX_ROWS:
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


async def _scroll_through(ctx: Ctx, source: TableSource, found: _Collected) -> None:
    """Add the rows of one window after the other, each of which begins in the one before."""
    now = await _window(ctx, source, 0.0)
    while True:
        found.add(now)
        at = now.position
        if len(found.rows) >= MAX_ROWS or at is None or at.top >= at.most_top - NEAR_PX:
            return
        # The last row that is known becomes the first one that is seen.
        further = found.last_top if found.last_top > at.top + NEAR_PX else at.top + at.high / 2
        before, top = at.top, min(further, at.most_top)
        now = await _window(ctx, source, top)
        for _ in range(MAX_CLOSER):
            if not found.gap(now):
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


def _is_covered(table: Table) -> bool:
    """Whether there are rows from the upper edge of the window to its lower one."""
    at = table.position
    if at is None or not table.places:
        return False
    top, bottom = min(it[1] for it in table.places), max(it[2] for it in table.places)
    high = (bottom - top) / len(table.places)
    begins = at.top <= NEAR_PX or top <= at.top + 2 * high
    return begins and bottom >= at.top + at.high - 2 * high
