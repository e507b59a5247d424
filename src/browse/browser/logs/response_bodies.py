"""Bodies of answers, kept while somebody asked for it: bounded each and together."""

import asyncio
import base64
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import msgspec
from playwright.async_api import Error as DriverError
from playwright.async_api import Response

from browse.browser.logs.ring_buffer import Ring
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
# How many are fetched side by side, and how many may wait for it; more are kept without a body.
FETCHED_AT_ONCE = 4
MAX_WAITING = 200
FETCH_S = 10.0
DRAIN_S = 2.0
MAX_URL_CHARS = 2_000
BODILESS = (204, 301, 302, 303, 304, 307, 308)
_TEXTUAL = re.compile("json|text|xml|html|javascript|x-www-form-urlencoded", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Captured:
    """An answer with its body; None when that is too large or could not be had."""

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
        """Spell it as a line of JSON, without what nobody should read."""
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


class Bodies:
    """What was captured, the oldest first; the oldest make room."""

    def __init__(self) -> None:
        self.active = False
        self.ring: Ring[Captured] = Ring(
            lambda captured: len(captured.body or b""), max_bytes=MAX_TOTAL_BYTES
        )
        self._filter: re.Pattern[str] | None = None
        self._fetching: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Semaphore(FETCHED_AT_ONCE)

    def __len__(self) -> int:
        return len(self.ring)

    def __iter__(self) -> Iterator[Captured]:
        return iter(self.ring)

    @property
    def bytes(self) -> int:
        return self.ring.bytes

    def start(self, pattern: re.Pattern[str] | None) -> None:
        """Forget what was kept, and keep what comes."""
        if self.active:
            raise BrowseError(
                Code.USAGE,
                "Capture already active. Use --capture stop first.",
                hint="run `browse network --capture stop`; what was captured stays",
            )
        self.ring.clear()
        self.active, self._filter = True, pattern

    async def stop(self) -> None:
        self.active = False
        await self.settle()

    async def settle(self) -> None:
        """Wait a moment for bodies that are under way."""
        if self._fetching:
            await asyncio.wait(self._fetching, timeout=DRAIN_S)

    def offer(self, url: str, response: Response) -> None:
        """Take an answer if it is wanted."""
        if not self.active or response.status in BODILESS:
            return
        if self._filter and not self._filter.search(url[:MAX_URL_CHARS]):
            return
        announced = response.headers.get("content-length", "")
        size = int(announced) if announced.isdecimal() else 0
        if size > MAX_BODY_BYTES or len(self._fetching) >= MAX_WAITING:
            self.ring.add(_captured(response, None, size))
            return
        task = spawn(self._fetch(response), name="fetch a body")
        self._fetching.add(task)
        task.add_done_callback(self._fetching.discard)

    async def _fetch(self, response: Response) -> None:
        body: bytes | None = None
        async with self._turn:
            with suppress(DriverError, TimeoutError):  # gone with its page: kept without a body
                async with asyncio.timeout(FETCH_S):
                    body = await response.body()
        size = len(body or b"")
        self.ring.add(_captured(response, body if size <= MAX_BODY_BYTES else None, size))


def _captured(response: Response, body: bytes | None, size: int) -> Captured:
    headers: dict[str, Any] = {
        name: MASK if name in HIDDEN_HEADERS else scrubbed(value)
        for name, value in response.headers.items()
    }
    url = redacted_url(response.url[:MAX_URL_CHARS])
    return Captured(time.time(), url, response.status, headers, body, size)
