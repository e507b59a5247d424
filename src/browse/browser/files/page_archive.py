"""A page with all that it shows, in one file."""

import asyncio

from browse.browser.driver_errors import translated
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

ARCHIVE_S = 25.0


async def archived(tab: Tab) -> bytes:
    """Make an MHTML archive of the page."""
    _ = tab.frame  # a crashed tab says so first
    session = await tab.protocol()
    try:
        with translated("archiving the page"):
            async with asyncio.timeout(ARCHIVE_S):
                answer = await session.send("Page.captureSnapshot", {"format": "mhtml"})
    except TimeoutError:
        raise BrowseError(
            Code.TIMEOUT,
            f"The page could not be archived within {ARCHIVE_S:.0f} s.",
            hint="it may be stuck: `browse reload`, then try again",
        ) from None
    return str(answer["data"]).encode("utf-8", "replace")
