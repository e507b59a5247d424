"""Endpoints, each declared with who may use it; the checks run before its handler."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from typing import Any

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from browse.auth.caller import Caller
from browse.auth.tickets import TicketKind
from browse.server.identify import Identify
from browse.server.sources import Sources, require_source

log = logging.getLogger(__name__)
Handler = Callable[[Request, Caller], Awaitable[Any]]
SocketHandler = Callable[[WebSocket, Caller], Awaitable[None]]
DEFECT = 1011


class EndpointAccess(Enum):
    """Who may use an endpoint."""

    ANYONE = "No token needed."
    BEARER = "Needs a token: the owner's, an agent's or a skill's."
    OWNER = "Needs the owner's token."
    VIEWER = "Needs the owner's token, or the cookie of `POST /sse-session`."
    VIEW = "Needs the owner's token, or a ticket of the live view."
    DASHBOARD = "Needs the owner's token, or a ticket of the dashboard."
    COOKIE_PICKER = "Needs the owner's token, or a ticket of the cookie picker."
    TERMINAL = "Needs the owner's token, or a ticket of the terminal."


_TICKETS = {
    EndpointAccess.VIEW: TicketKind.VIEW,
    EndpointAccess.DASHBOARD: TicketKind.DASHBOARD,
    EndpointAccess.COOKIE_PICKER: TicketKind.COOKIE_PICKER,
    EndpointAccess.TERMINAL: TicketKind.TERMINAL,
}


class Endpoint(msgspec.Struct, frozen=True):
    """A method and a path, who may use it, its handler, and which pages may call it."""

    method: str
    path: str
    access: EndpointAccess
    handler: Handler
    sources: Sources = Sources.PROGRAMS


class Socket(msgspec.Struct, frozen=True):
    """A WebSocket: its path, who may open it, its protocol, its handler, and from which pages.

    The token or ticket is sent as the subprotocol `<protocol>.<ticket>`: a page can set no other
    header of a WebSocket.
    """

    path: str
    access: EndpointAccess
    protocol: str
    handler: SocketHandler
    sources: Sources


def mount(
    endpoints: Sequence[Endpoint], identify: Identify, sockets: Sequence[Socket] = ()
) -> list[BaseRoute]:
    """Build routes from endpoints; each checks the caller first."""

    def guarded(endpoint: Endpoint) -> Callable[[Request], Awaitable[Any]]:
        async def handle(request: Request) -> Any:
            return await endpoint.handler(request, _caller(endpoint, identify, request))

        return handle

    def opened(endpoint: Socket) -> Callable[[WebSocket], Awaitable[None]]:
        async def handle(socket: WebSocket) -> None:
            offered = identify.take_ticket(socket, endpoint.protocol)
            caller = _caller(endpoint, identify, socket)
            await socket.accept(subprotocol=offered)
            await _converse(socket, endpoint.handler(socket, caller))

        return handle

    return [
        *(Route(it.path, guarded(it), methods=[it.method]) for it in endpoints),
        *(WebSocketRoute(it.path, opened(it)) for it in sockets),
    ]


def _caller(endpoint: Endpoint | Socket, identify: Identify, asking: HTTPConnection) -> Caller:
    require_source(asking, endpoint.sources)
    if endpoint.access is EndpointAccess.ANYONE:
        return identify.nobody(asking)
    if Sources.EXTENSION in endpoint.sources and (owner := identify.extension(asking)):
        return owner
    if kind := _TICKETS.get(endpoint.access):
        return identify.holder(asking, kind)
    check: dict[EndpointAccess, Callable[[HTTPConnection], Caller]] = {
        EndpointAccess.BEARER: identify.caller,
        EndpointAccess.OWNER: identify.owner,
        EndpointAccess.VIEWER: identify.viewer,
    }
    return check[endpoint.access](asking)


async def _converse(socket: WebSocket, talk: Awaitable[None]) -> None:
    """Run a socket's handler; a defect in it ends the connection, without details."""
    try:
        await talk
    except WebSocketDisconnect:
        return
    except Exception:  # a defect in a handler: the other end learns only that there was one
        log.exception("the socket %s failed", socket.scope["path"])
        await _close(socket, DEFECT)
    else:
        await _close(socket, 1000)


async def _close(socket: WebSocket, code: int) -> None:
    if WebSocketState.DISCONNECTED not in (socket.client_state, socket.application_state):
        await socket.close(code)
