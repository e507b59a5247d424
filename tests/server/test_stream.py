"""Server-sent events."""

import asyncio
from collections.abc import AsyncGenerator, MutableMapping
from typing import Any

from browse.server import stream
from browse.server.stream import Events


class Watcher:
    """The other end of a stream, by hand."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.more = asyncio.Event()
        self.leave = asyncio.Event()

    async def receive(self) -> dict:
        await self.leave.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.body":
            self.sent.append(message["body"])
            self.more.set()

    async def until(self, count: int) -> None:
        async with asyncio.timeout(20):
            while len(self.sent) < count:
                self.more.clear()
                await self.more.wait()


async def test_events_are_framed_and_end_with_the_watcher():
    closed = asyncio.Event()

    async def events() -> AsyncGenerator[dict, None]:
        try:
            yield {"id": 1, "command": "a\nb"}
            yield {"type": "gap", "gapFrom": 2}
            await asyncio.Event().wait()
        finally:
            closed.set()

    watcher = Watcher()
    serving = asyncio.create_task(
        Events(events(), name="activity")({}, watcher.receive, watcher.send)
    )
    await watcher.until(2)
    watcher.leave.set()
    await serving

    assert watcher.sent[0] == b'event: activity\ndata: {"id":1,"command":"a\\nb"}\n\n'
    assert watcher.sent[1].startswith(b"event: gap\n")
    assert closed.is_set()


async def test_the_quiet_has_a_heartbeat_and_no_event_is_lost_by_it(monkeypatch):
    monkeypatch.setattr(stream, "HEARTBEAT_S", 0.001)
    ready = asyncio.Event()

    async def events() -> AsyncGenerator[dict, None]:
        await ready.wait()
        yield {"id": 1}

    watcher = Watcher()
    serving = asyncio.create_task(
        Events(events(), name="activity")({}, watcher.receive, watcher.send)
    )
    await watcher.until(3)
    assert set(watcher.sent) == {b": heartbeat\n\n"}
    ready.set()
    while b'"id":1' not in b"".join(watcher.sent):
        await watcher.until(len(watcher.sent) + 1)
    watcher.leave.set()
    await asyncio.wait({serving})
