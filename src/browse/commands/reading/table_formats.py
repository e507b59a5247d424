"""Rows as Markdown, CSV and JSON, and the names of columns."""

import csv
import io
import itertools
from collections.abc import Sequence
from pathlib import PurePath
from typing import Literal

from browse.core.controls import encode_json

Rows = Sequence[Sequence[str]]
Format = Literal["csv", "json", "markdown"]
# Of files, by the ending of their names; any other ending is CSV.
FORMATS: dict[str, Format] = {".json": "json", ".md": "markdown"}
WIDEST = 40
# So many rows tell how wide columns are: a longer part of a table begins just as a shorter one.
MEASURED = 200


def named(columns: Sequence[str], width: int) -> list[str]:
    """Return a unique name for every column."""
    names: list[str] = []
    for at, name in enumerate(columns or [""] * width, 1):
        given = name or f"column {at}"
        others = (f"{given} ({number})" for number in itertools.count(2))
        names.append(next(it for it in itertools.chain([given], others) if it not in names))
    return names


def as_objects(columns: Sequence[str], rows: Rows) -> list[dict[str, str]]:
    """Return each row with a key per column."""
    return [dict(zip(columns, row, strict=True)) for row in rows]


def in_markdown(columns: Sequence[str], rows: Rows) -> str:
    """Format rows as a Markdown table, aligned up to a width."""
    cells = [[cell.replace("|", "\\|") for cell in row] for row in (columns, *rows)]
    first = cells[: MEASURED + 1]
    wide = [min(WIDEST, max(3, *(len(row[at]) for row in first))) for at in range(len(columns))]
    rule = [width * "-" for width in wide]
    lines = (
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)) + " |"
        for row in (cells[0], rule, *cells[1:])
    )
    return "\n".join(lines)


def in_csv(columns: Sequence[str], rows: Rows) -> str:
    """Format rows as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([columns, *rows])
    return out.getvalue().removesuffix("\n")


def format_of(file: str) -> Format:
    """Return the format of a file by the ending of its name."""
    return FORMATS.get(PurePath(file).suffix.lower(), "csv")


def in_file(format: Format, columns: Sequence[str], rows: Rows) -> str:
    """Return what a file of this format holds."""
    if format == "json":
        return encode_json(as_objects(columns, rows)).decode() + "\n"
    write = in_csv if format == "csv" else in_markdown
    return write(columns, rows) + "\n"
