"""The one way in for cookies from elsewhere: set them, see which were kept, confine scripts.

Chromium refuses a whole list for one bad cookie, and drops others without a word, so the list is
halved until the bad ones are found, and read back.
"""

import time
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from playwright.async_api import BrowserContext

from browse.browser.driver_errors import translated
from browse.browser.storage.cookies import ImportedDomains, read_cookies
from browse.browser.storage.stored_cookie import StoredCookie
from browse.core.errors import BrowseError, Code

AT_ONCE = 2_000
_LOST = (Code.BROWSER_GONE, Code.TAB_CLOSED, Code.TIMEOUT)
_REFUSED = "Chromium refused it"
_DROPPED = "Chromium did not keep it: it keeps some 180 cookies of a site and 3,300 in all"
_REPEATED = "a later cookie has the same name, domain and path"


class RefusedCookie(msgspec.Struct, frozen=True):
    """A cookie that was not imported, and why."""

    name: str
    domain: str
    why: str


class ImportResult(msgspec.Struct, frozen=True):
    """What was imported, and what was not."""

    kept: Sequence[StoredCookie]
    refused: Sequence[RefusedCookie]


async def import_cookies(
    context: BrowserContext, imported: ImportedDomains, cookies: Iterable[StoredCookie]
) -> ImportResult:
    """Set cookies, those that were used last at the end; scripts are confined before the first."""
    now = time.time()
    unique: dict[tuple[str, str, str, str], StoredCookie] = {}
    refused: list[RefusedCookie] = []
    for cookie in sorted(cookies, key=lambda it: it.used):
        if why := cookie.why_unfit(now):
            refused.append(refusal(cookie, why))
            continue
        if before := unique.pop(cookie.key, None):
            refused.append(refusal(before, _REPEATED))
        unique[cookie.key] = cookie
    fit = list(unique.values())
    added = imported.add(cookie.host for cookie in fit)
    bad: list[StoredCookie] = []
    for at in range(0, len(fit), AT_ONCE):
        bad += await _set(context, fit[at : at + AT_ONCE])
    there = _Kept(await read_cookies(context)) if fit else _Kept([])
    refused += [refusal(cookie, _REFUSED) for cookie in bad]
    kept = []
    for cookie in fit:
        if there.has(cookie):
            kept.append(cookie)
        elif cookie not in bad:
            refused.append(refusal(cookie, _DROPPED))
    imported.remove(added - {cookie.host for cookie in kept})
    return ImportResult(kept, refused)


def refusal(cookie: StoredCookie, why: str) -> RefusedCookie:
    """Say why a cookie was not imported."""
    return RefusedCookie(cookie.name, cookie.domain, why)


async def _set(context: BrowserContext, cookies: Sequence[StoredCookie]) -> list[StoredCookie]:
    """Set cookies and return those that Chromium refuses; it sets none of a list with a bad one."""
    rows: list[Any] = [cookie.row() for cookie in cookies]
    try:
        with translated("setting the cookies"):
            await context.add_cookies(rows)
    except BrowseError as exc:
        if exc.code in _LOST:
            raise
        if len(cookies) == 1:
            return list(cookies)
        half = len(cookies) // 2
        return [*await _set(context, cookies[:half]), *await _set(context, cookies[half:])]
    return []


class _Kept:
    """The cookies that the browser has."""

    def __init__(self, rows: Sequence[Any]) -> None:
        self._sites: dict[tuple[str, str, str, str], list[str]] = {}
        for row in rows:
            key = (row["name"], row["value"], row["domain"], row["path"])
            self._sites.setdefault(key, []).append(row.get("partitionKey") or "")

    def has(self, cookie: StoredCookie) -> bool:
        sites = self._sites.get((cookie.name, cookie.value, cookie.domain, cookie.path), ())
        return any(_same_site(cookie.partition, site) for site in sites)


def _same_site(partition: str, site: str) -> bool:
    """Compare partitions: Chromium shortens `https://a.b.example` to its site."""
    scheme, _, host = site.partition("://")
    return partition == site or (
        bool(host) and partition.startswith(f"{scheme}://") and partition.endswith(f".{host}")
    )
