"""uvicorn's HTTP protocol on our own socket, inside our own event loop.

`uvicorn.Server` would handle signals and wake up ten times a second; an idle daemon must sleep.
"""

import asyncio
import socket
import time

from starlette.types import ASGIApp
from uvicorn import Config, Server

from browse.server.connections import BoundedProtocol

MAX_MESSAGE_BYTES = 1024 * 1024


class Listening:
    """A listener and its connections."""

    def __init__(self, server: asyncio.Server, uvicorn: Server) -> None:
        self._server = server
        self._state = uvicorn.server_state

    def close(self) -> None:
        """Accept no further connection; requests continue, WebSockets are told to reconnect."""
        self._server.close()
        for connection in list(self._state.connections):
            if not isinstance(connection, BoundedProtocol):
                connection.shutdown()

    async def finish(self, limit_s: float) -> None:
        """Answer every request that was read, and read no more.

        The system resets a connection with an unread request when we end. So its sender knows that
        nothing ran, and uses the next daemon.
        """
        for connection in self._state.connections:
            connection.transport.pause_reading()
        until = time.monotonic() + limit_s
        while self._has_unanswered() and (left := until - time.monotonic()) > 0:
            await asyncio.wait(self._state.tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)

    def _has_unanswered(self) -> bool:
        return bool(self._state.tasks) and any(map(_is_unanswered, self._state.connections))


def _is_unanswered(connection: asyncio.Protocol) -> bool:
    # Do not wait for an event stream that has started: it never ends.
    cycle = getattr(connection, "cycle", None)
    return cycle is not None and not cycle.response_started


async def serve(app: ASGIApp, listener: socket.socket) -> Listening:
    """Start to serve on a bound socket."""
    config = Config(
        app,
        http="h11",
        ws="none",  # loaded by the first socket that is opened
        ws_max_size=MAX_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
    )
    config.load()
    uvicorn = Server(config)  # never started: only its list of connections is used
    waiting: dict[BoundedProtocol, None] = {}

    def converse() -> asyncio.Protocol:
        state = uvicorn.server_state
        return BoundedProtocol(waiting=waiting, config=config, server_state=state, app_state={})

    server = await asyncio.get_running_loop().create_server(converse, sock=listener)
    return Listening(server, uvicorn)
