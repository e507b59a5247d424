"""A limit on connections that have sent no whole request: in time, and in number.

Anyone on the machine, and behind a tunnel anyone at all, can open connections and send half a
request. Callers send theirs at once, so those that wait longest are ended first.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_S = 10.0
MAX_CONNECTIONS = 256


class BoundedProtocol(H11Protocol):
    """A connection that must send the head of each request in time."""

    def __init__(self, *, waiting: "dict[BoundedProtocol, None]", **more: Any) -> None:
        super().__init__(**more)
        self._waiting = waiting
        self._timer: asyncio.TimerHandle | None = None
        self._is_socket = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as there
        super().connection_made(transport)
        self._watch()
        if len(self.connections) > MAX_CONNECTIONS:
            oldest = next(iter(self._waiting))  # this one, if all others are being answered
            oldest.transport.abort()
            oldest.rest()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def _should_upgrade_to_ws(self) -> bool:
        return True

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection to the protocol of WebSockets, which few daemons ever need."""
        from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

        self._is_socket = True
        self.rest()
        self.ws_protocol_class = WebSocketsSansIOProtocol
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self.rest()
        super().connection_lost(exc)

    def _watch(self) -> None:
        """Start to wait for the head of a request, or stop it when the head is there."""
        if self.cycle and not self.cycle.response_complete:
            self.rest()
        elif self._timer is None and not self._is_socket and not self.transport.is_closing():
            self._waiting[self] = None
            self._timer = self.loop.call_later(HEAD_S, self._give_up)

    def _give_up(self) -> None:
        if not self.cycle or self.cycle.response_complete:
            self.transport.abort()
        self.rest()

    def rest(self) -> None:
        """Wait no more."""
        self._waiting.pop(self, None)
        if self._timer:
            self._timer.cancel()
            self._timer = None
