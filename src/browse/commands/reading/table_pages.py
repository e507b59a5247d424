"""Collect a table that is spread over pages: press what leads to the next one, and read again."""

import asyncio
from contextlib import suppress

import msgspec

from browse.browser.actions.click_and_fill import click
from browse.browser.actions.effects import ActionEffects
from browse.browser.actions.settling import watch_effects
from browse.browser.elements.page_changes import listening
from browse.browser.page.tables import Table
from browse.browser.tabs.not_yours import refuse_internal
from browse.commands.reading.table_source import LastingTarget, TableSource
from browse.core.errors import BrowseError, Code
from browse.dispatch.context import Ctx

# How long the next page may take to come.
PAGE_S = 20.0
# How long a page that asks nobody may leave the table as it is, after it has shown a first sign.
STILL_S = 1.0
# What the word for the next page may be, on the first page, without being wrong.
NO_NEXT = (Code.NO_MATCH, Code.NOT_ACTIONABLE, Code.REF_STALE)


class PagedTable(msgspec.Struct):
    """The rows of several pages, how many pages that are, and why there are no more."""

    table: Table
    pages: int
    stopped: str
    ended: bool  # because there are no more pages, as far as can be seen


class _Turn(msgspec.Struct):
    """What pressing for the next page has led to."""

    table: Table | None = None
    stopped: str = ""
    ended: bool = False


async def collect_pages(
    ctx: Ctx, source: TableSource, first: Table, *, following: str, most: int
) -> PagedTable:
    """Collect up to so many pages; the first was read already."""
    target = LastingTarget(ctx, following)
    rows, last = list(first.rows), first
    seen = {_print(first)}
    pages, turn = 1, _Turn()
    while pages < most:
        turn = await _turn(ctx, source, target, last, is_first=pages == 1)
        now = turn.table
        if now is None:
            break
        if problem := _is_other(first, now) or _is_repeated(seen, now):
            turn = _Turn(stopped=problem, ended=True)
            break
        # A page that loads more below what it has shows the rows so far again.
        grown = now.rows[: len(last.rows)] == last.rows
        rows += now.rows[len(last.rows) :] if grown else now.rows
        last = now
        pages += 1
    whole = msgspec.structs.replace(first, rows=rows, cut=first.cut or last.cut, total=0)
    stopped = turn.stopped or f"--pages {most} was reached; there may be more"
    return PagedTable(whole, pages, stopped, turn.ended)


async def _turn(
    ctx: Ctx, source: TableSource, target: LastingTarget, last: Table, *, is_first: bool
) -> _Turn:
    """Go to the next page and read its table; or say why there is none."""
    doc, url = ctx.tab.refs.doc, ctx.tab.url
    try:
        await target.find()
        seen = await _press(ctx, target.word)
    except BrowseError as exc:
        if ctx.tab.closed or (is_first and exc.code not in NO_NEXT):
            raise
        return _Turn(stopped=exc.message.rstrip("."), ended=exc.code in NO_NEXT)
    finally:
        ctx.effects = None
    if ctx.tab.closed:
        raise BrowseError(
            Code.TAB_CLOSED,
            f"Pressing {target.word} has closed the tab.",
            hint="`browse tabs` lists those that are open",
        )
    refuse_internal(ctx.tab.url)

    now = await _other_table(ctx, source, last)
    if now is not None and now.rows != last.rows:
        return _Turn(now)
    same = (doc, url) == (ctx.tab.refs.doc, ctx.tab.url)
    return _unchanged(seen, target.word, is_same_page=same)


def _unchanged(seen: ActionEffects, word: str, *, is_same_page: bool) -> _Turn:
    if seen.pending:
        return _Turn(stopped=f"the next page has not come within {PAGE_S:.0f} s")
    if seen.popups or seen.downloads:
        what = "opened another tab" if seen.popups else "started a download"
        return _Turn(stopped=f"pressing {word} {what}")
    if is_same_page:
        return _Turn(stopped=f"pressing {word} changed nothing in the table", ended=True)
    return _Turn(stopped="the next page has no such table, or the same rows", ended=True)


async def _press(ctx: Ctx, word: str) -> ActionEffects:
    """Press an element, and wait until what that started has shown itself."""
    async with watch_effects(ctx.tab, finds_first=True, limit_s=PAGE_S) as seen:
        ctx.effects = seen
        found = await ctx.find(word, use="press")
        await click(
            ctx.tab, word, found, button="left", double=False, held="", patience=ctx.patience,
            seen=seen,
        )  # fmt: skip
    return seen


async def _other_table(ctx: Ctx, source: TableSource, last: Table) -> Table | None:
    """Read the table as soon as it is another one; return what there is when the page is still.

    One that is empty, or has a single row where there were more, may be on its way.
    """
    usual = min(2, len(last.rows))
    clock = asyncio.get_running_loop().time
    now: Table | None = None
    with suppress(TimeoutError):
        async with asyncio.timeout(PAGE_S), listening(ctx.tab) as changes:
            since = clock()
            while True:
                await changes.expect_next()
                now = await source.read()
                if now is not None and len(now.rows) >= usual and now.rows != last.rows:
                    return now
                waits = ctx.patience.is_busy()
                since = clock() if waits else since
                left_s = since + STILL_S - clock()
                if left_s <= 0:
                    return now
                await changes.next(None if waits else left_s)
    return now


def _is_other(first: Table, now: Table) -> str:
    if now.width == first.width and now.columns == first.columns:
        return ""
    return "the next page has a table with other columns"


def _is_repeated(seen: set[int], now: Table) -> str:
    """Remember a page; say so if it was read already, as where the last one leads to the first."""
    if _print(now) in seen:
        return "the next page is one that was read already"
    seen.add(_print(now))
    return ""


def _print(table: Table) -> int:
    return hash(tuple(map(tuple, table.rows)))
