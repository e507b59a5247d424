"""Response bodies, captured on request, with a limit for each and for all together."""

import asyncio
import base64
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
from playwright.async_api import Error as DriverError
from playwright.async_api import Response

from browse.browser.logs.ring_buffer import RingBuffer
from browse.browser.logs.url_filter import FilterFailed, UrlFilter
from browse.core.errors import BrowseError, Code
from browse.core.tasks import spawn
from browse.guard.secrets import (
    HIDDEN_HEADERS,
    MASK,
    redacted_url,
    scrubbed,
    without_field_values,
)

MAX_BODY_BYTES = 5 * 1024 * 1024
MAX_TOTAL_BYTES = 50 * 1024 * 1024
# How many bodies are fetched in parallel, and how many may wait; the rest have no body.
FETCHED_AT_ONCE = 4
MAX_WAITING = 200
FETCH_S = 10.0
DRAIN_S = 2.0
MAX_URL_CHARS = 2_000
BODILESS = (204, 301, 302, 303, 304, 307, 308)
_TEXTUAL = re.compile("json|text|xml|html|javascript|x-www-form-urlencoded", re.IGNORECASE)


class CapturedBody(msgspec.Struct, frozen=True):
    """A response with its body; None if the body is too large or unavailable."""

    at: float
    url: str
    status: int
    headers: dict[str, str]
    body: bytes | None
    size: int

    @property
    def truncated(self) -> bool:
        return self.body is None

    def line(self, stamp: str) -> bytes:
        """Encode it as a line of JSON, with secrets masked."""
        kind = self.headers.get("content-type", "")
        body, encoding = self._text(kind)
        return msgspec.json.encode(
            {
                "url": self.url,
                "status": self.status,
                "headers": self.headers,
                "body": body,
                "bodyEncoding": encoding,
                "contentType": kind,
                "timestamp": stamp,
                "size": self.size,
                "bodyTruncated": self.truncated,
            }
        )

    def _text(self, kind: str) -> tuple[str | None, str | None]:
        if self.body is None:
            return None, None
        if _TEXTUAL.search(kind):
            text = without_field_values(self.body.decode("utf-8", "replace"))
            return scrubbed(text), "utf-8"
        return base64.b64encode(self.body).decode(), "base64"


class ResponseBodies:
    """The captured responses, oldest first; the oldest are dropped to make room."""

    def __init__(self) -> None:
        self.active = False
        self.ring: RingBuffer[CapturedBody] = RingBuffer(
            lambda captured: len(captured.body or b""), max_bytes=MAX_TOTAL_BYTES
        )
        self._filter: UrlFilter | None = None
        self.gave_up = ""  # why the capture ended by itself
        self._fetching: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Semaphore(FETCHED_AT_ONCE)

    def __len__(self) -> int:
        return len(self.ring)

    def __iter__(self) -> Iterator[CapturedBody]:
        """Go through them in the order of the requests; their ends may come in another one."""
        return iter(sorted(self.ring, key=lambda captured: captured.at))

    @property
    def bytes(self) -> int:
        return self.ring.bytes

    async def start(self, pattern: str | None) -> None:
        """Drop what was captured, and start to capture what matches a regular expression."""
        if self.active:
            raise BrowseError(
                Code.USAGE,
                "Capture already active. Use --capture stop first.",
                hint="run `browse network --capture stop`; what was captured stays",
            )
        self.active, self._filter, self.gave_up = True, None, ""
        try:
            self._filter = await UrlFilter.start(pattern) if pattern else None
        except FilterFailed as exc:
            self.active = False
            raise BrowseError(
                Code.TIMEOUT, "The filter did not start in time.", hint="try it again"
            ) from exc
        self.ring.clear()

    async def stop(self) -> None:
        self.active = False
        await self.settle()
        if self._filter:
            await self._filter.close()

    async def settle(self) -> None:
        """Wait briefly for bodies that are being fetched."""
        if self._fetching:
            await asyncio.wait(self._fetching, timeout=DRAIN_S)

    def offer(self, at: float, url: str, response: Response) -> None:
        """Capture a response if its address matches; `at`: when it was asked for."""
        if not self.active or response.status in BODILESS:
            return
        if len(self._fetching) >= MAX_WAITING:
            if self._filter is None:
                self.ring.add(_captured(at, response, None, _announced(response)))
            return
        task = spawn(self._capture(at, url, response), name="fetch a body")
        self._fetching.add(task)
        task.add_done_callback(self._fetching.discard)

    async def _capture(self, at: float, url: str, response: Response) -> None:
        if self._filter:
            try:
                if not await self._filter.matches(url):
                    return
            except FilterFailed:
                if self.active:
                    self.active = False
                    self.gave_up = "its --filter took too long for an address"
                return
        body: bytes | None = None
        if (size := _announced(response)) > MAX_BODY_BYTES:
            self.ring.add(_captured(at, response, None, size))
            return
        async with self._turn:
            with suppress(DriverError, TimeoutError):  # gone with its page: captured without a body
                async with asyncio.timeout(FETCH_S):
                    body = await response.body()
        size = len(body or b"")
        self.ring.add(_captured(at, response, body if size <= MAX_BODY_BYTES else None, size))


def _announced(response: Response) -> int:
    length = response.headers.get("content-length", "")
    return int(length) if length.isdecimal() else 0


def _captured(at: float, response: Response, body: bytes | None, size: int) -> CapturedBody:
    headers: dict[str, Any] = {
        name: MASK if name in HIDDEN_HEADERS else scrubbed(value)
        for name, value in response.headers.items()
    }
    url = redacted_url(response.url[:MAX_URL_CHARS])
    return CapturedBody(at, url, response.status, headers, body, size)
