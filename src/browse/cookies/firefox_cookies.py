"""Cookies in Firefox's database, where values are not encrypted. Session cookies are not in it."""

import sqlite3
from typing import Any
from urllib.parse import parse_qsl

from browse.browser.storage.cookie_import import RefusedCookie
from browse.browser.storage.stored_cookie import SameSite, StoredCookie
from browse.cookies.database import Column, select
from browse.cookies.wanted import Wanted

# Since this version of the database, `expiry` counts milliseconds.
MILLISECONDS_SINCE = 16
_SAME_SITE: dict[int, SameSite] = {0: "None", 1: "Lax", 2: "Strict"}
_COLUMNS = {
    "host": Column("TEXT"),
    "name": Column("TEXT"),
    "value": Column("TEXT"),
    "path": Column("TEXT"),
    "expiry": Column("INTEGER"),
    "isSecure": Column("INTEGER", "0"),
    "isHttpOnly": Column("INTEGER", "0"),
    "sameSite": Column("INTEGER", "256"),
    "lastAccessed": Column("INTEGER", "0"),
    "originAttributes": Column("TEXT", "''"),
}


def read_cookies(
    database: sqlite3.Connection, wanted: Wanted
) -> tuple[list[StoredCookie], list[RefusedCookie]]:
    """Read the wanted cookies, and list those that no other browser can have."""
    per_second = 1 if _version(database) < MILLISECONDS_SINCE else 1000
    cookies, refused = [], []
    for fields in select(database, "moz_cookies", _COLUMNS):
        if not wanted.includes(fields["host"]):
            continue
        attributes = dict(parse_qsl(fields["originAttributes"].removeprefix("^")))
        if why := _not_ours(attributes):
            refused.append(RefusedCookie(fields["name"], fields["host"], why))
        else:
            cookies.append(_cookie(fields, per_second, attributes.get("partitionKey", "")))
    return cookies, refused


def _version(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def _not_ours(attributes: dict[str, str]) -> str:
    if attributes.get("userContextId", "0") != "0":
        return "it belongs to a container of Firefox"
    if attributes.get("privateBrowsingId", "0") != "0":
        return "it belongs to a private window"
    if attributes.get("firstPartyDomain"):
        return "Firefox isolates it by first party"
    return ""


def _cookie(fields: dict[str, Any], per_second: int, partition: str) -> StoredCookie:
    return StoredCookie(
        name=fields["name"],
        value=fields["value"],
        domain=fields["host"],
        path=fields["path"] or "/",
        expires=fields["expiry"] / per_second,
        secure=bool(fields["isSecure"]),
        http_only=bool(fields["isHttpOnly"]),
        same_site=_SAME_SITE.get(fields["sameSite"], ""),
        partition=_site(partition),
        cross_site=bool(partition) and not _is_of(fields["host"], _site(partition)),
        used=fields["lastAccessed"] / 1_000_000,
    )


def _site(partition: str) -> str:
    """Spell a partition as Chromium does: `(https,a.example)` is `https://a.example`."""
    parts = partition.removeprefix("(").removesuffix(")").split(",")
    return f"{parts[0]}://{parts[1]}" if len(parts) > 1 else ""


def _is_of(host: str, site: str) -> bool:
    top = site.partition("://")[2]
    return f".{host.removeprefix('.')}".endswith(f".{top}")
