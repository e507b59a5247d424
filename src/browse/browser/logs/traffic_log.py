"""The requests of all tabs: what was asked, what came of it, how long it took.

Only what the driver tells anyway is used. The size is the one that the server announced: asking
for the real one would cost a round trip per request.
"""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from weakref import WeakKeyDictionary

from playwright.async_api import BrowserContext, Page, Request, Response
from playwright.async_api import Error as DriverError

from browse.browser.logs.console import iso
from browse.browser.logs.event_listener import quick
from browse.browser.logs.response_bodies import Bodies
from browse.browser.logs.ring_buffer import Ring
from browse.browser.network.outbound_scan import Leaving
from browse.browser.network.refusals import Refusal, Refusals
from browse.core.journal import Journal
from browse.guard.secrets import redacted_url

MAX_URL_CHARS = 2_000


@dataclass(slots=True, weakref_slot=True)
class Exchange:
    """One request and what became of it."""

    at: float
    tab: int
    method: str
    url: str
    kind: str
    status: int | None = None
    failure: str | None = None
    ms: int | None = None
    size: int | None = None
    blocked: str = ""
    leaks: bool = False

    def answered(self, response: Response) -> None:
        self.status = response.status
        announced = response.headers.get("content-length", "")
        self.size = int(announced) if announced.isdecimal() else None

    @property
    def spelled(self) -> str:
        outcome = f"failed: {self.failure}" if self.failure else self.status or "pending"
        ms = "?" if self.ms is None else self.ms
        size = "?" if self.size is None else self.size
        return f"{self.method} {self.url} → {outcome} ({ms}ms, {size}B)"


class Traffic:
    """The requests of a browser, in one ring, and the bodies of answers while they are captured."""

    def __init__(self, journal: Journal, refusals: Refusals) -> None:
        self.ring: Ring[Exchange] = Ring(lambda exchange: sys.getsizeof(exchange.url))
        self.bodies = Bodies()
        self.leaving = Leaving()
        self._journal = journal
        self._refusals = refusals
        self._heading: WeakKeyDictionary[Page, str] = WeakKeyDictionary()
        self._open: WeakKeyDictionary[Request, Exchange] = WeakKeyDictionary()

    def listen(self, context: BrowserContext, number: Callable[[Page], int]) -> None:
        """Listen to all pages of a context; `number` tells the tab of a page."""

        def tab_of(request: Request) -> int:
            with suppress(DriverError):  # of a service worker, or of a page that is being made
                return number(request.frame.page)
            return 0

        over = quick(lambda request: self._on_over(request, tab_of))
        context.on("request", quick(lambda request: self._on_request(request, tab_of)))
        context.on("requestfinished", over)
        context.on("requestfailed", over)

    def look(self) -> list[tuple[int, Exchange]]:
        """List the requests with their numbers; those under way with the status they have now."""
        for request, exchange in list(self._open.items()):
            if response := request.existing_response:
                exchange.answered(response)
        return self.ring.numbered()

    def heading(self, page: Page) -> str:
        """Give the address that a page was last sent to, by whatever redirect."""
        return self._heading.get(page, "")

    def blocked(self, tab: int, since: float) -> list[Exchange]:
        """List the requests of a tab that a rule of ours did not let through."""
        newest = takewhile(lambda exchange: exchange.at >= since, reversed(list(self.ring)))
        return [exchange for exchange in newest if exchange.tab == tab and exchange.blocked]

    def on_refused(self, entrance: str, host: str, port: int, refusal: Refusal) -> None:
        """Write down a WebSocket that was refused: the driver tells of requests only."""
        if entrance == "websocket":
            place = f"[{host}]" if ":" in host else host
            exchange = Exchange(time.time(), 0, "GET", f"ws://{place}:{port}/", "websocket")
            exchange.failure = refusal.spelled
            exchange.blocked = refusal.why
            self.ring.add(exchange)
            self._journal.add(f"[{iso(exchange.at)}] {exchange.spelled}")

    def _on_heading(self, request: Request) -> None:
        if request.is_navigation_request():
            with suppress(DriverError):  # the page is being made, and has no frame yet
                if request.frame.parent_frame is None:
                    self._heading[request.frame.page] = request.url

    def _on_request(self, request: Request, tab_of: Callable[[Request], int]) -> None:
        url = redacted_url(request.url[:MAX_URL_CHARS])
        kind = request.resource_type
        exchange = Exchange(time.time(), tab_of(request), request.method, url, kind)
        self._open[request] = exchange
        self.ring.add(exchange)
        self._on_heading(request)
        if self.leaving.is_on() and self.leaving.objects(
            request.url, request.headers, request.post_data_buffer
        ):
            # To tell of it may end the rules by which it is just being stopped: not before that.
            exchange.leaks = self.leaving.stopped_elsewhere
            if not exchange.leaks:
                self.leaving.found(exchange.tab, request.url)

    def _on_over(self, request: Request, tab_of: Callable[[Request], int]) -> None:
        exchange = self._open.pop(request, None)
        if exchange is None:
            return
        exchange.tab = exchange.tab or tab_of(request)
        response = request.existing_response
        if response:
            exchange.answered(response)
        exchange.failure = request.failure
        refusal = self._refusals.behind(request.failure or "", request.url)
        if refusal:
            exchange.failure, exchange.blocked = refusal.spelled, refusal.why
        took = request.timing["responseEnd"]
        exchange.ms = round(took) if took >= 0 else round((time.time() - exchange.at) * 1000)
        self._journal.add(f"[{iso(exchange.at)}] {exchange.spelled}")
        if exchange.leaks:
            self.leaving.found(exchange.tab, request.url)
        if response and not exchange.failure:
            self.bodies.offer(request.url, response)
