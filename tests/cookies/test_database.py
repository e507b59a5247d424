"""Databases of other browsers: read with their latest changes, untouched, and never left behind."""

import sqlite3
from pathlib import Path

import pytest

from browse.cookies import database
from browse.cookies.database import Column, loaded, select
from browse.core.errors import BrowseError

VALUE = {"value": Column("TEXT"), "more": Column("INTEGER", "7")}


def written(path: Path, mode: str) -> sqlite3.Connection:
    """Make a database that its browser still has open, with a change that is not in the file."""
    made = sqlite3.connect(path, isolation_level=None)
    made.execute(f"PRAGMA journal_mode = {mode}")
    made.execute("CREATE TABLE cookies (value)")
    made.execute("INSERT INTO cookies VALUES ('kept')")
    return made


def values(path: Path) -> list[str]:
    with loaded(path) as found:
        return [row["value"] for row in select(found, "cookies", VALUE)]


@pytest.fixture
def no_copy_left(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "IN_MEMORY", tmp_path / "copies")
    (tmp_path / "copies").mkdir()
    yield
    assert list((tmp_path / "copies").iterdir()) == []


def test_changes_in_the_wal_are_read(tmp_path, no_copy_left):
    open_there = written(tmp_path / "db", "WAL")
    before = (tmp_path / "db").read_bytes(), (tmp_path / "db-wal").read_bytes()

    assert values(tmp_path / "db") == ["kept"]

    assert ((tmp_path / "db").read_bytes(), (tmp_path / "db-wal").read_bytes()) == before
    open_there.close()


def test_a_locked_database_is_read_as_it_was_before_the_unfinished_change(tmp_path, no_copy_left):
    locked = written(tmp_path / "db", "DELETE")
    locked.execute("PRAGMA cache_size = 1")
    locked.execute("BEGIN EXCLUSIVE")
    locked.executemany("INSERT INTO cookies VALUES (?)", [("x" * 900,)] * 200)

    assert values(tmp_path / "db") == ["kept"]

    locked.close()


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\0" + b"x" * 5000])
def test_a_damaged_database(tmp_path, content, no_copy_left):
    (tmp_path / "db").write_bytes(content)

    with pytest.raises(BrowseError) as caught:
        values(tmp_path / "db")

    assert caught.value.facts == {"reason": "db_corrupt"}


def test_a_database_that_is_cut_off(tmp_path, no_copy_left):
    made = written(tmp_path / "db", "DELETE")
    made.execute("BEGIN")
    made.executemany("INSERT INTO cookies VALUES (?)", [("x" * 900,)] * 200)
    made.execute("COMMIT")
    made.close()
    whole = (tmp_path / "db").read_bytes()
    (tmp_path / "db").write_bytes(whole[: len(whole) // 2])

    with pytest.raises(BrowseError, match="is damaged"):
        values(tmp_path / "db")


def test_a_database_that_is_not_there_or_closed_to_us(tmp_path, no_copy_left):
    with pytest.raises(BrowseError, match="No such file") as caught:
        values(tmp_path / "db")

    assert caught.value.facts == {"reason": "db_missing"}


def test_one_that_is_written_to_all_the_time(tmp_path, monkeypatch, no_copy_left):
    written(tmp_path / "db", "DELETE").close()
    states = iter(range(100))
    monkeypatch.setattr(database, "_state", lambda _: [(next(states), 1), (0, 0), (0, 0)])

    with pytest.raises(BrowseError, match="written to all the time") as caught:
        values(tmp_path / "db")

    assert caught.value.facts == {"reason": "db_locked"}


def test_columns_have_the_type_that_they_should(tmp_path):
    made = written(tmp_path / "db", "DELETE")
    made.executemany("INSERT INTO cookies VALUES (?)", [(None,), (5,), (b"\xff",)])
    made.close()

    with loaded(tmp_path / "db") as found:
        rows = list(select(found, "cookies", VALUE))

    assert [row["value"] for row in rows] == ["kept", "", "5", "\udcff"]
    assert {row["more"] for row in rows} == {7}
