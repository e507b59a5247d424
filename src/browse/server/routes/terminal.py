"""The terminal: `/pty-session` and its kin, and the WebSocket that carries its bytes."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from browse.auth.caller import Caller
from browse.core.clock import stamp
from browse.core.controls import encode_json
from browse.core.tasks import spawn
from browse.server import body, reply
from browse.server.access import Endpoint, EndpointAccess, Socket
from browse.server.identify import sent
from browse.server.services import Services
from browse.server.sources import Sources
from browse.terminal.session import Attachment, CloseCode, TerminalSession
from browse.terminal.sessions import TerminalGrant, Terminals

PATH = "/ws"
PROTOCOL = "gstack-pty"
TOO_MUCH = 1009
_PAGES = Sources.EXTENSION | Sources.OWN_PAGES


class TerminalName(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """Which terminal is meant."""

    session_id: str = ""


class TabFact(msgspec.Struct):
    """The tab that a person looks at, as the browser's own API knows it."""

    url: str = ""


class TerminalWord(msgspec.Struct):
    """A message of a viewer; what it does not know, it leaves out."""

    type: str
    cols: int = 0
    rows: int = 0
    bytes: int = 0
    active: TabFact | None = None
    url: str = ""


def endpoints(services: Services) -> list[Endpoint]:
    """Build the endpoints that grant, restart and end terminals."""
    terminals = services.terminals

    async def session(request: Request, _: Caller) -> reply.Reply:
        """Get a terminal: `{terminalPort, sessionId, attachToken, leaseExpiresAt, program}`.

        Open the WebSocket `/ws` with `attachToken`, which works once. `program` says what will run:
        `{name, agent, notice}`, where `agent` is false for a shell. `ptySessionToken` and
        `expiresAt` are other names for the token and its end.
        """
        return _granted(request, terminals, terminals.open())

    async def reattach(request: Request, _: Caller) -> reply.Reply:
        """Come back to a terminal: `{sessionId}` returns what `/pty-session` does.

        410 if it has ended, or if its lease has.
        """
        return _granted(request, terminals, terminals.reattach(await _name(request)))

    async def restart(request: Request, _: Caller) -> reply.Reply:
        """End a terminal with all that runs in it, and get a new one: `{sessionId?}`."""
        return _granted(request, terminals, await terminals.restart(await _name(request)))

    async def dispose(request: Request, _: Caller) -> reply.Reply:
        """End a terminal with all that runs in it: `{sessionId}` returns `{ok: true}`."""
        await terminals.dispose(await _name(request))
        return reply.facts({"ok": True})

    access = EndpointAccess.TERMINAL
    return [
        Endpoint("POST", "/pty-session", access, session, _PAGES),
        Endpoint("POST", "/pty-session/reattach", access, reattach, _PAGES),
        Endpoint("POST", "/pty-restart", access, restart, _PAGES),
        Endpoint("POST", "/pty-dispose", access, dispose, _PAGES),
    ]


async def _name(request: Request) -> str:
    raw = await body.read(request, body.SMALL)
    return body.decode(raw or b"{}", TerminalName).session_id


def _granted(request: Request, terminals: Terminals, grant: TerminalGrant) -> reply.Reply:
    program = terminals.host.program()
    until = stamp(datetime.now(UTC) + timedelta(seconds=grant.session.lease.left_s))
    return reply.facts(
        {
            # The daemon's own, as the caller knows it: behind `ssh -L` it is another.
            "terminalPort": request.url.port,
            "sessionId": grant.session.name,
            "attachToken": grant.ticket,
            "leaseExpiresAt": until,
            "ptySessionToken": grant.ticket,
            "expiresAt": until,
            "program": {
                "name": program.name,
                "agent": program.is_agent,
                "notice": program.notice,
            },
        }
    )


def socket(services: Services) -> Socket:
    """Build the WebSocket of a terminal."""
    terminals = services.terminals

    async def terminal(connection: WebSocket, _: Caller) -> None:
        """Watch a terminal and type into it. A second viewer takes over from the first.

        Binary messages are what is typed and what is printed. Text messages are JSON. To the
        daemon: `{type: "start", cols, rows}` starts the program (so does the first key),
        `{type: "resize", cols, rows}`, `{type: "ack", bytes}` (shown so far: from then on no more
        than 256 KiB are sent ahead), `{type: "tabState", active: {url}}`, `{type: "pong"}`. From
        it: `{type: "ping", ts}`, `{type: "reattach-begin", sessionId}` before what was printed
        earlier, `{type: "exit", code, reason}`. It is closed with 1000 when the program has ended,
        4001 when the terminal was closed, 4002 when it was opened elsewhere, 4003 when its lease
        ended, 4004 when the ticket was used before, 4404 when nothing could be started.
        """
        session = terminals.claim(sent(connection))
        if session is None:
            await connection.close(CloseCode.NOT_GRANTED, "ask POST /pty-session for a ticket")
            return
        talk = _Talk(terminals, session, connection)
        await talk.run()

    return Socket(PATH, EndpointAccess.TERMINAL, PROTOCOL, terminal, _PAGES)


class SocketViewer:
    """The viewer of a terminal at the other end of a WebSocket."""

    def __init__(self, connection: WebSocket) -> None:
        self._connection = connection

    async def send(self, output: bytes) -> None:
        await self._connection.send_bytes(output)

    async def tell(self, **facts: object) -> None:
        await self._connection.send_text(encode_json(facts).decode())

    async def close(self, code: int, reason: str) -> None:
        connection = self._connection
        if WebSocketState.DISCONNECTED not in (
            connection.client_state,
            connection.application_state,
        ):
            await connection.close(code, reason)


class _Talk:
    """One viewer at a terminal, from its connection to its end."""

    def __init__(
        self, terminals: Terminals, session: TerminalSession, connection: WebSocket
    ) -> None:
        self._terminals = terminals
        self._session = session
        self._connection = connection
        self._viewer = SocketViewer(connection)

    async def run(self) -> None:
        attached = self._session.attach(self._viewer)
        beside = [
            spawn(_until_gone(self._session.show(attached)), name="show a terminal"),
            spawn(_until_gone(self._keep_alive()), name="keep a terminal's viewer"),
        ]
        try:
            while (message := await self._connection.receive())["type"] == "websocket.receive":
                self._session.lease.use()
                await self._hear(attached, message)
        finally:
            for task in beside:
                task.cancel()
            self._session.detach(attached)

    async def _hear(self, attached: Attachment, message: Any) -> None:
        if (typed := message.get("bytes")) is not None:
            await self._terminals.start(self._session)
            if not self._session.type(typed):
                await self._viewer.close(TOO_MUCH, "the program does not read what is typed")
            return
        try:
            word = msgspec.json.decode(message.get("text") or "{}", type=TerminalWord)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return  # what it does not know, it does not hear
        await self._obey(attached, word)

    async def _obey(self, attached: Attachment, word: TerminalWord) -> None:
        match word.type:
            case "start" | "resize":
                if word.cols and word.rows:
                    self._session.resize(word.cols, word.rows)
                if word.type == "start":
                    await self._terminals.start(self._session)
            case "ack":
                self._session.acknowledge(attached, word.bytes)
            case "tabState" | "tabSwitch":
                looked_at = word.active.url if word.active else word.url
                await self._terminals.host.tabs_changed(word.type, looked_at)

    async def _keep_alive(self) -> None:
        """Ask whether somebody is there: a page cannot see the pings of the protocol."""
        while True:
            await asyncio.sleep(self._terminals.keepalive_s)
            await self._viewer.tell(type="ping", ts=stamp())


async def _until_gone(work: Any) -> None:
    try:
        await work
    except (WebSocketDisconnect, RuntimeError):  # starlette's word for a socket that is closed
        return
