"""GET /health: whether the daemon is up. Never asks a page, never shows a token."""

from starlette.requests import Request

from browse.auth.caller import Caller
from browse.server import reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.services import Services


def endpoint(services: Services) -> Endpoint:
    """Build the endpoint that reports the daemon's health to anyone on this machine."""

    async def health(request: Request, _: Caller) -> reply.Reply:
        """Report whether the daemon is up: `{status, mode, uptime, tabs, terminalPort}`.

        `terminalPort` is the port of the terminal's WebSocket, which is the daemon's own.
        """
        return reply.facts({**services.health(), "terminalPort": request.url.port})

    return Endpoint("GET", "/health", EndpointAccess.ANYONE, health)
