"""uvicorn's HTTP protocol on a socket that we bound, inside our own loop.

`uvicorn.Server` would take over signals and wake up ten times a second; an idle daemon sleeps.
"""

import asyncio
import socket
import time

from starlette.types import ASGIApp
from uvicorn import Config, Server


class Listening:
    """A listener and the conversations on it."""

    def __init__(self, server: asyncio.Server, uvicorn: Server) -> None:
        self._server = server
        self._state = uvicorn.server_state

    def close(self) -> None:
        """Take no further connection; those that are open go on."""
        self._server.close()

    async def part(self, limit_s: float) -> None:
        """Answer every request that was read, and read no more, so that nobody is left to guess.

        A request that stays unread is reset by the system when we end: that tells its sender that
        nothing ran, and it turns to our successor.
        """
        for connection in self._state.connections:
            connection.transport.pause_reading()
        until = time.monotonic() + limit_s
        while self._someone_waits() and (left := until - time.monotonic()) > 0:
            await asyncio.wait(self._state.tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)

    def _someone_waits(self) -> bool:
        return bool(self._state.tasks) and any(map(_is_owed_an_answer, self._state.connections))


def _is_owed_an_answer(connection: asyncio.Protocol) -> bool:
    # A stream of events that has begun is not waited for: it has no end.
    cycle = getattr(connection, "cycle", None)
    return cycle is not None and not cycle.response_started


async def serve(app: ASGIApp, listener: socket.socket) -> Listening:
    """Start answering on a bound socket."""
    config = Config(
        app,
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
    )
    config.load()
    uvicorn = Server(config)  # it never serves: only the record of connections is its own

    def converse() -> asyncio.Protocol:
        state = uvicorn.server_state
        made = config.http_protocol_class
        return made(config=config, server_state=state, app_state={})  # type: ignore[call-arg]

    server = await asyncio.get_running_loop().create_server(converse, sock=listener)
    return Listening(server, uvicorn)
