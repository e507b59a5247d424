"""Sending a page to an address against its own will: pages navigate by themselves, or hang.

The driver gives up when another document comes first. Chromium does not: what a page starts by
itself does not replace what its user asked for, so ours is on its way and only has to be awaited.
What the page starts in the last moment does replace it; then its scripts are put to rest first.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar
from weakref import WeakSet

from playwright.async_api import CDPSession, Frame, Page
from playwright.async_api import Error as DriverError

from browse.browser.driver_errors import is_replaced, is_unsettled
from browse.browser.tabs.navigation import Trip
from browse.core.errors import BrowseError
from browse.core.tasks import spawn

T = TypeVar("T")
Attached = Callable[[], Awaitable[CDPSession]]
log = logging.getLogger(__name__)
BLANK = "about:blank"
TRIES = 3
PROBE_S = 1.0
# For so long a page may be busy with itself; afterwards it is not waited for.
HANGS_S = 4.0
_ASLEEP: WeakSet[Page] = WeakSet()  # pages whose scripts were put to rest


class Hangs(Exception):
    """The old page does not let go of the tab: it spins, or its process does nothing at all."""


class Restless(Exception):
    """The old page replaced our navigation by its own each time."""


class _Replaced(Exception):
    """Another document came in the place of ours."""


async def go(
    page: Page, url: str, *, until: Any, limit_ms: float, attached: Attached
) -> int | None:
    """Navigate, and give the HTTP status if there is one; the page's own navigations do not win."""
    ends = time.monotonic() + limit_ms / 1000
    try:
        if page in _ASLEEP:  # a command was cut off before it could wake the page
            raise _Replaced
        return await _try(page, url, until, ends)
    except _Replaced:
        log.info("the page navigates by itself; its scripts are put to rest to leave it")
    async with _at_rest(page, attached):
        await _persist(page, BLANK, "commit", ends)
    return await _persist(page, url, until, ends)


async def _persist(page: Page, url: str, until: Any, ends: float) -> int | None:
    for _ in range(TRIES):
        with suppress(_Replaced):
            return await _try(page, url, until, ends)
    raise Restless


async def _try(page: Page, url: str, until: Any, ends: float) -> int | None:
    with Trip(page, url) as trip:
        try:
            response = await page.goto(url, wait_until=until, timeout=_left_ms(ends))
        except DriverError as exc:
            if is_unsettled(exc):
                raise _Replaced from exc
            if not is_replaced(exc, by_page=trip.replaced):
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
async def _at_rest(page: Page, attached: Attached) -> AsyncIterator[None]:
    """Let no script of the page run meanwhile."""
    _ASLEEP.add(page)
    if not await _let_run(attached, False):
        raise Restless
    try:
        yield
    finally:
        await _wake(page, attached)
    if page in _ASLEEP:
        raise Restless


async def _wake(page: Page, attached: Attached) -> None:
    if await _let_run(attached, True):
        _ASLEEP.discard(page)


async def _let_run(attached: Attached, run: bool) -> bool:
    with suppress(DriverError, BrowseError, TimeoutError):  # then there is no way but a new page
        async with asyncio.timeout(PROBE_S):
            session = await attached()
            await session.send("Emulation.setScriptExecutionDisabled", {"value": not run})
            return True
    return False


async def reload(page: Page, *, until: Any, limit_ms: float) -> int | None:
    """Load a page again; one that is just being replaced by its own navigation is asked again."""
    for _ in range(TRIES):
        with Trip(page, page.url) as trip:
            try:
                response = await page.reload(wait_until=until, timeout=limit_ms)
                return response.status if response else None
            except DriverError as exc:
                if not is_unsettled(exc) and not is_replaced(exc, by_page=trip.replaced):
                    raise
        with suppress(DriverError):  # whatever came, it is asked again
            await page.wait_for_event("framenavigated", timeout=PROBE_S * 1000)
    raise Restless


async def watched(page: Page, move: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Do something that replaces the document; raise `Hangs` if the old one does not let go."""
    clock = asyncio.timeout(None)
    watch = spawn(_watch(page, clock), name="watch a page that is left")
    try:
        async with clock:
            return await move()
    except TimeoutError as exc:
        if clock.expired():
            raise Hangs from exc
        raise
    finally:
        watch.cancel()


async def _watch(page: Page, clock: asyncio.Timeout) -> None:
    """Set off the clock when the old document does not answer, and no new one comes."""
    came = asyncio.Event()

    def on_document(frame: Frame) -> None:
        if frame.parent_frame is None:
            came.set()

    page.on("framenavigated", on_document)
    try:
        silent_since = time.monotonic()
        while not await _within(came.wait(), PROBE_S):
            if await _within(_answer(page), PROBE_S):
                silent_since = time.monotonic()
            elif time.monotonic() - silent_since > HANGS_S:
                clock.reschedule(asyncio.get_running_loop().time())
                return
    finally:
        page.remove_listener("framenavigated", on_document)


async def _answer(page: Page) -> None:
    with suppress(DriverError):  # another document has come meanwhile
        await page.evaluate("0")


async def _within(wait: Coroutine[Any, Any, object], seconds: float) -> bool:
    try:
        async with asyncio.timeout(seconds):
            await wait
    except TimeoutError:
        return False
    return True
