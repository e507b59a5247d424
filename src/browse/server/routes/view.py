"""The live view: its page, and the WebSocket of its picture and its input."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from browse.auth.caller import Caller
from browse.server.access import EndpointAccess, Socket
from browse.server.services import Services
from browse.server.sources import Sources

PROTOCOL = "browse-view"


def socket(services: Services) -> Socket:
    """Build the WebSocket of the live view."""

    async def view(opened: WebSocket, _: Caller) -> None:
        """Show a running tab (`?tab=<id>`): frames come as binary messages, the rest as JSON.

        A frame is its number in four bytes, then a JPEG. The viewer sends `drawn` for each.
        """
        typed = opened.query_params.get("tab", "")
        tab = int(typed) if typed.isdecimal() and len(typed) < 10 else None
        await services.live_view().attend(SocketWire(opened), tab)

    return Socket("/view-socket", EndpointAccess.VIEW, PROTOCOL, view, Sources.OWN_PAGES)


class SocketWire:
    """A WebSocket as the live view needs it."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._gone = False

    async def send_text(self, text: str) -> None:
        await self._send(self._socket.send_text, text)

    async def send_bytes(self, data: bytes) -> None:
        await self._send(self._socket.send_bytes, data)

    async def _send(self, send: Callable[[Any], Awaitable[None]], data: str | bytes) -> None:
        if self._gone:
            return
        try:
            await send(data)
        except (WebSocketDisconnect, RuntimeError):
            self._gone = True  # the reader learns of it too

    async def messages(self) -> AsyncIterator[str]:
        """Give each text message until the viewer goes."""
        try:
            while True:
                yield await self._socket.receive_text()
        except (WebSocketDisconnect, KeyError):
            self._gone = True
