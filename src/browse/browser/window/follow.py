"""Follow the person in a window: the tab that they look at becomes the current one.

An agent with a name of its own keeps its tab, and no tab is taken from whoever uses it.
"""

import asyncio
import logging
from contextlib import suppress

from playwright.async_api import BrowserContext, Page, Worker
from playwright.async_api import Error as DriverError

from browse.auth.caller import ROOT
from browse.browser.cdp_sessions import session_of
from browse.browser.process.browser import Browser
from browse.browser.tabs.tabs import Tabs

log = logging.getLogger(__name__)
COMPANION = "/companion.js"
WORKER_S = 10.0
NEXT = "nextActivated()"
# Terminals are holders too; agents' names never begin like this.
TERMINAL = "/dev/"


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
    while worker := await extension_worker(window, COMPANION):
        with suppress(DriverError):  # the window was closed, or the worker starts again
            while True:
                for target in await worker.evaluate(NEXT):
                    await _activated(browser, window, target)
        if not browser.is_up:
            return
    log.warning("the window's companion does not run: tabs are not followed")


async def _activated(browser: Browser, window: BrowserContext, target: str) -> None:
    tabs = browser.open_tabs
    if tabs is None or tabs.context is not window or tabs.lock.is_held:
        return  # while a command runs, a tab comes to the front by its doing
    for tab in tabs.all():
        if not tab.closed and await _id_of(tab.page) == target:
            _make_current(tabs, tab.id)
            return


async def _id_of(page: Page) -> str:
    with suppress(DriverError, TimeoutError):  # it was closed meanwhile, or does not answer
        async with asyncio.timeout(1.0):
            info = await (await session_of(page)).send("Target.getTargetInfo")
            return str(info["targetInfo"]["targetId"])
    return ""


def _make_current(tabs: Tabs, id: int) -> None:
    tab = tabs.find(id)
    for holder in tabs.leases.holders() or [ROOT.holder]:
        follows = holder == ROOT.holder or holder.startswith(TERMINAL)
        if follows and not tab.owner and not _named_user(tabs, id):
            tabs.leases.take(holder, id)


def _named_user(tabs: Tabs, id: int) -> bool:
    """Check whether an agent with a name uses a tab."""
    used = tabs.leases.users(id)
    return any(it != ROOT.holder and not it.startswith(TERMINAL) for it in used)
