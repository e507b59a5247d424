"""`table`: tables of a page, and repeated items such as search results, as rows."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any

from msgspec.structs import replace

from browse.browser.page.tables import Table, Tables
from browse.commands.reading import table_pages, table_windows
from browse.commands.reading.table_formats import (
    as_objects,
    format_of,
    in_csv,
    in_file,
    in_markdown,
    named,
)
from browse.commands.reading.table_source import TableSource
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.dispatch.page_reply import visible_reply
from browse.guard.credentials import masked
from browse.guard.files import WritePath, write_output
from browse.registry.params import ACTS, Doc, PressedSelector, Selector, WriteFile, whole
from browse.registry.results import PageText, Text
from browse.registry.spec import DEFAULT_DEADLINE_S, ChangedTabs, Group, command
from browse.security.characters import invisible

Number = Annotated[int, whole(1, 10_000)]
PageCount = Annotated[int, whole(1, 1000)]
CUT = "(the table has too many cells: the remaining rows are left out)"
# Pressing, and reading a large page, beside waiting for it.
PER_PAGE_S = 2 * table_pages.PAGE_S + 5.0


def _deadline_s(values: Mapping[str, Any]) -> float:
    pages_s = (values["pages"] or 0) * PER_PAGE_S
    windows_s = 2 * table_windows.MAX_S if values["all"] else 0.0
    return DEFAULT_DEADLINE_S + pages_s + windows_s


def _presses(values: Mapping[str, Any]) -> bool:
    return values["next"] is not None


def _changes(values: Mapping[str, Any]) -> ChangedTabs:
    return ChangedTabs.OWN if values["all"] or _presses(values) else ChangedTabs.NONE


@command(
    group=Group.READING,
    scope=Scope.READ,
    surfaces=ANYWHERE,
    mutates=_presses,
    changes=_changes,
    deadline=_deadline_s,
)
async def table(
    ctx: Ctx,
    selector: Selector | None = None,
    *,
    nth: Annotated[Number | None, Doc("Which table, if there are several.")] = None,
    csv: Annotated[bool, Doc("Print CSV. Cells that start with = + - @ are not escaped.")] = False,
    out: Annotated[
        WriteFile | None,
        Doc("Write all rows to this file: .csv, .json or .md; any other name gets CSV."),
    ] = None,
    all: Annotated[
        bool, ACTS, Doc("Scroll through a table that shows only some of its rows, and collect all.")
    ] = False,
    pages: Annotated[PageCount | None, Doc("Collect up to N pages, with --next.")] = None,
    next: Annotated[
        PressedSelector | None, Doc("What to press for the next page: a selector or a ref.")
    ] = None,
) -> PageText | Text:
    """Print a table of the page as rows, or a list of similar items, such as search results.

    A cell that spans several rows or columns is repeated in each. Boxes are ✓ or ✗, fields are
    what they hold. If there are several tables, they are listed, and --nth chooses one. With
    --json, each row is an object with a key per column.

    --all and --pages act on the page, as `scroll` and `click` do. --pages stops where the next page
    is missing, disabled or the same, and says so.

    Examples:
        browse table
        browse table '#prices' --csv
        browse table --nth 2 --json
        browse table --out prices.csv
        browse table --all --out rows.csv
        browse table '#results' --pages 5 --next 'text=Next'
    """
    _check_flags(all=all, pages=pages, following=next)
    source = TableSource.of(ctx, selector, nth)
    needs_one = bool(csv or out or all or next)
    found = await source.tables(room=0 if out or next else ctx.room_of_data)
    if not found.chosen:
        return _listing(ctx, found, source, selector, needs_one=needs_one)
    chosen, facts, note = await _collected(ctx, source, found.chosen, all, pages, next)
    if out:
        return await _written(ctx, chosen, out, facts, note)
    return _rows(ctx, chosen, source, facts, note, as_csv=csv)


def _check_flags(*, all: bool, pages: int | None, following: str | None) -> None:
    example = "browse table --pages 5 --next 'text=Next'"
    if (pages is None) != (following is None):
        missing = "--pages" if pages is None else "--next"
        raise Usage(f"table: {missing} is missing; the two go together", hint=example)
    if all and pages:
        raise Usage("table: --all and --pages cannot be combined", hint="leave out one of them")


async def _collected(
    ctx: Ctx, source: TableSource, first: Table, all: bool, pages: int | None, following: str | None
) -> tuple[Table, dict[str, Any], str]:
    """Return a table with all rows that were asked for; our facts and a note about them."""
    if pages and following:
        paged = await table_pages.collect_pages(ctx, source, first, following=following, most=pages)
        size = f"{counted(paged.pages, 'page')}, {counted(len(paged.table.rows), 'row')}"
        facts = {"pages": paged.pages, "stopped": paged.stopped, "ended": paged.ended}
        return paged.table, facts, f"({size}; stopped: {paged.stopped})"
    if all and first.kind == "table":
        whole = await table_windows.collect_windows(ctx, source)
        problem = f"; {whole.problem}" if whole.problem else ""
        size = counted(len(whole.table.rows), "row")
        return (
            whole.table,
            {"collected": len(whole.table.rows), "problem": whole.problem},
            f"({size} collected{problem})",
        )
    if all:
        return first, {}, "(this is a list, not a table: --all has nothing to scroll through)"
    return first, *_partial(first)


def _partial(found: Table) -> tuple[dict[str, Any], str]:
    """Say that rows or columns of a table are not in the page, and what brings them."""
    facts: dict[str, Any] = {}
    parts = []
    if found.total:
        about = "about " if found.is_about else ""
        facts["inPage"], facts["total"], facts["estimated"] = (
            found.count, found.total, found.is_about,
        )  # fmt: skip
        how = (
            "--all collects them"
            if found.scrolls
            else "--pages N --next <selector> collects further pages"
        )
        parts.append(f"{found.count:,} of {about}{found.total:,} rows are in the page: {how}")
    if found.all_columns:
        facts["columnsTotal"] = found.all_columns
        parts.append(
            f"{found.width:,} of {found.all_columns:,} columns are in the page: scroll it sideways"
        )
    return facts, f"({'; '.join(parts)})" if parts else ""


async def _written(
    ctx: Ctx, found: Table, out: WritePath, facts: Mapping[str, Any], note: str
) -> Text:
    columns = named(found.columns, found.width)
    words = invisible.visible(in_file(format_of(out.real), columns, found.rows))
    words = words if ctx.reveal else masked(words)
    size = await asyncio.to_thread(write_output, out, words.encode("utf-8", "replace"))
    shape = f"{counted(len(found.rows), 'row')}, {counted(len(columns), 'column')}"
    lines = [f"Table written: {out.real} ({shape}, {size} bytes)"]
    lines += filter(None, [note, CUT if found.cut else ""])
    known = {"path": out.real, "bytes": size, "rows": len(found.rows), "columns": len(columns)}
    return Text("\n".join(lines), {**known, **facts, **({"cut": True} if found.cut else {})})


def _rows(
    ctx: Ctx,
    found: Table,
    source: TableSource,
    facts: Mapping[str, Any],
    note: str,
    *,
    as_csv: bool,
) -> PageText:
    columns = named(found.columns, found.width)
    # Objects are for JSON; the journal looks at how many rows there are.
    rows = as_objects(columns, found.rows) if ctx.json else found.rows
    fields: dict[str, Any] = {"name": found.name, "columns": columns, "rows": rows}
    left = found.count - len(found.rows) if found.is_part else 0
    text = in_csv(columns, found.rows) if as_csv else in_markdown(columns, found.rows)
    if found.cut:
        text, fields["cut"] = f"{text}\n{CUT}", True
    reply = visible_reply(ctx, text, source.hidden, **fields)
    data = {**facts, **reply.data}
    return replace(reply, unread=found.is_part, left=left, note=note, data=data)


def _listing(
    ctx: Ctx, found: Tables, source: TableSource, selector: str | None, *, needs_one: bool
) -> PageText:
    """List the tables there are; raise if that is no answer."""
    if not found.total or source.nth:
        raise _missing(found.total, source.nth, selector)
    listing = "\n".join(_summary(number, it) for number, it in enumerate(found.all, 1))
    if needs_one:
        raise BrowseError(
            Code.SEVERAL_MATCH,
            f"There are {found.total} tables and lists; this takes one of them.",
            hint="choose one by its number: add --nth 1",
            page=listing,
        )
    rows = [
        {
            "nth": number, "kind": it.kind, "name": it.name,
            "rows": it.count, "columns": named(it.columns, it.width),
        }
        for number, it in enumerate(found.all, 1)
    ]  # fmt: skip
    return visible_reply(
        ctx, f"{listing}\n(choose one: browse table --nth 1)", source.hidden, tables=rows
    )


def _summary(number: int, found: Table) -> str:
    name = f' "{found.name}"' if found.name else ""
    columns = ", ".join(named(found.columns, found.width))
    size = f"{counted(found.count, 'row')}, {counted(found.width, 'column')}"
    return f"{number}. {found.kind}{name}: {size} ({columns})"


def _missing(total: int, nth: int | None, selector: str | None) -> BrowseError:
    where = f"{selector[:80]!r}" if selector else "The page"
    has = f"has {counted(total, 'table')}" if total else "has no table and no list of similar items"
    return BrowseError(
        Code.NO_MATCH,
        f"{where} {has}{f'; there is no number {nth}' if nth else ''}.",
        hint="`browse table` lists the tables; `browse text` shows the page's text"
        if total
        else "`browse snapshot` shows the page; a list can be named: browse table '#results'",
    )
