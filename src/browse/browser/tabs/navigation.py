"""One navigation of ours, told apart from those that the page starts by itself meanwhile."""

import asyncio
from contextlib import suppress
from typing import Any
from urllib.parse import unquote, urlsplit

from playwright.async_api import Error as DriverError
from playwright.async_api import Frame, Page, Request
from playwright.async_api import TimeoutError as DriverTimeout

from browse.browser.driver_errors import is_replaced

# Without a request there is nothing to wait long for, and nobody tells that it failed.
BLANK_MS = 2_000.0
STRAY_S = 1.0
# With these a server says that the old page shall stay.
NO_PAGE = (204, 205)
DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class Trip:
    """Our request, if there is one, whether its document came, and what else was under way then.

    Between the answer and the document Chromium still takes orders from the old page: what that
    starts then comes later than ours, and would replace it. Such a navigation is a stray.
    """

    def __init__(self, page: Page, url: str) -> None:
        self._page = page
        self._url = url
        self._ours: Request | None = None  # the newest one of its redirects
        self._last: Request | None = None  # the last that was begun, by whomever
        self._failed = False
        self._came = False
        self._others: dict[Request, Request] = {}  # under way: the first and the newest of each
        self._lost = False
        self._restless = False  # whether the page has started a navigation of its own
        self._news = asyncio.Event()
        self._clock: asyncio.Timeout | None = None

    def __enter__(self) -> "Trip":
        # All requests of the browser are listened to anyway: this costs no message.
        self._page.context.on("request", self._on_request)
        self._page.context.on("requestfailed", self._on_failed)
        self._page.on("framenavigated", self._on_document)
        return self

    def __exit__(self, *_: object) -> None:
        self._page.context.remove_listener("request", self._on_request)
        self._page.context.remove_listener("requestfailed", self._on_failed)
        self._page.remove_listener("framenavigated", self._on_document)

    def _on_request(self, request: Request) -> None:
        if not request.is_navigation_request() or not self._is_here(request):
            return
        first = _first(request)
        if first in self._others:
            self._others[first] = request
        elif self._came:
            return  # the new page's own
        elif same(first.url, self._url):
            self._ours, self._failed = request, False
        else:
            self._others[first] = request
            self._restless = True
        self._last = request

    def _is_here(self, request: Request) -> bool:
        with suppress(DriverError):  # of a worker, or of a page that is being made
            return request.frame is self._page.main_frame
        return False

    def _on_failed(self, request: Request) -> None:
        if self._others.pop(_first(request), None):
            self._news.set()
        if request is (self._ours or self._last):
            self._failed = True
            if self._clock and not self._is_blank:
                self._clock.reschedule(asyncio.get_running_loop().time())

    def _on_document(self, frame: Frame) -> None:
        if frame.parent_frame is not None:
            return
        strays = [first for first, it in self._others.items() if same(it.url, frame.url)]
        for first in strays:
            del self._others[first]
        if same(frame.url, self._ours.url if self._ours else self._url):
            self._came = True
        elif self._came and strays:
            self._lost = True
        self._news.set()

    @property
    def replaced(self) -> bool:
        """Whether the page keeps us from our document, and not the server by its answer.

        What the page has started may be told only after it has made an end of ours.
        """
        asked = self._ours or self._last
        answer = asked.existing_response if asked else None
        return self._restless or answer is None or answer.status not in NO_PAGE

    async def status(self) -> int | None:
        """Give the HTTP status of our document, once it is there."""
        response = await self._ours.response() if self._ours else None
        return response.status if response else None

    @property
    def _is_blank(self) -> bool:
        return self._url.startswith("about:")

    def _is_there(self, url: str) -> bool:
        # Chromium may spell our address in a way that we do not know: then the last was ours.
        known = self._ours or (None if self._is_blank else self._last)
        return same(url, known.url if known else self._url)

    async def arrive(self, until: Any, limit_ms: float) -> bool:
        """Wait for our document after another one has come first; tell whether it came."""
        if self._failed and not self._is_blank:
            return False
        limit_ms = min(limit_ms, BLANK_MS) if self._is_blank else limit_ms
        try:
            async with asyncio.timeout(None) as self._clock:
                await self._page.wait_for_url(self._is_there, wait_until=until, timeout=limit_ms)
        except DriverTimeout:
            if not self._is_blank:
                raise
            return False
        except DriverError as exc:
            # The driver gives up at the first navigation that fails, whosesoever it is.
            if not is_replaced(exc, by_page=True):
                raise
            return False
        except TimeoutError:
            return False  # ours has failed
        finally:
            self._clock = None
        return True

    async def stays(self) -> bool:
        """Tell whether our document stays: a stray that is still under way would replace it."""
        if not self._came:
            return True  # its address is spelled in a way that we do not know: take it as it is
        with suppress(TimeoutError):
            async with asyncio.timeout(STRAY_S):
                while self._others and not self._lost:
                    self._news.clear()
                    await self._news.wait()
        return not self._others and not self._lost


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
