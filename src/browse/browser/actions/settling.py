"""Watch what an action causes, and wait until it has settled.

Watches the tab from just before an action until the work that it started is done: navigations and
requests that began after it, never those that were open before (a long poll, a stream). Returns at
once if nothing started. A link that was followed or a form that was sent is waited for until it
shows: a download is told of only when the server answers.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from playwright.async_api import ConsoleMessage, Download, Frame, Page, Request
from playwright.async_api import Error as DriverError

from browse.browser.page import scripts
from browse.browser.page.shapes import Watched
from browse.browser.tabs.dialogs import DialogRecord
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError

LIMIT_S = 2.0
SCRIPT_S = 1.0
# A page that reacts from a timer does so within this time. Only waited if nothing else happened.
LINGER_S = 0.03
WINDOW = "Page.windowOpen"
MAX_FRAMES = 30
MAX_KEPT = 100
T = TypeVar("T")
# Requests that never end by design; waiting for them would always take the whole limit.
NEVER_ENDING = ("eventsource", "websocket", "ping", "media")


class ActionEffects:
    """What was seen between the action and the moment the tab was quiet."""

    def __init__(self) -> None:
        self.navigated = False
        self.changes = 0
        self.popups: list[Page] = []
        self.downloads: list[str] = []
        self.errors: list[str] = []
        self.dialogs: list[DialogRecord] = []
        # Whether a link was followed or a form sent of which nothing has been seen yet.
        self.loading_unseen = False
        self._requests = 0
        self._open: set[Request] = set()
        self._loading: Request | None = None
        self._windows = 0
        self._frames = 0
        self._changed = asyncio.Event()

    @property
    def is_empty(self) -> bool:
        """Whether the action had no visible effect."""
        events = self.popups or self.downloads or self.errors or self.dialogs
        return not (events or self.navigated or self.changes or self._requests or self._windows)

    @property
    def _has_loaded(self) -> bool:
        events = self.popups or self.downloads or self.dialogs
        return bool(events or self.navigated or self._requests or self._windows or self._frames)

    def on_request(self, request: Request) -> None:
        if request.resource_type in NEVER_ENDING:
            return
        self._requests += 1
        self._open.add(request)
        self._changed.set()
        with suppress(DriverError):  # a frame that is being created cannot be asked yet
            if request.is_navigation_request() and request.frame.parent_frame is None:
                self._loading = request

    def on_request_done(self, request: Request) -> None:
        self._open.discard(request)
        self._changed.set()

    def on_request_failed(self, request: Request) -> None:
        if self._loading is request:
            self._loading = None
        self.on_request_done(request)

    def on_navigated(self, frame: Frame) -> None:
        if frame.parent_frame is not None:
            self.changes += 1
            self._frames += 1
        else:
            self.navigated = True
        self._changed.set()

    def on_parsed(self, _: Page) -> None:
        self._loading = None
        self._changed.set()

    def on_popup(self, page: Page) -> None:
        _append_bounded(self.popups, page)
        self._changed.set()

    def on_window(self, _: object) -> None:
        """Count a window that is about to open; its page is reported much later."""
        self._windows = min(self._windows + 1, MAX_KEPT)
        self._changed.set()

    def on_download(self, download: Download) -> None:
        _append_bounded(self.downloads, download.suggested_filename)
        self._loading = None
        self._changed.set()

    def on_dialog(self, asked: DialogRecord | None) -> None:
        if asked:
            _append_bounded(self.dialogs, asked)
            self._changed.set()

    def on_console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            _append_bounded(self.errors, message.text)

    def on_error(self, error: Any) -> None:
        _append_bounded(self.errors, str(error))

    async def until_loading(self) -> None:
        """Wait for the first sign of what a followed link or a sent form loads."""
        self.loading_unseen = True
        while not self._has_loaded:
            self._changed.clear()
            await self._changed.wait()
        self.loading_unseen = False

    async def until_quiet(self) -> None:
        while self._open or self._loading or len(self.popups) < self._windows:
            self._changed.clear()
            await self._changed.wait()


@asynccontextmanager
async def watch_effects(tab: Tab) -> AsyncIterator[ActionEffects]:
    """Watch a tab while an action runs in the block, then wait for what it started."""
    page, seen = tab.page, ActionEffects()
    listeners: dict[str, Callable[..., None]] = {
        "request": seen.on_request,
        "requestfinished": seen.on_request_done,
        "requestfailed": seen.on_request_failed,
        "framenavigated": seen.on_navigated,
        "domcontentloaded": seen.on_parsed,
        "popup": seen.on_popup,
        "download": seen.on_download,
        # The browser's handler runs before this one, so the dialog has just been answered.
        "dialog": lambda _: seen.on_dialog(tab.dialogs.last),
        "console": seen.on_console,
        "pageerror": seen.on_error,
    }
    frames = page.frames[:MAX_FRAMES]
    await asyncio.gather(_start_watching(frames), tab.listen(WINDOW, seen.on_window))
    for event, listener in listeners.items():
        page.on(event, listener)  # type: ignore[call-overload] # the driver has an overload per name
    try:
        yield seen
        # A round trip: everything the action started has been reported by then.
        nothing_yet = seen.is_empty
        watched = await _count_changes(frames, stop=not nothing_yet)
        seen.changes += watched.changes
        if nothing_yet:
            await asyncio.sleep(LINGER_S if seen.is_empty else 0)
            watched = await _count_changes(frames, stop=True)
            seen.changes += watched.changes
        with suppress(TimeoutError):
            async with asyncio.timeout(LIMIT_S):
                if watched.loading:
                    await seen.until_loading()
                await seen.until_quiet()
    finally:
        await tab.listen(WINDOW, seen.on_window, off=True)
        for event, listener in listeners.items():
            page.remove_listener(event, listener)


def _append_bounded(kept: list[T], item: T) -> None:
    """Append to a list that a page could make arbitrarily long, up to a limit."""
    if len(kept) < MAX_KEPT:
        kept.append(item)


async def _start_watching(frames: Sequence[Frame]) -> None:
    starts = [_run_in_frame(scripts.START_WATCHING, frame, default=False) for frame in frames]
    await asyncio.gather(*starts)


async def _count_changes(frames: Sequence[Frame], *, stop: bool) -> Watched:
    """Add up what happened in all frames; count one that does not answer as changed."""
    unknown = Watched(changes=1, loading=False)
    counts = [
        _run_in_frame(scripts.COUNT_CHANGES, frame, default=unknown, stop=stop) for frame in frames
    ]
    seen = await asyncio.gather(*counts)
    return Watched(sum(each.changes for each in seen), any(each.loading for each in seen))


async def _run_in_frame(
    script: scripts.Script[T], frame: Frame, *, default: T, **options: Any
) -> T:
    """Run a script in one frame; return the default if it does not answer."""
    try:
        async with asyncio.timeout(SCRIPT_S):
            return await script(frame, **options)
    except (BrowseError, DriverError, TimeoutError):
        return default
