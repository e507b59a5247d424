"""The login state of single hosts: their cookies and storage, without touching other hosts."""

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from playwright.async_api import CDPSession

from browse.browser.driver_errors import translated
from browse.browser.page import engine_source
from browse.browser.storage.cookies import domain_covers, set_cookies
from browse.browser.storage.host_databases import put_databases
from browse.browser.storage.saved_state import (
    VERSION,
    Cookie,
    SavedState,
    SavedTab,
    read_session_storage,
    read_storage,
    session_storage_back,
)
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.guard.hosts import host_of
from browse.guard.urls import NavUrl

_LOCAL = engine_source.expression("standalone/restore_local_storage")
_WORLD = "browse-login"


async def read_host_state(
    tabs: Tabs, tab: Tab, hosts: Sequence[str], *, saved_at: str
) -> tuple[SavedState, list[str]]:
    """Read what logs in to these hosts, and the address of the tab; and notes on the rest."""
    storage, notes = await read_storage(tabs)
    cookies = msgspec.convert(storage["cookies"], list[Cookie])
    kept = [it for it in cookies if any(domain_covers(it.domain, host) for host in hosts)]
    origins = [it for it in storage["origins"] if host_of(it["origin"]) in hosts]
    origins = [it for it in origins if it.get("localStorage") or it.get("indexedDB")]
    session, _ = await read_session_storage(tab)
    page = SavedTab(tab.url, True, {at: it for at, it in session.items() if host_of(at) in hosts})
    return SavedState(VERSION, saved_at, kept, [page], origins), notes


async def use_host_state(
    tabs: Tabs, tab: Tab, state: SavedState, url: NavUrl
) -> tuple[int | None, int, list[str]]:
    """Set the cookies, and open the address with its storage put back.

    Returns the HTTP status, how many cookies have expired since they were saved, and a note on each
    database that did not come back.
    """
    now = time.time()
    fresh = [it for it in state.cookies if it.expires < 0 or it.expires > now]
    await set_cookies(tab, msgspec.to_builtins(fresh))
    databases = {it["origin"]: it["indexedDB"] for it in state.origins if it.get("indexedDB")}
    notes = await put_databases(tabs, tab, databases)
    session = await tab.protocol()
    local = {it["origin"]: it.get("localStorage", []) for it in state.origins}
    async with (
        _local_storage_back(session, local),
        session_storage_back(session, state.pages[0].session_storage),
    ):
        status = await tab.open(url)
    return status, len(state.cookies) - len(fresh), notes


@asynccontextmanager
async def _local_storage_back(session: CDPSession, items: dict[str, Any]) -> AsyncIterator[None]:
    with translated("restoring local storage"):
        await session.send("Page.enable")
        source = f"({_LOCAL})({msgspec.json.encode(items).decode()})"
        script = await session.send(
            "Page.addScriptToEvaluateOnNewDocument", {"source": source, "worldName": _WORLD}
        )
    try:
        yield
    finally:
        with translated("restoring local storage"):
            await session.send("Page.removeScriptToEvaluateOnNewDocument", script)
