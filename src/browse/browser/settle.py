"""What an action caused, and when that is over.

Watches the tab from just before an action until the work that the action started is done: the
navigations and requests that began after it, never those that were open before (a long poll, a
stream). Returns at once when nothing started.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from playwright.async_api import ConsoleMessage, Dialog, Download, Frame, Page, Request
from playwright.async_api import Error as DriverError

from browse.browser.tab import Tab

LIMIT_S = 2.0
BARRIER_S = 1.0
# Streams never end by design; waiting for them would cost the whole limit every time.
ENDLESS = ("eventsource", "websocket", "ping", "media")


class Aftermath:
    """What was seen from the action until things were quiet."""

    def __init__(self, url: str) -> None:
        self.url_before = url
        self.navigated = False
        self.popups: list[Page] = []
        self.downloads: list[str] = []
        self.errors: list[str] = []
        self.dialogs: list[tuple[str, str]] = []
        self.requests = 0
        self._open: set[Request] = set()
        self._loading = False
        self._change = asyncio.Event()

    def on_request(self, request: Request) -> None:
        if request.resource_type in ENDLESS:
            return
        self.requests += 1
        self._open.add(request)
        if request.is_navigation_request() and request.frame.parent_frame is None:
            self._loading = True

    def on_request_over(self, request: Request) -> None:
        self._open.discard(request)
        self._change.set()

    def on_navigated(self, frame: Frame) -> None:
        if frame.parent_frame is None:
            self.navigated = True
            self._change.set()

    def on_parsed(self, _: Page) -> None:
        self._loading = False
        self._change.set()

    def on_popup(self, page: Page) -> None:
        self.popups.append(page)

    def on_download(self, download: Download) -> None:
        self.downloads.append(download.suggested_filename)
        self._loading = False
        self._change.set()

    def on_dialog(self, dialog: Dialog) -> None:
        self.dialogs.append((dialog.type, dialog.message))

    def on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def on_error(self, error: Any) -> None:
        self.errors.append(str(error))

    @property
    def quiet(self) -> bool:
        return not self._open and not self._loading

    async def until_quiet(self) -> None:
        while not self.quiet:
            self._change.clear()
            await self._change.wait()


@asynccontextmanager
async def watched(tab: Tab) -> AsyncIterator[Aftermath]:
    """Watch a tab while an action runs in the block, and wait for what it started."""
    page = tab.page
    seen = Aftermath(page.url)
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
    for event, listener in listeners.items():
        page.on(event, listener)  # type: ignore[call-overload] # one name per overload there
    try:
        yield seen
        await _barrier(page)
        with suppress(TimeoutError):
            async with asyncio.timeout(LIMIT_S):
                await seen.until_quiet()
    finally:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)


async def _barrier(page: Page) -> None:
    """Make one round trip to the page, so that what the action started has been reported."""
    with suppress(DriverError, TimeoutError):
        async with asyncio.timeout(BARRIER_S):
            await page.evaluate("0")
