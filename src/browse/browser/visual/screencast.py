"""The picture of a tab as it changes, frame by frame, while somebody looks.

Chromium sends a few frames, and more only after those were acknowledged: whoever shows them sets
the pace. It works for tabs in the background too.
"""

import asyncio
import base64
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from browse.browser.driver_errors import translated
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError
from browse.core.tasks import spawn

JPEG_QUALITY = 75
MAX_SIDE = 1_920
START_S = 5.0


class ScreenFrame(msgspec.Struct, frozen=True):
    """One picture of a tab, and the size of the page in it, in CSS pixels."""

    number: int
    jpeg: bytes
    width: float
    height: float


class Screencast:
    """Frames of the page that a tab has now; another page of the tab needs another one."""

    def __init__(self, tab: Tab, on_frame: Callable[[ScreenFrame], None]) -> None:
        self.page = tab.page
        self.last: ScreenFrame | None = None
        self._tab = tab
        self._on_frame = on_frame
        self._count = 0
        self._unanswered: dict[int, int] = {}  # our number: Chromium's
        self._over = False

    @property
    def size(self) -> tuple[float, float]:
        """The size of the page, in CSS pixels, as the last frame has it."""
        return (self.last.width, self.last.height) if self.last else (0.0, 0.0)

    async def start(self) -> None:
        """Ask for frames; a page that cannot be attached to sends none."""
        with suppress(BrowseError, TimeoutError):
            async with asyncio.timeout(START_S):
                session = await self._tab.protocol()
                session.on("Page.screencastFrame", self._on_event)
                await self.send(
                    "Page.startScreencast",
                    format="jpeg",
                    quality=JPEG_QUALITY,
                    maxWidth=MAX_SIDE,
                    maxHeight=MAX_SIDE,
                )

    async def send(self, method: str, **about: Any) -> None:
        """Send a command of the protocol to the page."""
        if self._tab.page is not self.page:
            return
        session = await self._tab.protocol()
        with translated("showing the tab"):
            await session.send(method, about)

    def _on_event(self, event: dict[str, Any]) -> None:
        if self._over:
            return
        about = event["metadata"]
        self._count += 1
        self._unanswered[self._count] = event["sessionId"]
        jpeg = base64.b64decode(event["data"])
        self.last = ScreenFrame(self._count, jpeg, about["deviceWidth"], about["deviceHeight"])
        self._on_frame(self.last)

    def acknowledge(self, number: int) -> None:
        """Let Chromium send more: this frame, and those before it, were drawn."""
        for ours in [it for it in self._unanswered if it <= number]:
            theirs = self._unanswered.pop(ours)
            spawn(self._acknowledge(theirs), name=f"tab {self._tab.id}: a frame was drawn")

    async def _acknowledge(self, theirs: int) -> None:
        with suppress(BrowseError):  # the page may be gone
            await self.send("Page.screencastFrameAck", sessionId=theirs)

    async def stop(self) -> None:
        """Ask for no more frames."""
        self._over = True
        with suppress(BrowseError, TimeoutError):
            async with asyncio.timeout(START_S):
                session = await self._tab.protocol()
                session.remove_listener("Page.screencastFrame", self._on_event)
                await self.send("Page.stopScreencast")
