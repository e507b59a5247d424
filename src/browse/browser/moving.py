"""Sending a page to an address against its own will: pages navigate by themselves, or hang.

The driver gives up when another document comes first. Chromium does not: what a page starts by
itself does not replace what its user asked for, so ours is on its way and only has to be awaited.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from playwright.async_api import Error as DriverError
from playwright.async_api import Frame, Page, Request
from playwright.async_api import TimeoutError as DriverTimeout

from browse.browser.failures import is_replaced, is_unsettled
from browse.core.tasks import spawn

T = TypeVar("T")
TRIES = 3
BLANK_MS = 2_000.0
PROBE_S = 1.0
# For so long a page may be busy with itself; afterwards it is not waited for.
HANGS_S = 4.0
DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class Hangs(Exception):
    """The old page does not let go of the tab: it spins, or its process does nothing at all."""


class Restless(Exception):
    """The old page replaced our navigation by its own each time."""


class Trip:
    """One navigation of ours: its request as far as there is one, and whether that failed."""

    def __init__(self, page: Page, url: str) -> None:
        self._page = page
        self._url = url
        self._request: Request | None = None  # the newest one of its redirects
        self._is_ours = False  # else it is only the last that was begun
        self._failed = False
        self._began: set[Request] = set()
        self._clock: asyncio.Timeout | None = None

    def __enter__(self) -> "Trip":
        # All requests of the browser are listened to anyway: this costs no message.
        self._page.context.on("request", self._on_request)
        self._page.context.on("requestfailed", self._on_failed)
        return self

    def __exit__(self, *_: object) -> None:
        self._page.context.remove_listener("request", self._on_request)
        self._page.context.remove_listener("requestfailed", self._on_failed)

    def _on_request(self, request: Request) -> None:
        if not request.is_navigation_request() or not self._is_here(request):
            return
        first = _first(request)
        self._began.add(first)
        ours = same(first.url, self._url)
        # Chromium may spell our address in another way: the last that was begun will be ours.
        if ours or not (self._is_ours or self._url.startswith("about:")):
            self._request, self._is_ours, self._failed = request, ours, False

    def _is_here(self, request: Request) -> bool:
        with suppress(DriverError):  # of a worker, or of a page that is being made
            return request.frame is self._page.main_frame
        return False

    def _on_failed(self, request: Request) -> None:
        if request is self._request:
            self._failed = True
            if self._clock:
                self._clock.reschedule(asyncio.get_running_loop().time())

    @property
    def replaced(self) -> bool:
        """Whether the page has started a navigation of its own meanwhile."""
        return bool(self._began) if self._request is None else len(self._began) > 1

    async def status(self) -> int | None:
        """Give the HTTP status of our document, once it is there."""
        response = await self._request.response() if self._request else None
        return response.status if response else None

    def _is_there(self, url: str) -> bool:
        return same(url, self._request.url if self._request else self._url)

    async def arrive(self, until: Any, limit_ms: float) -> bool:
        """Wait for our document after another one has come first; tell whether it came."""
        if self._failed:
            return False
        # Without a request there is nothing to wait long for, and nobody tells that it failed.
        limit_ms = limit_ms if self._request else min(limit_ms, BLANK_MS)
        try:
            async with asyncio.timeout(None) as self._clock:
                await self._page.wait_for_url(self._is_there, wait_until=until, timeout=limit_ms)
        except DriverTimeout:
            if self._request:
                raise
            return False
        except TimeoutError:
            if not self._failed:
                raise
        finally:
            self._clock = None
        return not self._failed


async def go(page: Page, url: str, *, until: Any, limit_ms: float) -> int | None:
    """Navigate, and give the HTTP status if there is one; the page's own navigations do not win."""
    ends = time.monotonic() + limit_ms / 1000
    for _ in range(TRIES):
        left_ms = max((ends - time.monotonic()) * 1000, 1)
        with Trip(page, url) as trip:
            try:
                response = await page.goto(url, wait_until=until, timeout=left_ms)
                return response.status if response else None
            except DriverError as exc:
                if not is_replaced(exc, by_page=trip.replaced) and not is_unsettled(exc):
                    raise
                if is_unsettled(exc):
                    continue
            if await trip.arrive(until, max((ends - time.monotonic()) * 1000, 1)):
                return await trip.status()
    raise Restless


async def reload(page: Page, *, until: Any, limit_ms: float) -> int | None:
    """Load a page again; one that is just being replaced by its own navigation is asked again."""
    for _ in range(TRIES):
        try:
            response = await page.reload(wait_until=until, timeout=limit_ms)
            return response.status if response else None
        except DriverError as exc:
            if not is_unsettled(exc) and not is_replaced(exc, by_page=True):
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


def _first(request: Request) -> Request:
    while before := request.redirected_from:
        request = before
    return request


def same(one: str, other: str) -> bool:
    """Tell whether two addresses mean the same document, however they are spelled."""
    return _plain(one) == _plain(other)


def _plain(url: str) -> str:
    """Leave out what never reaches the server, or makes no difference there."""
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")[2].lower()
    place = place.removesuffix(DEFAULT_PORTS.get(parts.scheme, ":"))
    return unquote(f"{parts.scheme}://{place}{parts.path or '/'}?{parts.query}")
