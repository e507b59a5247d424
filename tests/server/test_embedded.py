"""The HTTP protocol on a real socket, sent by hand."""

import asyncio
import socket

import pytest
from starlette.types import Receive, Scope, Send

from browse.server.embedded import serve


class App:
    """Answers every request with its path, and waits for the caller's going on /wait."""

    def __init__(self) -> None:
        self.gone = asyncio.Event()
        self.reached = asyncio.Event()
        self.go = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        if scope["path"] == "/wait":
            self.reached.set()
            while (await receive())["type"] != "http.disconnect":
                pass
            self.gone.set()
            return
        if scope["path"] == "/slow":
            self.reached.set()
            await self.go.wait()
        body = scope["path"].encode()
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


@pytest.fixture
def app() -> App:
    return App()


@pytest.fixture
def listener():
    made = socket.create_server(("127.0.0.1", 0))
    made.setblocking(False)
    return made


@pytest.fixture
async def server(app, listener):
    made = await serve(app, listener)
    yield made
    made.close()
    for paused in made._state.connections:  # they hear of no end, not even of their caller's
        paused.transport.abort()
    await asyncio.sleep(0)


@pytest.fixture
def port(server, listener):
    return listener.getsockname()[1]


async def sent(port: int, raw: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(raw)
    async with asyncio.timeout(20):
        answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


def request(path: str, *headers: str) -> bytes:
    lines = [f"GET {path} HTTP/1.1", "Host: x", "Connection: close", *headers, "", ""]
    return "\r\n".join(lines).encode()


async def test_a_request_is_answered_without_naming_the_software(port):
    answer = await sent(port, request("/path"))

    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert answer.endswith(b"/path")
    assert b"\r\nserver:" not in answer.lower()


@pytest.mark.parametrize(
    "raw",
    [
        b"nonsense\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
    ],
    ids=["no request", "no host", "two hosts", "no length"],
)
async def test_what_is_not_http_is_refused(port, raw):
    assert (await sent(port, raw)).startswith(b"HTTP/1.1 400")


async def test_a_caller_that_hangs_up_is_noticed(port, app):
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request("/wait"))
    async with asyncio.timeout(20):
        await app.reached.wait()
        writer.close()
        await writer.wait_closed()
        await app.gone.wait()

    assert app.gone.is_set()


async def test_who_was_heard_is_answered_before_we_part(server, port, app):
    asking = asyncio.create_task(sent(port, request("/slow")))
    async with asyncio.timeout(20):
        await app.reached.wait()
        server.close()
        parting = asyncio.create_task(server.finish(20))
        await asyncio.sleep(0)
        app.go.set()
        await parting

        assert (await asking).endswith(b"/slow")


async def test_who_comes_as_we_part_is_not_heard(server, port, app):
    async with asyncio.timeout(20):
        _, early = await asyncio.open_connection("127.0.0.1", port)
        early.write(request("/slow"))
        await app.reached.wait()  # by now the loop has taken both
        app.reached.clear()
        _, late = await asyncio.open_connection("127.0.0.1", port)
        await sent(port, request("/path"))
        parting = asyncio.create_task(server.finish(20))
        await asyncio.sleep(0)
        late.write(request("/wait"))
        await late.drain()
        app.go.set()
        await parting
        await sent(port, request("/path"))  # the loop has turned since

        assert not app.reached.is_set()
        early.close()
        late.close()


async def test_a_stream_without_end_is_not_waited_for(server, port):
    await sent(port, request("/path"))

    async with asyncio.timeout(20):
        await server.finish(600)
