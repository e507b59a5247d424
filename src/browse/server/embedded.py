"""uvicorn's HTTP protocol on a socket that we bound, inside our own loop.

`uvicorn.Server` would take over signals and wake up ten times a second; an idle daemon sleeps.
"""

import asyncio
import socket

from starlette.types import ASGIApp
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState


async def serve(app: ASGIApp, listener: socket.socket) -> asyncio.Server:
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
    return await loop.create_server(lambda: H11Protocol(config, state, {}), sock=listener)
