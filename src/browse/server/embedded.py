"""uvicorn's HTTP protocol on a socket that we bound, inside our own loop.

`uvicorn.Server` would take over signals and wake up ten times a second; an idle daemon sleeps.
"""

import asyncio
import socket
import time

from starlette.types import ASGIApp
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState


class Listening:
    """A listener and the conversations on it."""

    def __init__(self, server: asyncio.Server, state: ServerState) -> None:
        self._server = server
        self._state = state

    def close(self) -> None:
        """Take no further connection; those that are open go on."""
        self._server.close()

    async def part(self, limit_s: float) -> None:
        """Answer every request that was read, and read no more, so that nobody is left to guess.

        A request that stays unread is reset by the system when we end: that tells its sender that
        nothing ran, and it turns to our successor.
        """
        for connection in self._conversations():
            connection.transport.pause_reading()
        until = time.monotonic() + limit_s
        while self._someone_waits() and (left := until - time.monotonic()) > 0:
            await asyncio.wait(self._state.tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)

    def _someone_waits(self) -> bool:
        return bool(self._state.tasks) and any(map(_is_owed_an_answer, self._conversations()))

    def _conversations(self) -> list[H11Protocol]:
        return [it for it in self._state.connections if isinstance(it, H11Protocol)]


def _is_owed_an_answer(connection: H11Protocol) -> bool:
    # A stream of events that has begun is not waited for: it has no end.
    return connection.cycle is not None and not connection.cycle.response_started


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
    state = ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: H11Protocol(config, state, {}), sock=listener)
    return Listening(server, state)
