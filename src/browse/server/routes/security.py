"""GET /security: which defences are active, for the side panel's shield."""

from starlette.requests import Request

from browse.auth.caller import Caller
from browse.server import reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.services import Services
from browse.server.sources import Sources


def endpoint(services: Services) -> Endpoint:
    """Build the endpoint that reports the defences."""

    async def security(_: Request, __: Caller) -> reply.Reply:
        """Report the state of the defences: `{status, filter, layers}`.

        `status` is `protected`, `degraded` (the classifier is switched off) or `inactive` (the
        filter is). `browse log security` lists what was refused.
        """
        return reply.facts(services.running.runner.parts.screening.status())

    return Endpoint("GET", "/security", EndpointAccess.VIEWER, security, Sources.EXTENSION)
