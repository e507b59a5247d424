"""What an action caused, and when that is over.

Watches the tab from just before an action until the work that the action started is done: the
navigations and requests that began after it, never those that were open before (a long poll, a
stream). Returns at once when nothing started.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from playwright.async_api import ConsoleMessage, Download, Frame, Page, Request
from playwright.async_api import Error as DriverError

from browse.browser.page import scripts
from browse.browser.tabs.dialogs import Asked
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError

LIMIT_S = 2.0
LOOK_S = 1.0
# A page that answers a press from a timer does so within this; only waited for if nothing else was.
LINGER_S = 0.03
WINDOW = "Page.windowOpen"
MAX_FRAMES = 30
MAX_KEPT = 100
T = TypeVar("T")
# They never end by design; waiting for them would cost the whole limit every time.
ENDLESS = ("eventsource", "websocket", "ping", "media")


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
        self._loading: Request | None = None
        self._windows = 0
        self._news = asyncio.Event()

    @property
    def nothing(self) -> bool:
        """Whether nothing at all came of the action."""
        told = self.popups or self.downloads or self.errors or self.dialogs
        return not (told or self.navigated or self.changes or self._requests or self._windows)

    def on_request(self, request: Request) -> None:
        if request.resource_type in ENDLESS:
            return
        self._requests += 1
        self._open.add(request)
        with suppress(DriverError):  # a frame that is just being made is not there to be asked
            if request.is_navigation_request() and request.frame.parent_frame is None:
                self._loading = request

    def on_request_over(self, request: Request) -> None:
        self._open.discard(request)
        self._news.set()

    def on_request_failed(self, request: Request) -> None:
        if self._loading is request:
            self._loading = None
        self.on_request_over(request)

    def on_navigated(self, frame: Frame) -> None:
        if frame.parent_frame is not None:
            self.changes += 1
            return
        self.navigated = True
        self._news.set()

    def on_parsed(self, _: Page) -> None:
        self._loading = None
        self._news.set()

    def on_popup(self, page: Page) -> None:
        _keep(self.popups, page)
        self._news.set()

    def on_window(self, _: object) -> None:
        """A window is about to open; its page is reported a good while later."""
        self._windows = min(self._windows + 1, MAX_KEPT)

    def on_download(self, download: Download) -> None:
        _keep(self.downloads, download.suggested_filename)
        self._loading = None
        self._news.set()

    def on_dialog(self, asked: Asked | None) -> None:
        if asked:
            _keep(self.dialogs, asked)

    def on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            _keep(self.errors, message.text)

    def on_error(self, error: Any) -> None:
        _keep(self.errors, str(error))

    async def until_quiet(self) -> None:
        while self._open or self._loading or len(self.popups) < self._windows:
            self._news.clear()
            await self._news.wait()


@asynccontextmanager
async def watched(tab: Tab) -> AsyncIterator[Aftermath]:
    """Watch a tab while an action runs in the block, and wait for what it started."""
    page, seen = tab.page, Aftermath()
    listeners: dict[str, Callable[..., None]] = {
        "request": seen.on_request,
        "requestfinished": seen.on_request_over,
        "requestfailed": seen.on_request_failed,
        "framenavigated": seen.on_navigated,
        "domcontentloaded": seen.on_parsed,
        "popup": seen.on_popup,
        "download": seen.on_download,
        # The browser hears of a dialog before its page does, so this one has just been answered.
        "dialog": lambda _: seen.on_dialog(tab.dialogs.last),
        "console": seen.on_console,
        "pageerror": seen.on_error,
    }
    frames = page.frames[:MAX_FRAMES]
    await asyncio.gather(_look(scripts.START_WATCHING, frames), tab.listen(WINDOW, seen.on_window))
    for event, listener in listeners.items():
        page.on(event, listener)  # type: ignore[call-overload] # the driver has an overload per name
    try:
        yield seen
        # A round trip: what the action started before it ended has been reported by then.
        uneventful = seen.nothing
        seen.changes += await _look(scripts.COUNT_CHANGES, frames, stop=not uneventful)
        if uneventful:
            await asyncio.sleep(LINGER_S if seen.nothing else 0)
            seen.changes += await _look(scripts.COUNT_CHANGES, frames, stop=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(LIMIT_S):
                await seen.until_quiet()
    finally:
        await tab.listen(WINDOW, seen.on_window, off=True)
        for event, listener in listeners.items():
            page.remove_listener(event, listener)


def _keep(kept: list[T], item: T) -> None:
    """Keep what a page may say without end, up to a bound."""
    if len(kept) < MAX_KEPT:
        kept.append(item)


async def _look(script: scripts.Script[Any], frames: Sequence[Frame], **options: Any) -> int:
    """Run a watching script in all frames and add up what they say."""
    return sum(await asyncio.gather(*(_look_at(script, frame, options) for frame in frames)))


async def _look_at(script: scripts.Script[Any], frame: Frame, options: dict[str, Any]) -> int:
    """Ask one frame; one that navigates, goes away or spins has changed, whatever it would say."""
    try:
        async with asyncio.timeout(LOOK_S):
            return int(await script(frame, **options))
    except (BrowseError, DriverError, TimeoutError):
        return 1
