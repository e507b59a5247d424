"""Read another browser's SQLite database while that browser runs, without touching it.

The files are copied to a private folder, in memory where the system has such a place, loaded into
memory from there, and the copy is removed at once.
"""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import msgspec

from browse.cookies.problems import unreadable
from browse.core.errors import BrowseError
from browse.core.paths import temp_folder

MAX_BYTES = 256 * 1024 * 1024
TRIES = 5
IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a private folder is made in it
# Changes that are not in the file yet, and those that are to be taken back.
BESIDE = ("", "-wal", "-journal")
_EMPTY = {"TEXT": "''", "INTEGER": "0", "BLOB": "x''"}


@contextmanager
def loaded(path: Path) -> Iterator[sqlite3.Connection]:
    """Load a database with its latest changes into memory; raise if it cannot be read."""
    memory = sqlite3.connect(":memory:")
    memory.text_factory = _text
    try:
        try:
            _load(path, memory)
            yield memory
        except sqlite3.DatabaseError as exc:
            raise _corrupt(path) from exc
    finally:
        memory.close()


class Column(msgspec.Struct, frozen=True):
    """A column: its type, and what stands for it where it is missing; "" if it may not be."""

    kind: Literal["TEXT", "INTEGER", "BLOB"]
    otherwise: str = ""


def columns(database: sqlite3.Connection, table: str) -> set[str]:
    """List the columns of a table; none if it is not there."""
    rows = database.execute("SELECT name FROM pragma_table_info(?)", (table,))
    return {name for (name,) in rows}


def select(
    database: sqlite3.Connection, table: str, wanted: Mapping[str, Column]
) -> Iterator[dict[str, Any]]:
    """Read columns of a table, each as the type that it should have; raise if one is missing."""
    there = columns(database, table)
    if missing := [name for name, it in wanted.items() if name not in there and not it.otherwise]:
        raise sqlite3.DatabaseError(f"no column {missing[0]}")
    read = ", ".join(_expression(name, it, there) for name, it in wanted.items())
    for row in database.execute(f"SELECT {read} FROM {table}"):  # noqa: S608 - our own words
        yield dict(zip(wanted, row, strict=True))


def _expression(name: str, column: Column, there: Container[str]) -> str:
    empty = column.otherwise or _EMPTY[column.kind]
    return f"coalesce(CAST({name} AS {column.kind}), {empty})" if name in there else empty


def _load(path: Path, memory: sqlite3.Connection) -> None:
    roomy = IN_MEMORY.is_dir() and os.access(IN_MEMORY, os.W_OK)
    folder = Path(tempfile.mkdtemp(prefix="browse-", dir=IN_MEMORY if roomy else temp_folder()))
    try:
        _copy(path, folder)
        copy = sqlite3.connect(folder / path.name)
        try:
            copy.execute("PRAGMA journal_mode = DELETE")  # with all changes in the one file
            copy.backup(memory)
        finally:
            copy.close()
    except OSError as exc:
        raise _unreadable(path, exc) from exc
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if memory.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise _corrupt(path)


def _copy(path: Path, folder: Path) -> None:
    """Copy the files of a database, again if they were written to meanwhile."""
    for _ in range(TRIES):
        before = _state(path)
        if sum(size for _, size in before if size) > MAX_BYTES:
            raise _corrupt(path)
        for end, (_, size) in zip(BESIDE, before, strict=True):
            copy = folder / f"{path.name}{end}"
            copy.unlink(missing_ok=True)
            if size:
                shutil.copyfile(f"{path}{end}", copy)
                copy.chmod(0o600)
        if _state(path) == before:
            return
    raise unreadable(
        "db_locked",
        f"{path} is being written to all the time.",
        "wait a moment and try again, or close that browser",
    )


def _state(path: Path) -> list[tuple[int, int]]:
    """Return when each file was written last, and its size; 0 for one that is not there."""
    found = []
    for end in BESIDE:
        try:
            about = Path(f"{path}{end}").stat()
        except FileNotFoundError:
            if not end:
                raise
            found.append((0, 0))
        else:
            found.append((about.st_mtime_ns, about.st_size))
    return found


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _unreadable(path: Path, exc: OSError) -> BrowseError:
    reason = os.strerror(exc.errno) if exc.errno else str(exc)
    hint = "on macOS, allow your terminal access to other programs' data in the system settings"
    return unreadable("db_missing", f"{path} cannot be read: {reason}.", f"look at it; {hint}")


def _corrupt(path: Path) -> BrowseError:
    return unreadable(
        "db_corrupt",
        f"{path} is damaged, or is no database of cookies.",
        "start that browser once, so that it repairs it, or import from a file: "
        "`browse help cookie-import`",
    )
