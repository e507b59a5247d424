"""Read and restore the state of a browser: cookies, storage, tabs.

A page that exists in memory only (`load-html`) is never part of it. Before anything is changed, the
state is tried in a temporary context, to find out whether Chromium accepts all of it.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Literal

import msgspec
from playwright.async_api import CDPSession

from browse.auth.caller import Caller
from browse.browser.driver_errors import not_ours, translated
from browse.browser.page import scripts
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import BrowseError, Code
from browse.guard.urls import NavUrl

VERSION = 1
BLANK = "about:blank"
STORAGE_S = 30.0
ANSWER_S = 5.0
_KEEP = scripts.expression("standalone/restore_session_storage")
_WORLD = "browse-state"
# Returns the checked form of an address that a tab may go to, or raises.
Admit = Callable[[str], Awaitable[NavUrl]]


class Cookie(msgspec.Struct, rename="camel", omit_defaults=True):
    """A cookie in the driver's format."""

    name: str
    value: str
    domain: str
    path: str
    expires: float = -1
    http_only: bool = False
    secure: bool = False
    same_site: Literal["Lax", "None", "Strict"] = "Lax"
    partition_key: str | None = None


class SavedTab(msgspec.Struct, rename="camel", omit_defaults=True):
    """A tab: its address, and the session storage of its documents by origin."""

    url: str
    is_active: bool = False
    session_storage: dict[str, dict[str, str]] = {}
    note: str = ""


class SavedState(msgspec.Struct, rename="camel"):
    """The saved state. `origins` is localStorage and IndexedDB in the driver's format."""

    version: int
    saved_at: str
    cookies: list[Cookie]
    pages: list[SavedTab]
    origins: list[dict[str, Any]] = []

    def storage(self) -> Any:
        return {"cookies": msgspec.to_builtins(self.cookies), "origins": self.origins}


async def read_state(
    tabs: Tabs, current: Tab, admit: Admit, *, saved_at: str
) -> tuple[SavedState, list[str]]:
    """Read the state of the browser, and notes on what had to be left out."""
    open_tabs = tabs.all()
    pages = await asyncio.gather(
        *(_read_tab(tab, admit, active=tab is current) for tab in open_tabs)
    )
    rows = zip(open_tabs, pages, strict=True)
    notes = [f"tab {tab.id}: {page.note}" for tab, page in rows if page.note]
    storage, left_out = await read_storage(tabs)
    notes += left_out
    cookies = msgspec.convert(storage["cookies"], list[Cookie])
    return SavedState(VERSION, saved_at, cookies, list(pages), storage["origins"]), notes


async def read_storage(tabs: Tabs) -> tuple[Any, list[str]]:
    """Read cookies, localStorage and IndexedDB, and a note if something had to be left out."""
    try:
        return await _read_storage(tabs, indexed_db=True), []
    except BrowseError as exc:
        if exc.code is Code.TIMEOUT:
            raise
        # Some values, such as keys that cannot be exported, cannot be serialised.
        note = "IndexedDB is left out: it holds values that cannot be saved"
        return await _read_storage(tabs, indexed_db=False), [note]


async def _read_storage(tabs: Tabs, *, indexed_db: bool) -> Any:
    try:
        with translated("reading cookies and storage"):
            async with asyncio.timeout(STORAGE_S):
                return await tabs.context.storage_state(indexed_db=indexed_db)
    except TimeoutError:
        raise stuck("reading cookies and storage took too long; nothing was saved") from None


async def _read_tab(tab: Tab, admit: Admit, *, active: bool) -> SavedTab:
    url, note = tab.url, ""
    kept: dict[str, dict[str, str]] = {}
    try:
        kept, written = await read_session_storage(tab)
        note = "a page in memory is never saved: it will be blank" if written else ""
    except BrowseError as exc:
        if exc.code is Code.TIMEOUT:
            raise
        note = "its session storage cannot be read and is left out"
    if url != BLANK:
        try:
            await admit(url)
        except BrowseError:
            url, kept, note = BLANK, {}, "its address cannot be opened again: it will be blank"
    return SavedTab(url, active, kept, note)


async def read_session_storage(tab: Tab) -> tuple[dict[str, dict[str, str]], bool]:
    """Read the session storage of a tab's documents, and whether its page is in memory only."""
    found: dict[str, dict[str, str]] = {}
    written = False
    try:
        async with asyncio.timeout(ANSWER_S):
            for frame in tab.page.frames:
                kept = await scripts.READ_SESSION_STORAGE(frame)
                written |= kept.written and frame is tab.frame
                if kept.origin and kept.items:
                    found.setdefault(kept.origin, kept.items)
    except TimeoutError:
        raise stuck(f"tab {tab.id} is busy with a script; nothing was saved") from None
    return found, written


async def require_restorable(tabs: Tabs, state: SavedState) -> None:
    """Raise if Chromium does not accept the state, tried in a temporary context."""
    browser = tabs.context.browser
    if browser is None:
        raise RuntimeError("the context has no browser")
    try:
        with translated("trying the saved state"):
            async with asyncio.timeout(STORAGE_S):
                context = await browser.new_context(storage_state=state.storage())
                await context.close()
    except TimeoutError:
        raise stuck("trying the saved state took too long; nothing was changed") from None
    except BrowseError as exc:
        if exc.code in (Code.TAB_CLOSED, Code.BROWSER_GONE):
            raise
        raise BrowseError(
            Code.SAVED_STATE,
            "Chromium refuses a cookie or a storage entry of this state; nothing was changed.",
            hint="the file may have been edited: save the state again",
        ) from None


async def restore_state(
    tabs: Tabs, caller: Caller, state: SavedState, urls: list[NavUrl | None]
) -> list[Tab]:
    """Replace all tabs and all storage; return the tabs that did not load."""
    if tabs.others:
        raise not_ours("replacing all its cookies and tabs")
    fresh = await tabs.replace_all(len(state.pages))
    try:
        with translated("restoring cookies and storage"):
            async with asyncio.timeout(STORAGE_S):
                await tabs.context.set_storage_state(state.storage())
    except TimeoutError:
        raise stuck("restoring took too long; the tabs are blank") from None
    for tab, page in zip(fresh, state.pages, strict=True):
        if page.is_active:
            tabs.switch(caller, tab)
    loaded_all = await asyncio.gather(
        *(_restore_tab(*row) for row in zip(fresh, state.pages, urls, strict=True))
    )
    return [tab for tab, loaded in zip(fresh, loaded_all, strict=True) if not loaded]


async def _restore_tab(tab: Tab, page: SavedTab, url: NavUrl | None) -> bool:
    """Open the tab's address; restore session storage before the page's scripts run."""
    if url is None:
        return True
    try:
        async with session_storage_back(await tab.protocol(), page.session_storage):
            await tab.open(url)
    except BrowseError:
        return False
    return True


@asynccontextmanager
async def session_storage_back(
    session: CDPSession, items: dict[str, dict[str, str]]
) -> AsyncIterator[None]:
    """Put session storage back into the documents that load during the block, by origin."""
    with translated("restoring session storage"):
        await session.send("Page.enable")
        source = f"({_KEEP})({msgspec.json.encode(items).decode()})"
        script = await session.send(
            "Page.addScriptToEvaluateOnNewDocument", {"source": source, "worldName": _WORLD}
        )
    try:
        yield
    finally:
        with translated("restoring session storage"):
            await session.send("Page.removeScriptToEvaluateOnNewDocument", script)


def stuck(what: str) -> BrowseError:
    """Build the error for a page that does not answer."""
    return BrowseError(
        Code.TIMEOUT,
        f"A page does not answer: {what}.",
        hint="find it with `browse tabs`, close it with `browse closetab <id>`, and try again",
    )
