"""Both listeners under nonsense: real sockets, thousands of requests that no client would send.

`BROWSE_ROUNDS=100000 pytest tests/adversarial/test_listeners.py` is the long run.
"""

import asyncio
import os
import random
import socket
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.requests import Request
from starlette.routing import Router

from browse.auth.caller import Caller
from browse.auth.rates import Rates
from browse.auth.terms import Terms
from browse.auth.tickets import TicketKind, Tickets
from browse.auth.tokens import TokenKind, Tokens
from browse.core.scopes import Surface
from browse.dispatch.running import Running
from browse.server import body, reply
from browse.server.access import Endpoint, EndpointAccess, mount
from browse.server.app import local_endpoints
from browse.server.embedded import Listening, serve
from browse.server.identify import Identify
from browse.server.middleware import LocalMiddleware
from browse.server.tunnel import TunnelMiddleware, tunnel_endpoints
from support.fakes import a_daemon, a_runner

ROUNDS = int(os.environ.get("BROWSE_ROUNDS", "1500"))
SEED = 20261116
ROOT_TOKEN = "the-token-of-the-owner"
SERVICES = a_daemon(Running(a_runner()))
METHODS = [
    "GET",
    "POST",
    "PUT",
    "DELETE",
    "HEAD",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "get",
    "P OST",
    "\0",
]
PATHS = sorted({it.path for it in local_endpoints(SERVICES)})
TWISTS = [
    "/../", "//", "/./", "/%2e%2e/", "/%2E/", "%2f", "%00", "%0d%0aX: y", "?", "#", ";", "\\",
    "/..;/", "%c0%ae%c0%ae/", "*", "{client}", " ", "\t", "A" * 3000, "é", "%", "%zz", "http://x/",
]  # fmt: skip
HEADERS = [
    "Host: evil.example", "Host:", "Host: 127.0.0.1:1\r\nHost: evil", "Origin: https://evil.example",
    "Origin: null", "Sec-Fetch-Site: cross-site", "X-Forwarded-For: 1.2.3.4, 5.6.7.8",
    "X-Forwarded-For: \r\n injected", "Content-Length: -1", "Content-Length: 99999999999999999999",
    "Transfer-Encoding: chunked", "Transfer-Encoding: identity\r\nContent-Length: 5",
    "Expect: 100-continue", "Connection: upgrade\r\nUpgrade: websocket", "Upgrade: h2c",
    "Authorization: Bearer", "Authorization: Bearer " + "x" * 5000, "Cookie: gstack_sse=",
    "Cookie: gstack_sse=" + "a" * 4000, "X-Browse-Argv: 99999999999",
    "Content-Type: application/x-browse-argv",
    "X: " + "y" * 20000, ": no name", "no colon", "\0: \0",
]  # fmt: skip
BODIES = [
    b"", b"{", b"[]", b"null", b'{"command": "stop"}', b'{"commands": []}', b'{"setup_key": 1}',
    b'{"setup_key": "\\ud800"}', b"\0" * 100, b"[" * 5000, b'{"message": "' + b"x" * 9000 + b'"}',
    b"5\r\nhello\r\n0\r\n\r\n", b"zz\r\n", b"GET /agents HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n",
]  # fmt: skip


class Doors:
    """Two listeners on real sockets whose handlers only tell that they were reached."""

    def __init__(self) -> None:
        self.reached: list[tuple[Surface, Endpoint, str]] = []
        self.ports: dict[Surface, int] = {}
        self.tokens, self.tickets = Tokens(ROOT_TOKEN), Tickets()
        self.scoped = self.tokens.issue(TokenKind.SESSION, Terms("codex", rate=0)).token
        self.key = self.tokens.invite(Terms("new"))[0].token
        self.ticket = self.tickets.issue(TicketKind.FEED)
        self._servers: list[Listening] = []

    async def open(self) -> None:
        listed = {
            Surface.LOCAL: local_endpoints(SERVICES),
            Surface.TUNNEL: tunnel_endpoints(SERVICES),
        }
        for surface, endpoints in listed.items():
            listener = socket.socket()
            listener.bind(("127.0.0.1", 0))
            self.ports[surface] = listener.getsockname()[1]
            identify = Identify(self.tokens, Rates(), self.tickets, surface)
            router = Router(
                mount([self._marked(surface, it) for it in endpoints], identify),
                redirect_slashes=False,
            )
            local = surface is Surface.LOCAL
            app: Any = (
                LocalMiddleware(router) if local else TunnelMiddleware(router, lambda *_: None)
            )
            self._servers.append(await serve(app, listener))

    def close(self) -> None:
        for server in self._servers:
            server.close()

    def _marked(self, surface: Surface, endpoint: Endpoint) -> Endpoint:
        async def reached(request: Request, caller: Caller) -> reply.Reply:
            await body.read(request, body.SMALL)
            self.reached.append((surface, endpoint, caller.name))
            return reply.nothing(204)

        return replace(endpoint, handler=reached)


@pytest.fixture
async def doors() -> AsyncIterator[Doors]:
    made = Doors()
    await made.open()
    yield made
    made.close()


def nonsense(dice: random.Random, doors: Doors, surface: Surface) -> tuple[bytes, bool]:
    """Make a request, and tell whether it carries the owner's token."""
    path = dice.choice([*PATHS, "/", ""])
    for _ in range(dice.choice([0, 0, 1, 2])):
        at = dice.randrange(len(path) + 1)
        path = path[:at] + dice.choice(TWISTS) + path[at:]
    owner = dice.random() < 0.2
    bearers = [doors.scoped, doors.key, doors.ticket, "wrong"]
    method = dice.choice([*METHODS, "GET", "POST", "POST", "POST"])
    version = dice.choice(["1.1", "1.1", "1.1", "1.0", "9.9"])
    lines = [f"{method} {path} HTTP/{version}"]
    if dice.random() < 0.8:
        lines.append(f"Host: 127.0.0.1:{doors.ports[surface]}")
    if dice.random() < 0.7:
        lines.append(f"Authorization: Bearer {ROOT_TOKEN if owner else dice.choice(bearers)}")
    lines += dice.sample(HEADERS, dice.choice([0, 0, 1, 3]))
    content = dice.choice(BODIES)
    if dice.random() < 0.8:
        lines.append(f"Content-Length: {len(content) + dice.choice([0, 0, 0, 0, -1, 7])}")
    head = "\r\n".join(lines) + dice.choice(["\r\n\r\n"] * 9 + ["\n\n"])
    raw = head.encode("utf-8", "replace") + content
    return raw * dice.choice([1, 1, 1, 3]), owner


async def send(port: int, raw: bytes, dice: random.Random | None = None) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        cut = dice.randrange(len(raw)) if dice and dice.random() < 0.2 else len(raw)
        writer.write(raw[: cut // 2])
        await writer.drain()
        writer.write(raw[cut // 2 : cut])
        writer.write_eof()
        return await reader.read(200_000)
    except ConnectionError:
        return b""
    finally:
        writer.close()


def statuses(answer: bytes) -> list[int]:
    return [
        int(line.split()[1])
        for line in answer.split(b"\r\n")
        if line.startswith(b"HTTP/1.1 ") and line.split()[1].isdigit()
    ]


async def test_nothing_breaks_and_nothing_is_reached_that_should_not_be(doors):
    dice = random.Random(SEED)
    seen: Counter[tuple[str, int]] = Counter()
    for _ in range(ROUNDS):
        surface = dice.choice([Surface.LOCAL, Surface.TUNNEL])
        raw, owner = nonsense(dice, doors, surface)
        doors.reached.clear()
        async with asyncio.timeout(30):
            answer = await send(doors.ports[surface], raw, dice)
        for status in statuses(answer):
            seen[surface.name or "", status] += 1
            assert status < 500, (raw[:300], answer[:300])
        for where, endpoint, caller in doors.reached:
            allowed = (
                endpoint.access is EndpointAccess.ANYONE
                or (endpoint.access is EndpointAccess.BEARER and caller == "codex")
                or (where is Surface.LOCAL and owner and caller == "root")
            )
            assert allowed, (raw[:300], endpoint)
    print(f"{ROUNDS} requests: {dict(seen)}")
    assert {status for _, status in seen} >= {204, 401, 404}
    for port in doors.ports.values():
        still_there = b"GET /connect HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % port
        assert statuses(await send(port, still_there)) == [204]


async def test_many_half_open_requests_do_not_keep_others_out(doors):
    port = doors.ports[Surface.TUNNEL]
    slow = [await asyncio.open_connection("127.0.0.1", port) for _ in range(200)]
    for _, writer in slow:
        writer.write(b"POST /connect HTTP/1.1\r\nContent-Length: 1000\r\n\r\n{")
        await writer.drain()

    answer = await send(port, b"GET /connect HTTP/1.1\r\nHost: x\r\n\r\n")

    assert statuses(answer) == [204]
    for _, writer in slow:
        writer.close()


async def test_a_body_beyond_the_limit_ends_with_a_refusal(doors):
    raw = b"POST /connect HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n" + b"x" * 200_000

    answer = await send(doors.ports[Surface.TUNNEL], raw)

    assert statuses(answer) == [413]
