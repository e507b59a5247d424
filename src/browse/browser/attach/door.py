"""Where the driver connects, as to a browser: on loopback, once, with a token of its own."""

import logging
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from browse.browser.attach import messages
from browse.browser.attach.messages import CdpMessage

# Messages as large as they are, and nothing that only costs time between two programs.
PLAIN: dict[str, Any] = {"max_size": None, "compression": None, "ping_interval": None}


def quiet() -> logging.Logger:
    """Return a log for sockets that does not tell of every connection."""
    log = logging.getLogger(__name__)
    log.setLevel(logging.WARNING)
    return log


class Door:
    """Lets the driver in; `on_message` gets what it says, `on_left` is called when it leaves."""

    def __init__(
        self,
        on_message: Callable[[CdpMessage, bytes], Awaitable[None]],
        on_left: Callable[[], None],
    ) -> None:
        self._on_message = on_message
        self._on_left = on_left
        self._token = secrets.token_urlsafe(32)
        self._server: Server | None = None
        self._driver: ServerConnection | None = None

    async def open(self) -> str:
        """Listen; return the address for the driver."""
        options = {"process_request": self._admit, "logger": quiet(), **PLAIN}
        self._server = await serve(self._serve, "127.0.0.1", 0, **options)
        port = next(iter(self._server.sockets)).getsockname()[1]
        return f"ws://127.0.0.1:{port}/{self._token}"

    async def tell(self, raw: bytes) -> None:
        """Send something to the driver, if it is there."""
        if self._driver:
            with suppress(ConnectionClosed):
                await self._driver.send(raw, text=True)

    async def close(self) -> None:
        """Show the driver out, and let nobody in."""
        if self._server:
            self._server.close()
        if self._driver:
            await self._driver.close()

    def _admit(self, connection: ServerConnection, request: Request) -> Response | None:
        given = request.path.removeprefix("/").encode()
        fits = secrets.compare_digest(given, self._token.encode())
        if not fits or self._driver or "Origin" in request.headers:
            return connection.respond(HTTPStatus.FORBIDDEN, "")
        self._driver = connection
        return None

    async def _serve(self, driver: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            async for data in driver:
                raw = data.encode() if isinstance(data, str) else data
                await self._on_message(messages.read(raw), raw)
        self._on_left()
