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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"
        if scope["path"] == "/wait":
            self.reached.set()
            while (await receive())["type"] != "http.disconnect":
                pass
            self.gone.set()
            return
        body = scope["path"].encode()
        headers = [(b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


@pytest.fixture
def app() -> App:
    return App()


@pytest.fixture
async def port(app):
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setblocking(False)
    server = await serve(app, listener)
    yield listener.getsockname()[1]
    server.close()
    await asyncio.sleep(0)


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


async def test_an_upgrade_is_not_followed(port):
    headers = ["Upgrade: websocket", "Sec-WebSocket-Key: eA==", "Sec-WebSocket-Version: 13"]

    answer = await sent(port, request("/path", *headers))

    assert b" 101 " not in answer.partition(b"\r\n")[0]


async def test_a_caller_that_hangs_up_is_noticed(port, app):
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request("/wait"))
    async with asyncio.timeout(20):
        await app.reached.wait()
        writer.close()
        await writer.wait_closed()
        await app.gone.wait()

    assert app.gone.is_set()
