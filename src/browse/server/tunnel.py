"""The tunnel listener: its own socket, with its own list of endpoints.

It is what the internet sees. A request for anything that is not on the list gets the same empty
404, for every path and every method.
"""

import logging
from collections.abc import Callable

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.routing import Router
from starlette.types import ASGIApp, Receive, Scope, Send

from browse.core.errors import BrowseError, Code
from browse.core.scopes import Surface
from browse.server import reply
from browse.server.access import Endpoint, Socket, mount
from browse.server.identify import Identify
from browse.server.routes import batch, chat, command, file, pages, tokens, view
from browse.server.services import Services

log = logging.getLogger(__name__)
Denied = Callable[[HTTPConnection, str], None]
_REASONS = {
    Code.ROOT_REFUSED: "root_token_on_tunnel",
    Code.UNAUTHENTICATED: "missing_scoped_token",
    Code.RATE_LIMITED: "rate_limited",
}


def tunnel_endpoints(services: Services) -> list[Endpoint]:
    """List everything that a remote caller can reach."""
    return [
        *tokens.connect(services),
        command.endpoint(services),
        *batch.endpoints(services),
        chat.endpoint(services),
        file.endpoint(services),
        *pages.remote_endpoints(services),
    ]


def tunnel_sockets(services: Services) -> list[Socket]:
    """List the WebSockets that a remote browser can open."""
    return [view.socket(services)]


def tunnel_app(services: Services) -> ASGIApp:
    """Wrap the routes in the tunnel's middleware."""
    identify = Identify(
        services.access.tokens, services.rates, services.access.tickets, Surface.TUNNEL
    )
    routes = mount(tunnel_endpoints(services), identify, tunnel_sockets(services))
    return TunnelMiddleware(Router(routes, redirect_slashes=False), services.denied)


class TunnelMiddleware:
    """Answers unknown paths with an empty 404, and logs the callers that were refused."""

    def __init__(self, app: ASGIApp, denied: Denied) -> None:
        self._app = app
        self._denied = denied

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        scope["app"] = self._app  # makes the router raise instead of answering itself
        request = HTTPConnection(scope)
        answer: reply.Reply
        try:
            await self._app(scope, receive, send)
            return
        except BrowseError as problem:
            if reason := _REASONS.get(problem.code):
                self._denied(request, reason)
            answer = reply.error(problem)
        except HTTPException:
            self._denied(request, "path_not_on_tunnel")
            answer = reply.nothing(404)
        except Exception:  # a defect in a route: answer without a traceback
            log.exception("tunnel request %s failed", scope.get("method", "socket"))
            answer = reply.nothing(500)
        await answer(scope, receive, send)
