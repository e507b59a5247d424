"""Paint sealed secrets as dots while a picture is taken.

A document is told a secret only if it shows that secret already. What a page draws by other means,
such as a canvas or one element for each letter, is not recognised.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from playwright.async_api import Frame

from browse.browser.page import scripts
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError
from browse.guard.credentials import SEALED


@asynccontextmanager
async def without_secrets(tab: Tab) -> AsyncIterator[None]:
    """Cover the secrets that the page shows, and uncover them after the block."""
    if SEALED.is_empty:
        yield
        return
    covered = [
        frame for frame in tab.page.frames if await _cover(frame, is_main=not frame.parent_frame)
    ]
    try:
        yield
    finally:
        for frame in covered:
            with suppress(BrowseError):  # a page that has gone shows nothing
                await scripts.COVER_WORDS(frame, words=[])


async def _cover(frame: Frame, *, is_main: bool) -> bool:
    try:
        words = SEALED.found_in(await scripts.WORDS_TO_PAINT(frame))
        return bool(words) and await scripts.COVER_WORDS(frame, words=words) > 0
    except BrowseError:
        if is_main:
            raise
        return False  # a frame that has gone, or does not answer, and so does not paint
