"""The requests of all tabs: the request, the response, and how long it took.

Only events that the driver sends anyway are used. The size is the one that the server announced:
the real one would cost a round trip per request.
"""

import sys
import time
from collections.abc import Callable, Container
from contextlib import suppress
from itertools import islice, takewhile
from weakref import WeakKeyDictionary

import msgspec
from playwright.async_api import BrowserContext, Page, Request, Response
from playwright.async_api import Error as DriverError

from browse.browser.driver_messages import network_error
from browse.browser.logs.console import iso
from browse.browser.logs.event_listener import quick
from browse.browser.logs.response_bodies import ResponseBodies
from browse.browser.logs.ring_buffer import RingBuffer
from browse.browser.network.outbound_scan import OutboundScan
from browse.browser.network.refusals import Refusal, Refusals
from browse.core.log_file import LogFile
from browse.guard.secrets import redacted_url

MAX_URL_CHARS = 2_000
NAMED_CHARS = 200
# Requests that never end by design.
NEVER_ENDING = ("eventsource", "websocket", "ping", "media")
# A request that is open for longer is a long poll or a stream.
LONG_S = 5.0
# So many requests of a tab are looked at for the end of the last one.
MAX_RECENT = 50


class Exchange(msgspec.Struct, weakref=True):
    """One request and its response."""

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

    def has_status(self, wanted: Container[str]) -> bool:
        """Check for a status as a caller writes it: 404, 4xx, failed or pending."""
        if self.failure or self.status is None:
            return ("failed" if self.failure else "pending") in wanted
        return str(self.status) in wanted or f"{self.status // 100}xx" in wanted

    @property
    def spelled(self) -> str:
        outcome = f"failed: {self.failure}" if self.failure else self.status or "pending"
        ms = "?" if self.ms is None else self.ms
        size = "?" if self.size is None else self.size
        return f"{self.method} {self.url} → {outcome} ({ms}ms, {size}B)"


class TrafficLog:
    """The requests of a browser, in one ring buffer, and the captured response bodies."""

    def __init__(self, journal: LogFile, refusals: Refusals, scan: OutboundScan) -> None:
        self.ring: RingBuffer[Exchange] = RingBuffer(lambda exchange: sys.getsizeof(exchange.url))
        self.bodies = ResponseBodies()
        self._scan = scan
        self._journal = journal
        self._refusals = refusals
        self._destinations: WeakKeyDictionary[Page, str] = WeakKeyDictionary()
        self._open: WeakKeyDictionary[Request, Exchange] = WeakKeyDictionary()

    def listen(self, context: BrowserContext, number: Callable[[Page], int]) -> None:
        """Listen to all pages of a context; `number` returns the tab number of a page."""

        def tab_of(request: Request) -> int:
            with suppress(DriverError):  # of a service worker, or of a page that is being created
                return number(request.frame.page)
            return 0

        over = quick(lambda request: self._on_over(request, tab_of))
        context.on("request", quick(lambda request: self._on_request(request, tab_of)))
        context.on("response", quick(lambda response: self._on_response(response)))
        context.on("requestfinished", over)
        context.on("requestfailed", over)

    def is_busy(self, tab: int) -> bool:
        """Check whether a tab waits for an answer; one that takes long by design does not count."""
        since = time.time() - LONG_S
        waiting = (it for it in self._open.values() if it.tab == tab and it.at > since)
        return any(it.kind not in NEVER_ENDING for it in waiting)

    def idle_s(self, tab: int) -> float:
        """Return for how long no request of a tab has been open; 0 while one is."""
        if any(it.tab == tab and it.kind not in NEVER_ENDING for it in self._open.values()):
            return 0.0
        recent = islice((it for it in reversed(list(self.ring)) if it.tab == tab), MAX_RECENT)
        ended = max((it.at + (it.ms or 0) / 1000 for it in recent), default=0.0)
        return max(time.time() - ended, 0.0)

    def not_idle(self, tab: int, last: int) -> list[str]:
        """Describe the requests of a tab that are open, else the last ones."""
        now = time.time()
        waiting = [it for it in self._open.values() if it.tab == tab]
        if not waiting:
            waiting = [it for it in self.ring if it.tab == tab][-last:]
        rows = [f"{it.method} {it.url[:NAMED_CHARS]} ({it.kind}" for it in waiting[:last]]
        ages = [f", began {now - it.at:.1f} s ago)" for it in waiting[:last]]
        return [row + age for row, age in zip(rows, ages, strict=True)]

    def destination(self, page: Page) -> str:
        """Return the address of a page's last navigation, after redirects."""
        return self._destinations.get(page, "")

    def blocked(self, tab: int, since: float) -> list[Exchange]:
        """List the requests of a tab that a rule of ours blocked."""
        newest = takewhile(lambda exchange: exchange.at >= since, reversed(list(self.ring)))
        return [exchange for exchange in newest if exchange.tab == tab and exchange.blocked]

    def on_refused(self, entrance: str, host: str, port: int, refusal: Refusal) -> None:
        """Log a WebSocket that was refused: the driver reports only requests."""
        if entrance == "websocket":
            place = f"[{host}]" if ":" in host else host
            exchange = Exchange(time.time(), 0, "GET", f"ws://{place}:{port}/", "websocket")
            exchange.failure = refusal.spelled
            exchange.blocked = refusal.why
            self.ring.add(exchange)
            self._journal.add(f"[{iso(exchange.at)}] {exchange.spelled}")

    def _note_destination(self, request: Request) -> None:
        if request.is_navigation_request():
            with suppress(DriverError):  # the page is being created, and has no frame yet
                if request.frame.parent_frame is None:
                    self._destinations[request.frame.page] = request.url

    def _on_request(self, request: Request, tab_of: Callable[[Request], int]) -> None:
        url = redacted_url(request.url[:MAX_URL_CHARS])
        kind = request.resource_type
        exchange = Exchange(time.time(), tab_of(request), request.method, url, kind)
        self._open[request] = exchange
        self.ring.add(exchange)
        self._note_destination(request)
        if self._scan.is_on and self._scan.objects(
            request.url, request.headers, request.post_data_buffer
        ):
            # Report it later: the report may remove the rules that are blocking it just now.
            exchange.leaks = self._scan.is_enforced
            if not exchange.leaks:
                self._scan.report(exchange.tab, request.url)

    def _on_response(self, response: Response) -> None:
        if exchange := self._open.get(response.request):
            exchange.answered(response)

    def _on_over(self, request: Request, tab_of: Callable[[Request], int]) -> None:
        exchange = self._open.pop(request, None)
        if exchange is None:
            return
        exchange.tab = exchange.tab or tab_of(request)
        response = request.existing_response
        if response:
            exchange.answered(response)
        exchange.failure = request.failure
        refusal = self._refusals.cause_of(network_error(request.failure or ""), request.url)
        if refusal:
            exchange.failure, exchange.blocked = refusal.spelled, refusal.why
        took = request.timing["responseEnd"]
        exchange.ms = round(took) if took >= 0 else round((time.time() - exchange.at) * 1000)
        self._journal.add(f"[{iso(exchange.at)}] {exchange.spelled}")
        if exchange.leaks:
            self._scan.report(exchange.tab, request.url)
        if response and not exchange.failure:
            self.bodies.offer(exchange.at, request.url, response)
