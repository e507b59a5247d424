"""Wait for the next change of a page: of its documents, its requests or its address."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

from playwright.async_api import Error as DriverError

from browse.browser.page import scripts, signals
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError

EVENTS = (
    "requestfinished",
    "requestfailed",
    "framenavigated",
    "frameattached",
    "domcontentloaded",
    "load",
)
MAX_FRAMES = 10
# Only for a page whose signals do not arrive.
BLIND_S = 0.1
# How long a page may take to show what a request has brought.
ANSWER_S = 0.2
# How long nothing may happen before what was started is not waited for, as timers of a page are
# late on a busy machine, and how long in all.
LATE_S = 1.5
LATEST_S = 10
T = TypeVar("T")


class PageChanges:
    """The changes of a page, one after the other."""

    def __init__(self, tab: Tab, token: str) -> None:
        self._tab = tab
        self._token = token
        self._happened = asyncio.Event()

    def happen(self, *_: object) -> None:
        self._happened.set()

    async def expect_next(self) -> bool:
        """Begin to wait; return whether a document is loading or changing just now."""
        self._happened.clear()
        frames = self._tab.page.frames[:MAX_FRAMES]
        told = [scripts.TELL_CHANGE(frame, token=self._token) for frame in frames]
        answers = await asyncio.gather(*told, return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException) and not isinstance(
                answer, BrowseError | DriverError
            ):
                raise answer
        return any(answer is not False for answer in answers)

    async def next(self, limit_s: float | None = None) -> bool:
        """Wait for a change since `expect_next`, or until a limit; False if there was none."""
        if not signals.is_attached(self._tab.page):
            limit_s = BLIND_S
        waiting = self._happened.wait()
        if limit_s is None:
            return await waiting
        with suppress(TimeoutError):
            await asyncio.wait_for(waiting, limit_s)
        return self._happened.is_set() or limit_s == BLIND_S


async def while_restless(
    tab: Tab, look: Callable[[], Awaitable[T | None]], limit_ms: int, is_busy: Callable[[], bool]
) -> T | None:
    """Look again at each change of a page, until there is something or the page is quiet."""
    with suppress(TimeoutError):
        async with asyncio.timeout(limit_ms / 1000), listening(tab) as changes:
            was_busy = False
            while True:
                busy = is_busy()
                restless = await changes.expect_next() or busy or was_busy
                if (found := await look()) is not None or not restless:
                    return found
                # What an answer brings is not in the document yet when it has arrived.
                await changes.next(None if busy or not was_busy else ANSWER_S)
                was_busy = busy
    return None


async def while_late(
    tab: Tab,
    look: Callable[[], Awaitable[T | None]],
    is_busy: Callable[[], bool],
    limit_s: float = LATEST_S,
) -> T | None:
    """Look again at each change of a page, until there is something or nothing happens for a while.

    For what was just started: a timer may bring it, and the page is quiet until then.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(limit_s), listening(tab) as changes:
            while True:
                await changes.expect_next()
                if (found := await look()) is not None:
                    return found
                if not await changes.next(None if is_busy() else LATE_S):
                    return None
    return None


@asynccontextmanager
async def listening(tab: Tab) -> AsyncIterator[PageChanges]:
    """Listen to the changes of a tab's page during the block."""
    page = tab.page
    changes: PageChanges | None = None

    def on_signal(_: signals.PageSignal) -> None:
        if changes:
            changes.happen()

    with signals.hearing(page, on_signal) as token:
        changes = PageChanges(tab, token)
        for event in EVENTS:
            page.on(event, changes.happen)  # type: ignore[call-overload] # an overload per name
        try:
            yield changes
        finally:
            for event in EVENTS:
                page.remove_listener(event, changes.happen)
