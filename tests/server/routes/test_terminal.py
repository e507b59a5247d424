"""The terminal over HTTP and its WebSocket: a real listener, a real client, a real shell."""

import asyncio
import json
import re
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.typing import Origin, Subprotocol

from browse.auth.tickets import TicketKind
from browse.core.extension_id import ORIGIN
from browse.dispatch.running import Running
from browse.server.app import local_app
from browse.server.embedded import serve
from browse.server.routes.terminal import PATH, PROTOCOL, TOO_MUCH
from browse.terminal.session import CloseCode
from support.cli import HANG_S
from support.fake_terminals import FakeTerminalHost, a_terminal_keeper
from support.fakes import a_daemon, a_runner

TOKEN = "the-token-of-the-owner"


class Panel:
    """A viewer of a terminal, as the side panel is one."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.seen = bytearray()
        self.told: list[dict[str, Any]] = []

    async def say(self, **word: object) -> None:
        await self.connection.send(json.dumps(word))

    async def type(self, words: str) -> None:
        await self.connection.send(words.encode())

    async def read(self) -> None:
        async with asyncio.timeout(HANG_S):
            message = await self.connection.recv()
        if isinstance(message, bytes):
            self.seen += message
        else:
            self.told.append(json.loads(message))

    async def until(self, wanted: bytes) -> bytes:
        while wanted not in self.seen:
            await self.read()
        return bytes(self.seen)

    async def closing(self) -> int:
        while True:
            try:
                await self.read()
            except ConnectionClosed as ended:
                return ended.rcvd.code if ended.rcvd else 0


class Daemon:
    """A listener with terminals."""

    def __init__(self) -> None:
        self.host = FakeTerminalHost()
        self.port = 0

    async def open(self, **settings: int) -> None:
        services = a_daemon(Running(a_runner()), token=TOKEN)
        self.tickets = services.access.tickets
        self.terminals = a_terminal_keeper(self.host, self.tickets, **settings)
        services = a_daemon(services.running, access=services.access, terminals=self.terminals)
        listener = socket.create_server(("127.0.0.1", 0))
        listener.setblocking(False)
        self.port = listener.getsockname()[1]
        self.server = await serve(local_app(services), listener)

    async def close(self) -> None:
        self.server.close()
        await self.terminals.close()
        await asyncio.sleep(0)

    async def post(self, path: str, **sent: str) -> httpx.Response:
        ticket = self.tickets.issue(TicketKind.EXTENSION)
        headers = {"Authorization": f"Bearer {ticket}", "Origin": ORIGIN}
        async with httpx.AsyncClient(trust_env=False) as client:
            return await client.post(
                f"http://127.0.0.1:{self.port}{path}", headers=headers, json=sent
            )

    async def grant(self, path: str = "/pty-session", **sent: str) -> dict[str, Any]:
        answer = await self.post(path, **sent)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def panel(self, ticket: str, origin: str = ORIGIN) -> Panel:
        connection = await connect(
            f"ws://127.0.0.1:{self.port}{PATH}",
            subprotocols=[Subprotocol(f"{PROTOCOL}.{ticket}")],
            origin=Origin(origin) if origin else None,
            proxy=None,
            max_size=None,
        )
        return Panel(connection)

    async def started(self) -> tuple[Panel, str]:
        grant = await self.grant()
        panel = await self.panel(grant["attachToken"])
        await panel.say(type="start", cols=100, rows=30)
        return panel, grant["sessionId"]

    async def back(self, name: str) -> Panel:
        grant = await self.grant("/pty-session/reattach", sessionId=name)
        return await self.panel(grant["attachToken"])


@pytest.fixture
async def daemon() -> AsyncIterator[Daemon]:
    made = Daemon()
    await made.open()
    yield made
    await made.close()


async def test_a_shell_answers_and_has_the_size_of_its_panel(daemon: Daemon):
    grant = await daemon.grant()
    panel = await daemon.panel(grant["attachToken"])
    assert panel.connection.subprotocol == f"{PROTOCOL}.{grant['attachToken']}"
    await panel.type("stty size; echo hello-$((40+2))\n")  # the first key starts it
    assert b"24 80\r\n" in await panel.until(b"hello-42")

    await panel.say(type="resize", cols=120, rows=50)
    await panel.type("stty size; echo again-$((40+2))\n")
    assert b"50 120\r\n" in await panel.until(b"again-42")

    await panel.type("exit 5\n")
    assert await panel.closing() == CloseCode.EXITED
    assert panel.told[-1] == {"type": "exit", "code": 5, "reason": "the program has ended"}


async def test_a_grant_says_where_what_and_until_when(daemon: Daemon):
    daemon.host.notice = "no agent is installed"
    grant = await daemon.grant()

    assert grant["terminalPort"] == daemon.port
    assert grant["ptySessionToken"] == grant["attachToken"]
    assert re.fullmatch(r"20\d\d-.*Z", grant["leaseExpiresAt"])
    about = {"name": "sh", "agent": False, "notice": "no agent is installed"}
    assert grant["program"] == about


async def test_ctrl_c_interrupts_a_program_and_a_flood(daemon: Daemon):
    panel, _ = await daemon.started()
    await panel.type("trap : INT; yes a-flood; echo over-$((40+2))\n")
    await panel.until(b"a-flood\r\na-flood\r\n")
    await panel.type("\x03")

    await panel.until(b"over-42")


FULL_SCREEN = """
import curses
def show(screen):
    for key in iter(screen.getkey, "q"):
        rows, columns = screen.getmaxyx()
        screen.clear()
        screen.addstr(0, 0, f"{key} {columns}x{rows}")
curses.wrapper(show)
"""


async def test_a_full_screen_program_draws_resizes_and_gives_the_screen_back(daemon: Daemon):
    daemon.host.argv = (sys.executable, "-c", FULL_SCREEN)
    panel, name = await daemon.started()
    await panel.until(b"\x1b[?1049h")
    await panel.type("k")
    await panel.until(b"k 100x30")
    await panel.say(type="resize", cols=60, rows=20)
    await panel.type("k")  # curses may miss a signal that comes just before it reads
    await panel.until(b"60x20")
    await panel.connection.close()

    back = await daemon.back(name)
    await back.until(b"\x1b[?1049h")
    await back.type("j")
    await back.until(b"j 60x20")
    await back.type("q")
    assert await back.closing() == CloseCode.EXITED
    assert b"\x1b[?1049l" in back.seen


async def test_a_cut_connection_loses_nothing(daemon: Daemon):
    panel, name = await daemon.started()
    await panel.type("echo ready-$((40+2)); read go; seq 500; echo mean''while\n")
    await panel.until(b"ready-42")
    await panel.type("\n")
    panel.connection.transport.abort()

    back = await daemon.back(name)
    seen = await back.until(b"meanwhile\r\n")
    assert back.told[0] == {"type": "reattach-begin", "sessionId": name}
    assert b"\n499\r\n500\r\n" in seen
    await back.type("echo still-$((40+2))\n")
    await back.until(b"still-42")


async def test_the_second_panel_takes_over_and_the_first_is_told(daemon: Daemon):
    first, name = await daemon.started()
    await first.type("echo one-$((40+2))\n")
    await first.until(b"one-42")
    second = await daemon.back(name)

    assert await first.closing() == CloseCode.TAKEN_OVER
    await second.type("echo two-$((40+2))\n")
    assert b"one-42" in await second.until(b"two-42")


async def test_bytes_that_are_no_text_pass_unchanged(daemon: Daemon):
    every = bytes(range(128, 256)) + b"\xc3\x28\xf0\x28\x8c\x28"
    script = f"import os, tty; tty.setraw(1); os.write(1, {every!r}); input()"
    daemon.host.argv = (sys.executable, "-c", script)
    panel, _ = await daemon.started()

    await panel.until(every)


async def test_only_the_extension_and_our_pages_open_it_with_a_ticket(daemon: Daemon):
    async def refusal(ticket: str, origin: str) -> int:
        with pytest.raises(InvalidStatus) as caught:
            await daemon.panel(ticket, origin)
        return caught.value.response.status_code

    good = (await daemon.grant())["attachToken"]
    own = f"http://127.0.0.1:{daemon.port}"
    other = "chrome-extension://" + "a" * 32

    assert await refusal("guess", ORIGIN) == 401
    assert await refusal(daemon.tickets.issue(TicketKind.DASHBOARD), own) == 401
    assert await refusal(good, "https://evil.example") == 403
    assert await refusal(good, other) == 403
    assert await refusal(good, "null") == 403
    panel = await daemon.panel(good, own)
    await panel.type("echo in-$((40+2))\n")
    await panel.until(b"in-42")


async def test_a_ticket_works_once(daemon: Daemon):
    ticket = (await daemon.grant())["attachToken"]
    await daemon.panel(ticket)
    again = await daemon.panel(ticket)

    assert await again.closing() == CloseCode.NOT_GRANTED


async def test_restart_and_dispose_end_what_runs_and_say_so(daemon: Daemon):
    first, name = await daemon.started()
    await first.type("echo up-$((40+2))\n")
    await first.until(b"up-42")
    fresh = await daemon.grant("/pty-restart", sessionId=name)
    assert await first.closing() == CloseCode.ENDED
    assert (await daemon.post("/pty-session/reattach", sessionId=name)).status_code == 410

    second = await daemon.panel(fresh["attachToken"])
    await second.say(type="start")
    assert (await daemon.post("/pty-dispose", sessionId=fresh["sessionId"])).json() == {"ok": True}
    assert await second.closing() == CloseCode.ENDED


async def test_everything_that_a_panel_says_keeps_its_lease(monkeypatch: pytest.MonkeyPatch):
    daemon = Daemon()
    await daemon.open(pty_keepalive_ms=100)
    panel, name = await daemon.started()
    await panel.type("echo up-$((40+2))\n")
    await panel.until(b"up-42")
    used = asyncio.Queue[None]()
    lease = daemon.terminals._kept[name].lease
    monkeypatch.setattr(lease, "use", lambda: used.put_nowait(None))
    while not any(it["type"] == "ping" for it in panel.told):
        await panel.read()
    for word in ({"type": "pong"}, {"type": "ack", "bytes": 1}):
        await panel.say(**word)
        async with asyncio.timeout(HANG_S):
            await used.get()
    await daemon.close()


async def test_the_end_of_a_lease_is_told(daemon: Daemon):
    panel, name = await daemon.started()
    session = daemon.terminals._kept[name]
    session.lease.end()
    session.told.set()  # as if its time had come

    assert await panel.closing() == CloseCode.EXPIRED
    assert (await daemon.post("/pty-session/reattach", sessionId=name)).status_code == 410


async def test_words_that_it_does_not_know_change_nothing(daemon: Daemon):
    panel, _ = await daemon.started()
    for word in ("", "{", "[]", '{"type": 3}', '{"type": "no-such"}', "[" * 50_000, '"\ud83d"'):
        await panel.connection.send(word.encode("utf-8", "replace").decode())
    await panel.say(type="resize", cols="wide", rows=3)
    await panel.say(type="resize", cols=-4, rows=10**9)
    await panel.say(type="tabState", active={"tabId": 991, "url": "https://a.example/"}, tabs=[])
    await panel.type("stty size; echo well-$((40+2))\n")

    assert b"1000 2\r\n" in await panel.until(b"well-42")
    assert daemon.host.tabs == [("tabState", "https://a.example/")]


async def test_a_program_that_does_not_read_is_not_sent_for_ever(daemon: Daemon):
    daemon.host.argv = ("/bin/sleep", "1000")
    panel, _ = await daemon.started()

    with suppress(ConnectionClosed):
        for _ in range(20):
            await panel.connection.send(b"x" * 1_000_000)

    assert await panel.closing() == TOO_MUCH
    assert daemon.terminals.are_used  # it goes on without that viewer


async def test_more_output_than_fits_anywhere_comes_whole(daemon: Daemon):
    daemon.host.argv = ("/bin/sh", "-c", "stty -opost; head -c 20000000 /dev/zero; exit 0")
    panel, _ = await daemon.started()

    assert await panel.closing() == CloseCode.EXITED
    assert len(panel.seen) == 20_000_000
