"""Connections that send half a request, on a real socket."""

import asyncio
import socket

import pytest
from starlette.types import Receive, Scope, Send

from browse.server import connections
from browse.server.connections import MAX_CONNECTIONS
from browse.server.embedded import serve

HALF = b"GET / HTTP/1.1\r\nHost: x\r\n"
WHOLE = HALF + b"\r\n"


class Held:
    """Answers /held when it is let go, and everything else at once."""

    def __init__(self) -> None:
        self.arrived = 0
        self.all_here = asyncio.Event()
        self.let_go = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/held":
            self.arrived += 1
            if self.arrived == MAX_CONNECTIONS:
                self.all_here.set()
            await self.let_go.wait()
        headers = [(b"content-length", b"2")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture
def app() -> Held:
    return Held()


@pytest.fixture
async def port(app):
    listener = socket.create_server(("127.0.0.1", 0), backlog=4096)
    listener.setblocking(False)
    server = await serve(app, listener)
    yield listener.getsockname()[1]
    server.close()
    for left in list(server._state.connections):
        left.transport.abort()
    await asyncio.sleep(0)


@pytest.fixture
async def dial(port):
    """Open connections, and close them in the end."""
    writers: list[asyncio.StreamWriter] = []

    async def opened(raw: bytes) -> asyncio.StreamReader:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writers.append(writer)
        writer.write(raw)
        return reader

    yield opened
    for writer in writers:
        writer.transport.abort()


@pytest.fixture
def patient(monkeypatch):
    """Give half requests all the time that they want: what ends one is the number of them."""
    monkeypatch.setattr(connections, "HEAD_S", 10_000.0)


async def answer(reader: asyncio.StreamReader) -> bytes:
    async with asyncio.timeout(60):
        head = await reader.readuntil(b"\r\n\r\n")
        return head.split(b"\r\n")[0] + await reader.readexactly(2)


async def ended(reader: asyncio.StreamReader) -> bool:
    async with asyncio.timeout(60):
        try:
            return await reader.read() == b""
        except ConnectionResetError:
            return True


async def test_whole_requests_are_answered_beside_any_number_of_half_ones(dial, patient):
    half = [await dial(HALF) for _ in range(2 * MAX_CONNECTIONS)]

    assert await answer(await dial(WHOLE)) == b"HTTP/1.1 200 OKok"
    assert await ended(half[0])


async def test_a_request_that_is_being_answered_is_never_cut_off(dial, app):
    slow = await dial(WHOLE.replace(b"/", b"/held", 1))
    for _ in range(2 * MAX_CONNECTIONS):
        await dial(HALF)
    app.let_go.set()

    assert await answer(slow) == b"HTTP/1.1 200 OKok"


async def test_beyond_the_limit_a_connection_is_ended_if_all_others_are_busy(dial, app, patient):
    busy = [await dial(WHOLE.replace(b"/", b"/held", 1)) for _ in range(MAX_CONNECTIONS)]
    await app.all_here.wait()

    assert await ended(await dial(HALF))
    app.let_go.set()
    assert {await answer(it) for it in busy} == {b"HTTP/1.1 200 OKok"}


async def test_half_a_request_is_given_up_after_a_while(dial, monkeypatch):
    monkeypatch.setattr(connections, "HEAD_S", 0.01)

    assert await ended(await dial(HALF))
    assert await ended(await dial(b""))


async def test_so_is_half_a_request_after_a_whole_one(dial, monkeypatch):
    monkeypatch.setattr(connections, "HEAD_S", 0.01)

    reader = await dial(WHOLE + HALF)

    assert await answer(reader) == b"HTTP/1.1 200 OKok"
    assert await ended(reader)


async def test_a_slow_answer_is_waited_for(dial, app, monkeypatch):
    monkeypatch.setattr(connections, "HEAD_S", 0.01)
    reader = await dial(WHOLE.replace(b"/", b"/held", 1))
    assert await ended(await dial(HALF))
    app.let_go.set()

    assert await answer(reader) == b"HTTP/1.1 200 OKok"
