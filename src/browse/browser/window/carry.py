"""Carry a session from one Chromium into another: its storage, its pages, what was typed there.

Nothing of it touches the disk on the way: what was typed may be secret.
"""

import asyncio
from collections import Counter
from typing import Any

import msgspec
from playwright.async_api import BrowserContext, Frame, Page
from playwright.async_api import Error as DriverError

from browse.browser.driver_errors import translated
from browse.browser.elements.page_changes import while_restless
from browse.browser.network.request_rules import RequestRules
from browse.browser.page import scripts
from browse.browser.page.typed import TypedState
from browse.browser.storage import saved_state
from browse.browser.storage.saved_state import BLANK, STORAGE_S
from browse.browser.tabs import activation
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import PreparedPage, Tabs
from browse.browser.tabs.written_pages import MARKUP
from browse.core.errors import BrowseError

READ_S = 5.0
REFILL_MS = 5_000
FAILED_LOAD = "chrome-error:"
# Addresses that a new page can be sent to.
REOPENED = ("http:", "https:", "file:", "data:")
Place = tuple[str, int]  # an address, and the how manieth frame with it


class CarriedTab(msgspec.Struct):
    """What a tab showed: its address or markup, and what its documents had beyond that."""

    url: str
    markup: str | None = None
    session_storage: dict[str, dict[str, str]] = msgspec.field(default_factory=dict)
    typed: dict[Place, TypedState] = msgspec.field(default_factory=dict)
    notes: list[str] = msgspec.field(default_factory=list)


class CarriedSession(msgspec.Struct):
    """The storage of a browser context, and its tabs."""

    storage: Any
    tabs: dict[Tab, CarriedTab]
    notes: list[str]

    @property
    def is_blank(self) -> bool:
        """Whether nothing was done in it yet."""
        blank = all(it.url == BLANK and it.markup is None for it in self.tabs.values())
        return blank and not self.storage["cookies"] and not self.storage["origins"]


async def read(tabs: Tabs, welcome_url: str = "") -> CarriedSession:
    """Read all of a session; raise if a page does not answer. Our welcome page counts as blank."""
    carried = await asyncio.gather(*(_read_tab(tabs, tab) for tab in tabs.all()))
    for it in carried:
        if it.url == welcome_url:
            it.url = BLANK
    storage, notes = await saved_state.read_storage(tabs)
    return CarriedSession(storage, dict(zip(tabs.all(), carried, strict=True)), notes)


async def _read_tab(tabs: Tabs, tab: Tab) -> CarriedTab:
    url = tab.url
    if url.startswith(FAILED_LOAD):
        url = tabs.logs.traffic.destination(tab.page) or BLANK
    if tab.crashed:
        return CarriedTab(url, notes=["its page had crashed"])
    try:
        async with asyncio.timeout(READ_S):
            kept, written = await saved_state.read_session_storage(tab)
            carried = CarriedTab(url, MARKUP.get(tab.page) if written else None, kept)
            for place, frame in _places(tab.page):
                carried.typed[place] = await scripts.READ_TYPED(frame)
    except TimeoutError:
        busy = f"tab {tab.id} is busy with a script; nothing was changed"
        raise saved_state.stuck(busy) from None
    if url != BLANK and not url.startswith(REOPENED):
        carried.notes.append("its address cannot be opened again: it is blank now")
        carried.url = BLANK
    if sum(typed.files for typed in carried.typed.values()):
        carried.notes.append("the files that were chosen there must be chosen again")
    return carried


def _places(page: Page) -> list[tuple[Place, Frame]]:
    """Name the frames of a page, so that they are found again after it was loaded again."""
    seen: Counter[str] = Counter()
    found = []
    for frame in page.frames:
        found.append(((frame.url, seen[frame.url]), frame))
        seen[frame.url] += 1
    return found


async def fill(context: BrowserContext, session: CarriedSession, *, add: bool) -> None:
    """Put storage into a browser context; `add`: keep what is there already."""
    if add and session.is_blank:
        return
    cookies: list[Any] = session.storage["cookies"]
    with translated("carrying cookies and storage"):
        if add:
            cookies = _merged(await context.cookies(), cookies)
        async with asyncio.timeout(STORAGE_S):
            state: Any = {**session.storage, "cookies": cookies}  # in the driver's own format
            await context.set_storage_state(state)


def _merged(there: list[Any], carried: list[Any]) -> list[Any]:
    """Return all cookies; of two with the same name and place, the one that is carried."""
    keys = ("name", "domain", "path", "partitionKey")
    by_place = {tuple(it.get(key) for key in keys): it for it in [*there, *carried]}
    return list(by_place.values())


async def open_pages(
    tabs: Tabs, context: BrowserContext, rules: RequestRules, session: CarriedSession
) -> dict[Tab, PreparedPage]:
    """Open a blank page for each tab in another browser context, in the same order."""
    await tabs.join(context)
    blank = list(context.pages[:1])
    pages: dict[Tab, PreparedPage] = {}
    for tab in session.tabs:
        with translated("opening a page"), activation.by_us(context):
            page = blank.pop() if blank else await context.new_page()
            activation.is_in_front(page)
        pages[tab] = page, await tabs.prepare_move(tab, page, rules)
    return pages


async def load_pages(pages: dict[Tab, PreparedPage], session: CarriedSession) -> None:
    """Load in each page what its tab shows."""
    await asyncio.gather(*(_load(tab, pages[tab], it) for tab, it in session.tabs.items()))


async def _load(tab: Tab, prepared: PreparedPage, carried: CarriedTab) -> None:
    page, (protocol, _) = prepared
    try:
        if carried.markup is not None:
            MARKUP[page] = carried.markup
            await page.set_content(carried.markup, timeout=tab.navigation_ms)
        elif carried.url != BLANK:
            async with saved_state.session_storage_back(protocol, carried.session_storage):
                await page.goto(
                    carried.url, wait_until="domcontentloaded", timeout=tab.navigation_ms
                )
    except DriverError:
        carried.notes.append(f"it did not load; `browse reload --tab-id {tab.id}`")


async def refill(tabs: Tabs, session: CarriedSession) -> None:
    """Put back what was typed and scrolled, once the fields are there."""
    await asyncio.gather(*(_refill(tabs, tab, it) for tab, it in session.tabs.items()))


async def _refill(tabs: Tabs, tab: Tab, carried: CarriedTab) -> None:
    left = {place: it for place, it in carried.typed.items() if it.fields or it.scrolled}
    if not left:
        return

    async def look() -> bool | None:
        for place, frame in _places(tab.page):
            if (typed := left.get(place)) and not await _restore(frame, typed):
                del left[place]
        return True if not left else None

    try:
        traffic = tabs.logs.traffic
        await while_restless(tab, look, REFILL_MS, lambda: traffic.is_busy(tab.id))
    except BrowseError:
        pass  # it has navigated, or does not answer: said below
    if lost := sum(len(typed.fields) for typed in left.values()):
        fields = f"{lost} fields were" if lost > 1 else "1 field was"
        carried.notes.append(f"{fields} not found again; what was typed there is lost")


async def _restore(frame: Frame, typed: TypedState) -> bool:
    """Put back what can be put back now; return whether something is left."""
    missing = await scripts.RESTORE_TYPED(frame, fields=typed.fields, scrolled=typed.scrolled)
    typed.fields = [typed.fields[at] for at in missing.fields]
    typed.scrolled = [typed.scrolled[at] for at in missing.scrolled]
    return bool(typed.fields or typed.scrolled)
