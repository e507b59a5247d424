"""Navigate away from a page that hangs, or that navigates by itself at the same time.

The driver gives up when another document loads first. Chromium does not: a navigation that the page
starts does not replace the one that its user asked for, so we only have to wait for ours. Only one
that the page starts at the last moment replaces ours; then we disable the page's scripts first.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar
from weakref import WeakSet

from playwright.async_api import CDPSession, Frame, Page, Request
from playwright.async_api import Error as DriverError

from browse.browser.driver_messages import Meaning, is_replaced, means
from browse.browser.tabs.navigation import Navigation
from browse.core.errors import BrowseError
from browse.core.tasks import spawn

T = TypeVar("T")
Attached = Callable[[], Awaitable[CDPSession]]
log = logging.getLogger(__name__)
BLANK = "about:blank"
TRIES = 3
PROBE_S = 1.0
# How long a page may be busy before it counts as hanging.
HANGS_S = 4.0
_SCRIPTS_OFF: WeakSet[Page] = WeakSet()  # pages whose scripts are disabled


class PageHangs(Exception):
    """The old page blocks the tab: its script never ends, or its process does not respond."""


class PageRestless(Exception):
    """The old page replaced our navigation with its own each time."""


class _Replaced(Exception):
    """Another document replaced ours."""


async def go(
    page: Page, url: str, *, until: Any, limit_ms: float, attached: Attached
) -> int | None:
    """Navigate, even if the page navigates by itself; return the HTTP status, if any."""
    ends = time.monotonic() + limit_ms / 1000
    try:
        if page in _SCRIPTS_OFF:  # a cancelled command left the page's scripts disabled
            raise _Replaced
        return await _try(page, url, until, ends)
    except _Replaced:
        log.info("the page navigates by itself; its scripts are disabled to leave it")
    async with _scripts_disabled(page, attached):
        await _persist(page, BLANK, "commit", ends)
    return await _persist(page, url, until, ends)


async def _persist(page: Page, url: str, until: Any, ends: float) -> int | None:
    for _ in range(TRIES):
        with suppress(_Replaced):
            return await _try(page, url, until, ends)
    raise PageRestless


async def _try(page: Page, url: str, until: Any, ends: float) -> int | None:
    with Navigation(page, url) as trip:
        try:
            response = await page.goto(url, wait_until=until, timeout=_left_ms(ends))
        except DriverError as exc:
            if means(exc.message, Meaning.UNSETTLED):
                raise _Replaced from exc
            if not is_replaced(exc.message, by_page=trip.replaced):
                raise
            response = None
            if not await trip.arrive(until, _left_ms(ends)):
                raise _Replaced from exc
        if not await trip.stays():
            raise _Replaced
        return response.status if response else await trip.status()


def _left_ms(ends: float) -> float:
    return max((ends - time.monotonic()) * 1000, 1)


@asynccontextmanager
async def _scripts_disabled(page: Page, attached: Attached) -> AsyncIterator[None]:
    """Disable the page's scripts meanwhile."""
    _SCRIPTS_OFF.add(page)
    if not await _set_scripts(attached, False):
        raise PageRestless
    try:
        yield
    finally:
        await _enable_scripts(page, attached)
    if page in _SCRIPTS_OFF:
        raise PageRestless


async def _enable_scripts(page: Page, attached: Attached) -> None:
    if await _set_scripts(attached, True):
        _SCRIPTS_OFF.discard(page)


async def _set_scripts(attached: Attached, run: bool) -> bool:
    with suppress(DriverError, BrowseError, TimeoutError):  # then only a new page helps
        async with asyncio.timeout(PROBE_S):
            session = await attached()
            await session.send("Emulation.setScriptExecutionDisabled", {"value": not run})
            return True
    return False


async def reload(page: Page, *, until: Any, limit_ms: float) -> int | None:
    """Reload a page; try again if its own navigation replaces it at that moment."""
    for _ in range(TRIES):
        with Navigation(page, page.url) as trip:
            try:
                response = await page.reload(wait_until=until, timeout=limit_ms)
                return response.status if response else None
            except DriverError as exc:
                unsettled = means(exc.message, Meaning.UNSETTLED)
                if not unsettled and not is_replaced(exc.message, by_page=trip.replaced):
                    raise
        with suppress(DriverError):  # try again in any case
            await page.wait_for_event("framenavigated", timeout=PROBE_S * 1000)
    raise PageRestless


async def watched(page: Page, move: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Do something that replaces the document; raise `PageHangs` if the old one does not let go."""
    clock = asyncio.timeout(None)
    watch = spawn(_watch(page, clock), name="watch a page that is left")
    try:
        async with clock:
            return await move()
    except TimeoutError as exc:
        if clock.expired():
            raise PageHangs from exc
        raise
    finally:
        watch.cancel()


class _Departure:
    """What is seen of a navigation: whether a document came, and which requests have no answer."""

    def __init__(self, page: Page) -> None:
        self.came = asyncio.Event()
        self.asked: set[Request] = set()
        self._page = page
        self._listeners: dict[Any, Any] = {
            "framenavigated": self._on_document,
            "request": self._on_request,
            "requestfailed": lambda request: self.asked.discard(request),
            "response": lambda answer: self.asked.discard(answer.request),
        }

    def __enter__(self) -> "_Departure":
        for event, listener in self._listeners.items():
            self._page.on(event, listener)
        return self

    def __exit__(self, *_: object) -> None:
        for event, listener in self._listeners.items():
            self._page.remove_listener(event, listener)

    def _on_document(self, frame: Frame) -> None:
        if frame.parent_frame is None:
            self.came.set()

    def _on_request(self, request: Request) -> None:
        if request.is_navigation_request() and request.frame.parent_frame is None:
            self.asked.add(request)


async def _watch(page: Page, clock: asyncio.Timeout) -> None:
    """Expire the timeout if the old document does not answer and no new one comes.

    While a server is asked for the new one, Chromium holds back all that the old one is asked: then
    it is the server that takes its time.
    """
    with _Departure(page) as departure:
        silent_since = time.monotonic()
        while not await _within(departure.came.wait(), PROBE_S):
            if departure.asked or await _within(_answer(page), PROBE_S):
                silent_since = time.monotonic()
            elif time.monotonic() - silent_since > HANGS_S:
                clock.reschedule(asyncio.get_running_loop().time())
                return


async def _answer(page: Page) -> None:
    with suppress(DriverError):  # another document has loaded meanwhile
        await page.evaluate("0")


async def _within(wait: Coroutine[Any, Any, object], seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await wait
    except TimeoutError:
        return False
    return True
