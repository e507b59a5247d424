"""Read and restore the state of a browser: cookies, storage, tabs.

A page that exists in memory only (`load-html`) is never part of it. Before anything is changed, the
state is tried in a temporary context, to find out whether Chromium accepts all of it.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal

import msgspec
from playwright.async_api import CDPSession

from browse.browser.driver_errors import not_ours, translated
from browse.browser.page import engine_source, scripts
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import BrowseError, Code
from browse.guard.files import Roots
from browse.guard.urls import NavUrl, check_foreign, check_url

VERSION = 1
BLANK = "about:blank"
STORAGE_S = 30.0
ANSWER_S = 5.0
_KEEP = engine_source.expression("standalone/restore_session_storage")
_WORLD = "browse-state"
_FAILED_LOAD = "chrome-error:"
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
    # With the key, the place of a partitioned cookie; the driver's own name for it.
    cross_site: bool | None = msgspec.field(default=None, name="_crHasCrossSiteAncestor")


class SavedTab(msgspec.Struct, rename="camel", omit_defaults=True):
    """A tab: its address, and the session storage of its documents by origin.

    `holders` are the owner's agents whose current tab it is, where that is saved too.
    """

    url: str
    is_active: bool = False
    session_storage: dict[str, dict[str, str]] = {}
    note: str = ""
    holders: list[str] = []


class SavedState(msgspec.Struct, rename="camel"):
    """The saved state. `origins` is localStorage and IndexedDB in the driver's format."""

    version: int
    saved_at: str
    cookies: list[Cookie]
    pages: list[SavedTab]
    origins: list[dict[str, Any]] = []

    def storage(self) -> Any:
        return {"cookies": msgspec.to_builtins(self.cookies), "origins": self.origins}


def admitting(roots: Roots) -> Admit:
    """Return the check of addresses: the web, and files below these folders."""

    async def admit(url: str) -> NavUrl:
        if url.startswith("file:"):
            return check_url(url, cwd="/", roots=roots)
        return await check_foreign(url)

    return admit


async def admit_all(state: SavedState, admit: Admit) -> list[NavUrl | None]:
    """Check the addresses of the tabs, None for a blank one; raise if one is refused."""
    try:
        return [None if page.url == BLANK else await admit(page.url) for page in state.pages]
    except BrowseError as exc:
        raise BrowseError(
            exc.code,
            "A tab of this state leads where no tab may go; nothing was changed.",
            hint="save the state again without that tab",
            page=exc.page or exc.message,
        ) from exc


async def read_state(
    tabs: Tabs,
    chosen: Sequence[Tab],
    current: Tab | None,
    admit: Admit,
    *,
    saved_at: str,
    before: Mapping[int, SavedTab] | None = None,
) -> tuple[SavedState, list[str]]:
    """Read the state of a session with these tabs, and notes on what had to be left out.

    A tab that does not answer is an error, unless `before` tells what was last saved of the tabs:
    then that counts, where it still shows the same page.
    """
    pages = await asyncio.gather(*(_read_tab(tabs, tab, admit, before) for tab in chosen))
    for tab, page in zip(chosen, pages, strict=True):
        page.is_active = tab is current
    rows = zip(chosen, pages, strict=True)
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


async def _read_tab(
    tabs: Tabs, tab: Tab, admit: Admit, before: Mapping[int, SavedTab] | None
) -> SavedTab:
    url, note = tab.url, ""
    if url.startswith(_FAILED_LOAD):
        url = tabs.logs.traffic.destination(tab.page) or BLANK
    kept: dict[str, dict[str, str]] = {}
    try:
        kept, written = await read_session_storage(tab)
        note = "a page in memory is never saved: it will be blank" if written else ""
    except BrowseError as exc:
        if exc.code is Code.TIMEOUT and before is None:
            raise
        note = "its session storage cannot be read and is left out"
        if (last := (before or {}).get(tab.id)) and last.url == url:
            kept, note = last.session_storage, ""
    if url != BLANK:
        try:
            await admit(url)
        except BrowseError:
            url, kept, note = BLANK, {}, "its address cannot be opened again: it will be blank"
    return SavedTab(url, session_storage=kept, note=note)


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


async def put_storage(tabs: Tabs, state: SavedState) -> list[Tab]:
    """Replace all tabs and all storage; return the new tabs, which are blank yet."""
    if tabs.others:
        raise not_ours("replacing all its cookies and tabs")
    fresh = await tabs.replace_all(len(state.pages))
    try:
        with translated("restoring cookies and storage"):
            async with asyncio.timeout(STORAGE_S):
                await tabs.context.set_storage_state(state.storage())
    except TimeoutError:
        raise stuck("restoring took too long; the tabs are blank") from None
    return fresh


async def load_tabs(
    fresh: Sequence[Tab], state: SavedState, urls: Sequence[NavUrl | None]
) -> list[Tab]:
    """Open the addresses of the tabs; return the tabs that did not load."""
    loaded_all = await asyncio.gather(
        *(load_tab(*row) for row in zip(fresh, state.pages, urls, strict=True))
    )
    return [tab for tab, loaded in zip(fresh, loaded_all, strict=True) if not loaded]


async def load_tab(tab: Tab, page: SavedTab, url: NavUrl | None) -> bool:
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
