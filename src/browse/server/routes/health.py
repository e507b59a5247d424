"""GET /health: is the daemon there. Never asks a page, never tells a token."""

from starlette.requests import Request

from browse.auth.caller import Caller
from browse.server import reply
from browse.server.access import Access, Endpoint
from browse.server.services import Services


def endpoint(services: Services) -> Endpoint:
    """Report liveness to anyone on this machine."""

    async def health(_: Request, __: Caller) -> reply.Reply:
        """Tell whether the daemon is up: `{status, mode, uptime, tabs}`."""
        return reply.facts(services.health())

    return Endpoint("GET", "/health", Access.ANYONE, health)
