"""Results as a table: a Parquet file, made anew from the lines of JSON whenever a run ends.

The lines, in a file beside it, stay the truth: a run that was killed goes on from them.
"""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from browse.core.errors import Usage
from browse.core.files import replaced
from browse.fleet.extra import fault
from browse.fleet.results import unwritten
from browse.fleet.visit import PageOutcome, PageState

SUFFIX = ".parquet"
# So many lines are in memory at once.
MAX_ROWS, MAX_BYTES = 5_000, 16 * 1024 * 1024
NUMBERS, WORDS = (int, int | None), (str, PageState)
FIELDS = msgspec.structs.fields(PageOutcome)


def lines_of(path: Path) -> Path:
    """Return the file of lines for a table; raise if the table cannot be written."""
    if find_spec("pyarrow") is None:
        raise fault(
            "A Parquet file needs pyarrow, which is not installed.",
            "type `pip install pyarrow` in the environment of browse, or name a .jsonl file",
        )
    lines = path.with_name(f"{path.name}.jsonl")
    if path.exists() and not lines.exists():
        raise Usage(
            f"{path} is there already, without the lines that a run would go on from",
            hint="name another file with --out",
        )
    return lines


def write(lines: Path, path: Path) -> None:
    """Write the table of these lines; the old one stays until the new one is whole."""
    import pyarrow
    from pyarrow import parquet

    kinds = [(it.name, "int64" if it.type in NUMBERS else "string") for it in FIELDS]
    schema = pyarrow.schema([(name, pyarrow.type_for_alias(kind)) for name, kind in kinds])
    try:
        with (
            replaced(path) as file,
            parquet.ParquetWriter(file, schema, compression="zstd") as table,
        ):
            for rows in _some(lines):
                table.write_table(pyarrow.Table.from_pylist(rows, schema))
    except OSError as exc:
        again = f"all of them are in {lines}; free space, and run it again with --resume"
        raise unwritten(exc, again) from exc


def _some(lines: Path) -> Iterator[list[dict[str, Any]]]:
    rows: list[dict[str, Any]] = []
    size = 0
    with lines.open("rb") as file:
        for line in file:
            rows.append(_row(line))
            size += len(line)
            if len(rows) >= MAX_ROWS or size >= MAX_BYTES:
                yield rows
                rows, size = [], 0
    yield rows


def _row(line: bytes) -> dict[str, Any]:
    """Read a line; what may have any form stays JSON."""
    outcome = msgspec.json.decode(line, type=PageOutcome)
    row = {}
    for it in FIELDS:
        value = getattr(outcome, it.name)
        is_plain = value is None or it.type in NUMBERS + WORDS
        row[it.name] = value if is_plain else msgspec.json.encode(value).decode()
    return row
