"""Tell the extension in a window where its daemon is, and give it a ticket."""

import logging

from playwright.async_api import BrowserContext
from playwright.async_api import Error as DriverError

from browse.browser.window.follow import extension_worker
from browse.core.extension_id import ID

log = logging.getLogger(__name__)
WORKER = f"{ID}/worker.js"
HAND_OVER = "([port, ticket]) => browseConnect(port, ticket)"


async def hand_over(window: BrowserContext, port: int, ticket: str) -> bool:
    """Give the side panel the daemon's port and its ticket; return whether it took them."""
    worker = await extension_worker(window, WORKER)
    if worker is None:
        log.warning("the side panel's extension does not run in the window")
        return False
    try:
        await worker.evaluate(HAND_OVER, [port, ticket])
    except DriverError as exc:  # the window was closed, or this Chromium broke the extension
        log.warning("the side panel was not told where the daemon is: %s", exc.message)
        return False
    return True
