"""What an action caused, and when that is over.

Watches the tab from just before an action until the work that the action started is done: the
navigations and requests that began after it, never those that were open before (a long poll, a
stream). Returns at once when nothing started.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from playwright.async_api import ConsoleMessage, Dialog, Download, Frame, Page, Request
from playwright.async_api import Error as DriverError

from browse.browser import scripts
from browse.browser.tab import Tab
from browse.core.errors import BrowseError

LIMIT_S = 2.0
LOOK_S = 1.0
# They never end by design; waiting for them would cost the whole limit every time.
ENDLESS = ("eventsource", "websocket", "ping", "media")


@dataclass(frozen=True, slots=True)
class Asked:
    """A dialog that opened, and how it was answered."""

    kind: str
    message: str
    answer: str


class Aftermath:
    """What was seen from the action until things were quiet."""

    def __init__(self) -> None:
        self.navigated = False
        self.changes = 0
        self.popups: list[Page] = []
        self.downloads: list[str] = []
        self.errors: list[str] = []
        self.dialogs: list[Asked] = []
        self._requests = 0
        self._open: set[Request] = set()
        self._loading = False
        self._news = asyncio.Event()

    @property
    def nothing(self) -> bool:
        """Whether nothing at all came of the action."""
        told = self.popups or self.downloads or self.errors or self.dialogs
        return not (told or self.navigated or self.changes or self._requests)

    def on_request(self, request: Request) -> None:
        if request.resource_type in ENDLESS:
            return
        self._requests += 1
        self._open.add(request)
        if request.is_navigation_request() and request.frame.parent_frame is None:
            self._loading = True

    def on_request_over(self, request: Request) -> None:
        self._open.discard(request)
        self._news.set()

    def on_navigated(self, frame: Frame) -> None:
        if frame.parent_frame is None:
            self.navigated = True
            self._news.set()

    def on_parsed(self, _: Page) -> None:
        self._loading = False
        self._news.set()

    def on_popup(self, page: Page) -> None:
        self.popups.append(page)

    def on_download(self, download: Download) -> None:
        self.downloads.append(download.suggested_filename)
        self._loading = False
        self._news.set()

    def on_dialog(self, dialog: Dialog) -> None:
        self.dialogs.append(Asked(dialog.type, dialog.message, "accepted"))

    def on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def on_error(self, error: Any) -> None:
        self.errors.append(str(error))

    async def until_quiet(self) -> None:
        while self._open or self._loading:
            self._news.clear()
            await self._news.wait()


@asynccontextmanager
async def watched(tab: Tab) -> AsyncIterator[Aftermath]:
    """Watch a tab while an action runs in the block, and wait for what it started."""
    page, seen = tab.page, Aftermath()
    listeners: dict[str, Callable[..., None]] = {
        "request": seen.on_request,
        "requestfinished": seen.on_request_over,
        "requestfailed": seen.on_request_over,
        "framenavigated": seen.on_navigated,
        "domcontentloaded": seen.on_parsed,
        "popup": seen.on_popup,
        "download": seen.on_download,
        "dialog": seen.on_dialog,
        "console": seen.on_console,
        "pageerror": seen.on_error,
    }
    await _look(scripts.BEGIN_WATCH, page)
    for event, listener in listeners.items():
        page.on(event, listener)  # type: ignore[call-overload] # the driver has an overload per name
    try:
        yield seen
        # A round trip: what the action started before it ended has been reported by then.
        seen.changes = await _look(scripts.END_WATCH, page)
        with suppress(TimeoutError):
            async with asyncio.timeout(LIMIT_S):
                await seen.until_quiet()
    finally:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)


async def _look(script: scripts.Script[Any], page: Page) -> int:
    """Run a watching script; a page that navigates or spins has changed, whatever it would say."""
    try:
        async with asyncio.timeout(LOOK_S):
            return int(await script(page.main_frame))
    except (BrowseError, DriverError, TimeoutError):
        return 1
