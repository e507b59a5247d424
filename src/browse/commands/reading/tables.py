"""`table`: tables of a page, and repeated items such as search results, as rows."""

import csv
import io
import itertools
from collections.abc import Sequence
from typing import Annotated

from msgspec.structs import replace

from browse.browser.page import scripts
from browse.browser.page.shapes import HiddenWords, Table
from browse.core.errors import BrowseError, Code
from browse.core.scopes import ANYWHERE, Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.dispatch.page_reply import visible_reply
from browse.registry.params import Doc, Selector, whole
from browse.registry.results import PageText
from browse.registry.spec import Group, command

Number = Annotated[int, whole(1, 10_000)]
WIDEST = 40
CUT = "(the table has too many cells: the remaining rows are left out)"


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def table(
    ctx: Ctx,
    selector: Selector | None = None,
    *,
    nth: Annotated[Number | None, Doc("Which table, if there are several.")] = None,
    csv: Annotated[bool, Doc("Print CSV. Cells that start with = + - @ are not escaped.")] = False,
) -> PageText:
    """Print a table of the page as rows, or a list of similar items, such as search results.

    A cell that spans several rows or columns is repeated in each. If there are several tables, they
    are listed, and --nth chooses one. With --json, each row is an object with a key per column.

    Examples:
        browse table
        browse table '#prices' --csv
        browse table --nth 2 --json
    """
    place = (await ctx.find(selector, anyway=True)).place if selector else ctx.tab.frame
    found, concealed = await scripts.TABLES.read(place, nth=nth, room=ctx.room if csv else 0)
    if found.chosen:
        return _rows(ctx, found.chosen, concealed, as_csv=csv)
    if not found.total or nth:
        raise _missing(found.total, nth, selector)
    listing = "\n".join(_summary(number, it) for number, it in enumerate(found.all, 1))
    if csv:
        raise BrowseError(
            Code.SEVERAL_MATCH,
            f"There are {found.total} tables and lists; CSV holds one.",
            hint="choose one by its number: browse table --csv --nth 1",
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
        ctx, f"{listing}\n(choose one: browse table --nth 1)", concealed, tables=rows
    )


def _rows(ctx: Ctx, found: Table, concealed: Sequence[HiddenWords], *, as_csv: bool) -> PageText:
    columns = named(found.columns, found.width)
    words = in_csv(columns, found.rows) if as_csv else in_markdown(columns, found.rows)
    rows = [dict(zip(columns, row, strict=True)) for row in found.rows]
    more = {"cut": True} if found.cut else {}
    text = f"{words}\n{CUT}" if found.cut else words
    facts = {"name": found.name, "columns": columns, "rows": rows, **more}
    return replace(visible_reply(ctx, text, concealed, **facts), unread=found.is_part)


def named(columns: Sequence[str], width: int) -> list[str]:
    """Return a unique name for every column."""
    names: list[str] = []
    for at, name in enumerate(columns or [""] * width, 1):
        given = name or f"column {at}"
        others = (f"{given} ({number})" for number in itertools.count(2))
        names.append(next(it for it in itertools.chain([given], others) if it not in names))
    return names


def in_markdown(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Format rows as a Markdown table, aligned up to a width."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (columns, *rows)]
    wide = [min(WIDEST, max(3, *(len(row[at]) for row in cells))) for at in range(len(columns))]
    rule = [width * "-" for width in wide]
    lines = (
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)) + " |"
        for row in (cells[0], rule, *cells[1:])
    )
    return "\n".join(lines)


def in_csv(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Format rows as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([columns, *rows])
    return out.getvalue().removesuffix("\n")


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
