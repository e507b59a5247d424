"""Put the databases (IndexedDB) of single origins back, while other origins stay as they are.

The driver can only replace those of all origins at once. So each is written from a blank document
of its origin, which we serve ourselves: no request leaves, and no script of the site runs.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from playwright.async_api import Page, Route

from browse.browser.driver_errors import translated
from browse.browser.page.engine_source import expression
from browse.browser.storage.saved_state import STORAGE_S
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import BrowseError, Code

_RESTORE = expression("standalone/restore_databases")
_BLANK = "<!doctype html><title>browse</title>"
Origins = Mapping[str, Sequence[dict[str, Any]]]
REASONS = {
    "in use": "another tab of that site has it open; close it and try again",
    "newer": "the site has a newer version of it by now",
}
FAILED = "Chromium refused it, or what is there has another form"


class Restored(msgspec.Struct):
    """A database, and what stood in the way of putting it back."""

    name: str
    why: str


async def put_databases(tabs: Tabs, beside: Tab, saved: Origins) -> list[str]:
    """Put databases back, by origin; return a note on each that was left as it is."""
    notes: list[str] = []
    if not saved:
        return notes
    async with tabs.aside(beside) as tab:
        await (await tab.protocol()).send("Network.setBypassServiceWorker", {"bypass": True})
        for origin, databases in saved.items():
            notes += await _put(tab.page, origin, databases)
    return notes


async def _put(page: Page, origin: str, databases: Sequence[dict[str, Any]]) -> list[str]:
    try:
        with translated("putting databases back"):
            async with asyncio.timeout(STORAGE_S):
                await page.route("**/*", _serve_blank)
                await page.goto(origin)
                answer = await page.evaluate(_RESTORE, databases)
    except (TimeoutError, BrowseError) as exc:
        if isinstance(exc, BrowseError) and exc.code in (Code.TAB_CLOSED, Code.BROWSER_GONE):
            raise
        return [f"the databases of {origin} were not put back: Chromium did not answer"]
    rows = msgspec.convert(answer, list[Restored])
    return [
        f"a database of {origin} was not put back: {REASONS.get(row.why, FAILED)}"
        for row in rows
        if row.why
    ]


async def _serve_blank(route: Route) -> None:
    await route.fulfill(body=_BLANK, content_type="text/html")
