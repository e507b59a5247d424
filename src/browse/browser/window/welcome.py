"""The welcome page: what a window shows while nothing was done in its session yet."""

import asyncio
from contextlib import suppress

from playwright.async_api import Error as DriverError

from browse.browser.process.browser import Browser
from browse.browser.storage.saved_state import BLANK
from browse.browser.tabs.written_pages import MARKUP

LIMIT_S = 3.0


async def welcome(browser: Browser) -> None:
    """Show the welcome page in the only tab of a session, if that is blank."""
    tabs = await browser.tabs()
    if not browser.welcome_url or [tab.url for tab in tabs.all()] != [BLANK]:
        return
    tab = tabs.all()[0]
    async with tab.lock.hold("connect"):
        if tab.url != BLANK or tab.page in MARKUP:
            return
        with suppress(DriverError, TimeoutError):  # a rule may forbid it, or the window is gone
            async with asyncio.timeout(LIMIT_S):
                try:
                    await tab.page.goto(browser.welcome_url, wait_until="commit")
                except DriverError:
                    await tab.page.goto(BLANK)
