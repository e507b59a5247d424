"""Server-sent events: a stream that lasts until the watcher or the daemon goes."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any

from starlette.types import Receive, Scope, Send

from browse.core.controls import encode_json
from browse.core.tasks import spawn
from browse.server.attend import until_gone

HEARTBEAT_S = 15.0
# Types of events that are no news of the stream's own kind.
_OWN_NAMES = ("gap", "state")
EVENT_HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-cache, no-store"),
    (b"x-content-type-options", b"nosniff"),
]


class Events:
    """Sends the items of an iterator as events, with a heartbeat when there are none."""

    def __init__(self, events: AsyncGenerator[dict[str, Any], None], *, name: str) -> None:
        self._events = events
        self._name = name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def put(text: bytes) -> None:
            await send({"type": "http.response.body", "body": text, "more_body": True})

        await send({"type": "http.response.start", "status": 200, "headers": EVENT_HEADERS})
        gone = spawn(until_gone(receive), name="watch for the watcher's going")
        async with aclosing(self._events):
            try:
                await self._copy(put, gone)
            finally:
                gone.cancel()

    async def _copy(self, put: Any, gone: asyncio.Task[None]) -> None:
        coming: asyncio.Task[dict[str, Any]] | None = None
        try:
            while not gone.done():
                coming = coming or spawn(_next(self._events), name="the next event")
                await asyncio.wait(
                    {coming, gone}, timeout=HEARTBEAT_S, return_when=asyncio.FIRST_COMPLETED
                )
                if coming.done():
                    await put(_framed(coming.result(), self._name))
                    coming = None
                elif not gone.done():
                    await put(b": heartbeat\n\n")
        finally:
            if coming:
                coming.cancel()
                await asyncio.wait({coming})


async def _next(events: AsyncIterator[dict[str, Any]]) -> dict[str, Any]:
    return await anext(events)


def _framed(event: dict[str, Any], name: str) -> bytes:
    kind = event["type"] if event.get("type") in _OWN_NAMES else name
    return b"event: %s\ndata: %s\n\n" % (kind.encode(), encode_json(event))
