"""The tunnel over HTTP: opened and closed by the owner."""

from starlette.requests import Request

from browse.auth.caller import Caller
from browse.server import reply
from browse.server.access import Access, Endpoint
from browse.server.services import Services


def endpoints(services: Services) -> list[Endpoint]:
    """Make the endpoints of the tunnel."""

    async def start(_: Request, __: Caller) -> reply.Reply:
        """Bind the tunnel listener and open a tunnel to it; needs the person's consent.

        Gives `{url}`, with `already_active: true` if there was one.
        """
        url, already = await services.access.gateway.start()
        return reply.facts({"url": url, **({"already_active": True} if already else {})})

    async def stop(_: Request, __: Caller) -> reply.Reply:
        """Close the tunnel and its listener; tokens stay valid, on this machine. `{stopped}`."""
        return reply.facts({"stopped": await services.access.gateway.stop()})

    async def status(_: Request, __: Caller) -> reply.Reply:
        """Tell whether the tunnel is open: `{open, url, provider, since}`, or why it closed."""
        return reply.facts(services.access.gateway.status())

    return [
        Endpoint("POST", "/tunnel/start", Access.OWNER, start),
        Endpoint("POST", "/tunnel/stop", Access.OWNER, stop),
        Endpoint("GET", "/tunnel", Access.OWNER, status),
    ]
