"""Rows of Chromium's database, of several versions of it."""

import sqlite3

import pytest

from browse.cookies.chromium_cookies import read_rows
from browse.cookies.encryption import derived
from browse.cookies.wanted import Wanted
from browse.core.errors import BrowseError
from support.chromium_values import HASH, HOST, IN_2033, OLD, encrypted

KEYS = {b"v10": [derived(b"peanuts", "linux")], b"v11": ()}
NEW = f"{OLD}, has_expires, last_access_utc, top_frame_site_key, has_cross_site_ancestor"


def made(columns: str, *rows: tuple, version: int = 24) -> sqlite3.Connection:
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE TABLE cookies ({columns})")
    database.execute("CREATE TABLE meta (key, value)")
    database.execute("INSERT INTO meta VALUES ('last_compatible_version', ?)", (str(version),))
    for row in rows:
        database.execute(f"INSERT INTO cookies VALUES ({','.join('?' * len(row))})", row)
    return database


def test_every_field_is_read():
    value = b"v10" + encrypted(HASH + "é".encode())
    row = (HOST, "a", "", value, "/p", IN_2033, 1, 1, 2, 1, IN_2033, "https://t.example", 1)

    (found,) = read_rows(made(NEW, row), Wanted())
    cookie = found.opened(KEYS)

    assert not isinstance(cookie, str)
    assert (cookie.value, cookie.used) == ("é", 2e9)
    assert cookie.row() == {
        "name": "a",
        "value": "é",
        "domain": HOST,
        "path": "/p",
        "expires": 2e9,
        "secure": True,
        "httpOnly": True,
        "sameSite": "Strict",
        "partitionKey": "https://t.example",
        "_crHasCrossSiteAncestor": True,
    }
    assert found.has_expired(2e9)
    assert not found.has_expired(2e9 - 1)


def test_an_old_database_has_neither_partitions_nor_the_hash():
    row = (HOST, "a", "", b"v10" + encrypted(b"x" * 40), "/", IN_2033, 0, 0, -1)

    (found,) = read_rows(made(OLD, row, version=12), Wanted())
    cookie = found.opened(KEYS)

    assert not isinstance(cookie, str)
    assert (cookie.value, cookie.partition, cookie.same_site) == ("x" * 40, "", "")


@pytest.mark.parametrize(
    ("value", "encrypted_value", "expected"),
    [
        ("plain", b"", "plain"),
        ("", b"", ""),
        ("", b"v20abc", "App-Bound"),
        ("", b"v12abc", "desktop portal"),
        ("", b"???", "not known"),
        ("", b"v10" + encrypted(HASH, derived(b"other", "linux")), "does not decrypt it"),
        ("", b"v11" + encrypted(HASH), "does not decrypt it"),
        ("", b"v10", "does not decrypt it"),
    ],
)
def test_how_a_value_is_kept(value, encrypted_value, expected):
    row = (HOST, "a", value, encrypted_value, "/", IN_2033, 0, 0, -1)

    (found,) = read_rows(made(OLD, row), Wanted())
    cookie = found.opened(KEYS)

    assert expected in (cookie if isinstance(cookie, str) else cookie.value)


def test_only_what_is_wanted_is_read():
    rows = [(host, "a", "v", b"", "/", 0, 0, 0, 0) for host in (HOST, "b.example")]

    assert [it.domain for it in read_rows(made(OLD, *rows), Wanted.of("a.example"))] == [HOST]


def test_a_newer_database_is_refused():
    with pytest.raises(BrowseError, match="newer than this version") as caught:
        read_rows(made(NEW, version=25), Wanted())

    assert caught.value.facts == {"reason": "db_newer"}


def test_a_database_without_cookies():
    with pytest.raises(sqlite3.DatabaseError):
        read_rows(sqlite3.connect(":memory:"), Wanted())
