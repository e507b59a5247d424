"""Follow the person in a window: the tab that they look at becomes the current one.

An agent with a name of its own keeps its tab, and no tab is taken from whoever uses it.
"""

import asyncio
import logging
from contextlib import suppress

from playwright.async_api import BrowserContext, Page, Worker
from playwright.async_api import Error as DriverError

from browse import _where
from browse.auth.caller import ROOT
from browse.browser.cdp_sessions import session_of
from browse.browser.process.browser import Browser
from browse.browser.tabs import activation
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import BrowseError

log = logging.getLogger(__name__)
COMPANION = "/companion.js"
WORKER_S = 10.0
COMING_S = 2.0
# How long after a command a popup may come to the front because of it.
POPUP_S = 2.0
NEW_TAB = "chrome:"
NEXT = "nextActivated()"
# Terminals and conversations are holders too; the names that people give agents do not begin so.
FOLLOWERS = ("/dev/", *_where.CONVERSATIONS.values())


async def extension_worker(
    window: BrowserContext, ends_with: str, limit_s: float = WORKER_S
) -> Worker | None:
    """Return the service worker of an extension, by the end of its address; None without one."""

    def fits(worker: Worker) -> bool:
        return worker.url.startswith("chrome-extension://") and worker.url.endswith(ends_with)

    if known := next(filter(fits, window.service_workers), None):
        return known
    try:
        return await window.wait_for_event("serviceworker", fits, timeout=limit_s * 1000)
    except DriverError:  # this Chromium loads no extensions, or the window was closed
        return next(filter(fits, window.service_workers), None)


async def follow(browser: Browser, window: BrowserContext) -> None:
    """Follow the person's tabs until the window is closed."""
    closed = asyncio.Event()
    window.once("close", lambda _: closed.set())
    while worker := await extension_worker(window, COMPANION):
        with suppress(DriverError):  # the window was closed, or the worker starts again
            while True:
                await _activated(browser, window, **await worker.evaluate(NEXT))
        if closed.is_set():
            return
    if not closed.is_set():
        log.warning("the window's companion does not run: the person's tabs are not followed")


async def _activated(browser: Browser, window: BrowserContext, target: str, seen: float) -> None:
    tabs = browser.open_tabs
    if tabs is None:
        return
    page = await _page_of(window, tabs, target) or await _coming_page(window, tabs, target)
    if page is None or activation.was_by_us(window, seen):
        return
    # What we have put there ourselves is no turn of the person's, however late the news.
    was_there = activation.shows(page)
    is_popup = activation.is_first(page) and not page.url.startswith(NEW_TAB)
    activation.is_in_front(page)
    if activation.follows_closed(window) or was_there:
        return
    if is_popup and _is_used(tabs):
        return  # a command has just acted: the popup is its doing
    if tab := next((it for it in tabs.all() if it.page is page), None):
        _make_current(tabs, tab)


def _is_used(tabs: Tabs) -> bool:
    return tabs.lock.is_held or tabs.lock.idle_s() < POPUP_S


async def _page_of(window: BrowserContext, tabs: Tabs, target: str) -> Page | None:
    for page in window.pages:
        if await _id_of(page, tabs) == target:
            return page
    return None


async def _coming_page(window: BrowserContext, tabs: Tabs, target: str) -> Page | None:
    """Return a page that was activated before the driver knows it: one just opened."""
    with suppress(DriverError):  # it was closed at once
        await window.wait_for_event("page", timeout=COMING_S * 1000)
    return await _page_of(window, tabs, target)


async def _id_of(page: Page, tabs: Tabs) -> str:
    # The session that its tab has anyway: a new one is without what is emulated for a moment, and
    # if the page goes to another site just then, its first scripts are, too.
    tab = next((it for it in tabs.all() if it.page is page), None)
    with suppress(BrowseError, DriverError, TimeoutError):  # it was closed, or does not answer
        async with asyncio.timeout(1.0):
            session = await (tab.protocol() if tab else session_of(page))
            info = await session.send("Target.getTargetInfo")
            return str(info["targetInfo"]["targetId"])
    return ""


def _make_current(tabs: Tabs, tab: Tab) -> None:
    users = tabs.leases.users(tab.id)
    if not tab.owner and all(map(_follows, users)):
        for holder in {*tabs.leases.holders(), ROOT.holder}:
            if _follows(holder):
                tabs.leases.take(holder, tab.id)


def _follows(holder: str) -> bool:
    """Check whether a holder's current tab follows the person: not that of a named agent."""
    return holder == ROOT.holder or holder.startswith(FOLLOWERS)
