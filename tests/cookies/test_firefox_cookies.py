"""Rows of Firefox's database."""

import sqlite3

import pytest

from browse.cookies.firefox_cookies import read_cookies
from browse.cookies.wanted import Wanted

COLUMNS = "host, name, value, path, expiry, isSecure, isHttpOnly, sameSite, lastAccessed"
ALL = f"{COLUMNS}, originAttributes"


def made(*rows: tuple, version: int = 17) -> sqlite3.Connection:
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE TABLE moz_cookies ({ALL})")
    database.execute(f"PRAGMA user_version = {version}")
    database.executemany("INSERT INTO moz_cookies VALUES (?,?,?,?,?,?,?,?,?,?)", rows)
    return database


@pytest.mark.parametrize(("version", "expiry"), [(15, 2_000_000_000), (17, 2_000_000_000_000)])
def test_every_field_is_read(version, expiry):
    row = (".a.example", "a", "é", "/p", expiry, 1, 1, 2, 5_000_000, "")

    (cookie,), refused = read_cookies(made(row, version=version), Wanted())

    assert (cookie.used, refused) == (5, [])
    assert cookie.row() == {
        "name": "a",
        "value": "é",
        "domain": ".a.example",
        "path": "/p",
        "expires": 2e9,
        "secure": True,
        "httpOnly": True,
        "sameSite": "Strict",
    }


@pytest.mark.parametrize(
    ("attributes", "partition", "cross"),
    [
        ("^partitionKey=%28https%2Ct.example%29", "https://t.example", True),
        ("^partitionKey=%28https%2Ct.example%2C8080%29", "https://t.example", True),
        ("^partitionKey=%28https%2Ca.example%29", "https://a.example", False),
    ],
)
def test_partitions_are_spelled_as_chromium_does(attributes, partition, cross):
    row = ("www.a.example", "a", "v", "/", 2e12, 1, 0, 0, 0, attributes)

    (cookie,), _ = read_cookies(made(row), Wanted())

    assert (cookie.partition, cookie.cross_site, cookie.same_site) == (partition, cross, "None")


@pytest.mark.parametrize(
    ("attributes", "why"),
    [
        ("^userContextId=2", "a container of Firefox"),
        ("^privateBrowsingId=1", "a private window"),
        ("^firstPartyDomain=t.example", "by first party"),
    ],
)
def test_what_no_other_browser_can_have_is_told(attributes, why):
    row = ("a.example", "a", "v", "/", 2e12, 0, 0, 256, 0, attributes)
    other = ("b.example", "b", "v", "/", 2e12, 0, 0, 256, 0, attributes)

    cookies, (refused,) = read_cookies(made(row, other), Wanted.of("a.example"))

    assert (cookies, refused.name) == ([], "a")
    assert why in refused.why


def test_a_database_without_cookies():
    with pytest.raises(sqlite3.DatabaseError):
        read_cookies(sqlite3.connect(":memory:"), Wanted())
