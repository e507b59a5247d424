"""The tunnel over HTTP: opened and closed by the owner."""

from starlette.requests import Request

from browse.auth.caller import Caller
from browse.server import reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.services import Services


def endpoints(services: Services) -> list[Endpoint]:
    """Build the endpoints of the tunnel."""

    async def start(_: Request, __: Caller) -> reply.Reply:
        """Bind the tunnel listener and open a tunnel to it; needs the person's consent.

        Returns `{url}`, with `already_active: true` if it was open.
        """
        url, already = await services.access.gateway.start()
        return reply.facts({"url": url, **({"already_active": True} if already else {})})

    async def stop(_: Request, __: Caller) -> reply.Reply:
        """Close the tunnel and its listener: `{stopped}`. Tokens stay valid on this machine."""
        return reply.facts({"stopped": await services.access.gateway.stop()})

    async def status(_: Request, __: Caller) -> reply.Reply:
        """Report whether the tunnel is open: `{open, url, provider, since}`, or why it closed."""
        return reply.facts(services.access.gateway.status())

    return [
        Endpoint("POST", "/tunnel/start", EndpointAccess.OWNER, start),
        Endpoint("POST", "/tunnel/stop", EndpointAccess.OWNER, stop),
        Endpoint("GET", "/tunnel", EndpointAccess.OWNER, status),
    ]
