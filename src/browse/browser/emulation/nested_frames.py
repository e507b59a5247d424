"""Emulation in frames within frames of other sites, which have processes of their own.

The page's own session attaches only to its direct frames (`emulation.py`): two clients that attach
at every depth make Chromium stop loading nested frames. So these are reached one by one when they
have navigated, which may be after their first script.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from playwright.async_api import Error as DriverError
from playwright.async_api import Frame, Page

from browse.browser.cdp_sessions import session_of
from browse.core.tasks import spawn

Params = dict[str, Any]


class NestedFrames:
    """Sends the settings of a page to the frames in its frames."""

    def __init__(self, page: Page, plain: Mapping[str, Params]) -> None:
        self._page = page
        self._plain = plain
        self._sent = plain
        page.on("framenavigated", self._on_navigated)

    async def apply(self, settings: Mapping[str, Params]) -> None:
        """Send settings now, and those that are not the default to every frame that comes."""
        changed = {method: it for method, it in settings.items() if self._sent.get(method) != it}
        self._sent = settings
        frames = [frame for frame in self._page.frames if _is_nested(frame)]
        await asyncio.gather(*(self._send(frame, changed) for frame in frames))

    def _on_navigated(self, frame: Frame) -> None:
        wanted = {method: it for method, it in self._sent.items() if self._plain[method] != it}
        if wanted and _is_nested(frame):
            spawn(self._send(frame, wanted), name="apply the emulation to a nested frame")

    async def _send(self, frame: Frame, settings: Mapping[str, Params]) -> None:
        with suppress(DriverError):  # it is gone, or in the process of the frame around it
            session = await session_of(frame)
            await asyncio.gather(*(session.send(*it) for it in settings.items()))


def _is_nested(frame: Frame) -> bool:
    return frame.parent_frame is not None and frame.parent_frame.parent_frame is not None
