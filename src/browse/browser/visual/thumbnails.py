"""Small pictures of tabs for the dashboard: one at a time, and never in the way of a command.

A picture is taken of the window as it is: nothing is scaled, scrolled or resized for it, and no
lock is held. A tab that a command uses keeps its old picture.
"""

import asyncio
import base64
import io
from collections.abc import Awaitable, Callable
from contextlib import suppress
from hashlib import sha256

import msgspec
from playwright.async_api import Error as DriverError

from browse.browser.tabs.tab import Tab
from browse.core.clock import elapsed
from browse.core.errors import BrowseError

WIDTH_PX, HEIGHT_PX = 480, 480
QUALITY = 60
TAKE_S = 3.0
# A tab's picture is not taken more often than this, whoever asks.
EACH_S = 1.0
MAX_KEPT = 100


class Thumbnail(msgspec.Struct, frozen=True):
    """A JPEG, its hash, and when it was taken."""

    data: bytes
    hash: str
    taken: float


class Thumbnails:
    """The newest picture of each tab."""

    def __init__(
        self,
        take: "Callable[[Tab], Awaitable[bytes]] | None" = None,
        clock: Callable[[], float] = elapsed,
    ) -> None:
        self._take = take or take_thumbnail
        self._clock = clock
        self._kept: dict[int, Thumbnail] = {}
        self._taking = False

    async def of(self, tab: Tab) -> Thumbnail | None:
        """Return a tab's picture: a new one if that disturbs nobody, else the last one, if any."""
        kept = self._kept.get(tab.id)
        fresh = kept is not None and self._clock() - kept.taken < EACH_S
        if fresh or self._taking or tab.crashed or tab.lock.holder():
            return kept
        self._taking = True
        try:
            with suppress(BrowseError, DriverError, TimeoutError):  # a page that does not paint
                data = await self._take(tab)
                self._keep(tab.id, Thumbnail(data, sha256(data).hexdigest()[:16], self._clock()))
        finally:
            self._taking = False
        return self._kept.get(tab.id)

    def _keep(self, id: int, taken: Thumbnail) -> None:
        self._kept.pop(id, None)
        self._kept[id] = taken
        while len(self._kept) > MAX_KEPT:
            del self._kept[next(iter(self._kept))]


async def take_thumbnail(tab: Tab) -> bytes:
    """Take a small JPEG of a tab's window; raise if the page does not paint in time."""
    async with asyncio.timeout(TAKE_S):
        session = await tab.protocol()
        params = {"format": "jpeg", "quality": QUALITY, "optimizeForSpeed": True}
        taken = await session.send("Page.captureScreenshot", params)
    return await asyncio.to_thread(_shrunk, base64.b64decode(taken["data"]))


def _shrunk(data: bytes) -> bytes:
    from PIL import Image  # heavy, and only needed while somebody looks

    picture = Image.open(io.BytesIO(data))
    picture.draft("RGB", (WIDTH_PX, HEIGHT_PX))  # decodes a JPEG at a fraction of its size
    picture.thumbnail((WIDTH_PX, HEIGHT_PX))
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=QUALITY)
    return file.getvalue()
