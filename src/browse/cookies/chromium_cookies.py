"""Cookies in the database of a browser that is made of Chromium."""

import sqlite3
from collections.abc import Sequence
from typing import Any

import msgspec

from browse.browser.storage.stored_cookie import SameSite, StoredCookie
from browse.cookies.database import Column, columns, select
from browse.cookies.encryption import decrypted
from browse.cookies.problems import unreadable
from browse.cookies.wanted import Wanted

# The newest form of the database that we know; Chromium says which forms can read another.
KNOWN_VERSION = 24
# Microseconds since 1601, when Windows begins to count.
_EPOCH_US = 11_644_473_600_000_000
_SAME_SITE: dict[int, SameSite] = {0: "None", 1: "Lax", 2: "Strict"}
_COLUMNS = {
    "host_key": Column("TEXT"),
    "name": Column("TEXT"),
    "value": Column("TEXT"),
    "encrypted_value": Column("BLOB"),
    "path": Column("TEXT"),
    "expires_utc": Column("INTEGER"),
    "has_expires": Column("INTEGER", "1"),
    "is_secure": Column("INTEGER", "0"),
    "is_httponly": Column("INTEGER", "0"),
    "last_access_utc": Column("INTEGER", "0"),
    "samesite": Column("INTEGER", "-1"),
    "top_frame_site_key": Column("TEXT", "''"),
    "has_cross_site_ancestor": Column("INTEGER", "1"),
}
_SCHEME_BYTES = 3
_ABOUT_SCHEME = {
    b"v20": "it is bound to the program on Windows (App-Bound Encryption); nobody else can read it",
    b"v12": "its key is with the desktop portal, which gives it to that browser only",
}


class Row(msgspec.Struct, frozen=True):
    """A row of the table, its value still encrypted."""

    fields: dict[str, Any]

    @property
    def domain(self) -> str:
        domain: str = self.fields["host_key"]
        return domain

    @property
    def name(self) -> str:
        name: str = self.fields["name"]
        return name

    @property
    def scheme(self) -> bytes:
        """How the value is encrypted: `v10`, `v11`; empty if it is not."""
        encrypted: bytes = self.fields["encrypted_value"]
        return b"" if self.fields["value"] or not encrypted else encrypted[:_SCHEME_BYTES]

    def has_expired(self, now: float) -> bool:
        return bool(self.fields["has_expires"]) and _seconds(self.fields["expires_utc"]) <= now

    def opened(self, keys: dict[bytes, Sequence[bytes]]) -> StoredCookie | str:
        """Return the cookie, or why it cannot be had; `keys` has those of each scheme."""
        if not self.scheme:
            return self._cookie(self.fields["value"])
        if self.scheme not in keys:
            return _ABOUT_SCHEME.get(self.scheme, "it is encrypted in a way that is not known")
        encrypted = self.fields["encrypted_value"][_SCHEME_BYTES:]
        plain = decrypted(encrypted, self.domain, keys[self.scheme])
        if plain is None:
            return "the key of that browser does not decrypt it"
        return self._cookie(plain.decode("utf-8", "surrogateescape"))

    def _cookie(self, value: str) -> StoredCookie:
        fields = self.fields
        return StoredCookie(
            name=self.name,
            value=value,
            domain=self.domain,
            path=fields["path"] or "/",
            expires=_seconds(fields["expires_utc"]) if fields["has_expires"] else None,
            secure=bool(fields["is_secure"]),
            http_only=bool(fields["is_httponly"]),
            same_site=_SAME_SITE.get(fields["samesite"], ""),
            partition=fields["top_frame_site_key"],
            cross_site=bool(fields["has_cross_site_ancestor"]),
            used=_seconds(fields["last_access_utc"]),
        )


def read_rows(database: sqlite3.Connection, wanted: Wanted) -> list[Row]:
    """Read the wanted rows; raise if the database is newer than we know."""
    if _oldest_reader(database) > KNOWN_VERSION:
        raise unreadable(
            "db_newer",
            "That browser's database of cookies is newer than this version of browse knows.",
            "update browse, or import from a file: `browse help cookie-import`",
        )
    found = map(Row, select(database, "cookies", _COLUMNS))
    return [row for row in found if wanted.includes(row.domain)]


def _oldest_reader(database: sqlite3.Connection) -> int:
    """Return the oldest version that can read this database, by its own word."""
    if not columns(database, "meta"):
        return 0
    query = "SELECT value FROM meta WHERE key = 'last_compatible_version'"
    found = database.execute(query).fetchone()
    return int(found[0]) if found and str(found[0]).isdecimal() else 0


def _seconds(since_1601_us: int) -> float:
    return (since_1601_us - _EPOCH_US) / 1_000_000
