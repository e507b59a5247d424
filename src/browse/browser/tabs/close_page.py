"""Close a page, whatever it does.

Chromium drops the request to close if the page navigates at the same moment, and the driver asks
only once. So we ask again until the page is gone.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress

from playwright.async_api import CDPSession, Page
from playwright.async_api import Error as DriverError

from browse.core.errors import BrowseError
from browse.core.tasks import spawn

log = logging.getLogger(__name__)
# Chromium itself gives a page half a second to run its unload handlers.
AGAIN_S = 0.7
TRIES = 20
ASK_S = 2.0


async def end(page: Page, attached: Callable[[], Awaitable[CDPSession]]) -> bool:
    """Close a page; return whether it is gone. `attached` returns an existing CDP session."""
    closing = spawn(_close(page), name="close a page")
    for _ in range(TRIES):
        done, _ = await asyncio.wait([closing], timeout=AGAIN_S)
        if done:
            return True
        await _insist(page, attached)
    log.warning("a page did not close: %s", page.url[:200])
    closing.cancel()
    return False


async def _close(page: Page) -> None:
    with suppress(DriverError):  # it may have closed itself
        await page.close()


async def _insist(page: Page, attached: Callable[[], Awaitable[CDPSession]]) -> None:
    with suppress(DriverError, BrowseError, TimeoutError):  # it is gone, or we ask again
        async with asyncio.timeout(ASK_S):
            reply = await (await attached()).send("Target.getTargetInfo")
            await _close_target(page, reply["targetInfo"]["targetId"])


async def _close_target(page: Page, id: str) -> None:
    browser = page.context.browser
    if browser is None:
        return
    session = await browser.new_browser_cdp_session()
    try:
        await session.send("Target.closeTarget", {"targetId": id})
    finally:
        await session.detach()
