"""GET /security: which defences are live. The side panel's shield shows it."""

from starlette.requests import Request

from browse.auth.caller import Caller
from browse.server import reply
from browse.server.access import Access, Endpoint
from browse.server.services import Services


def endpoint(services: Services) -> Endpoint:
    """Make the endpoint of the shield."""

    async def security(_: Request, __: Caller) -> reply.Reply:
        """Tell the state of the defences: `{status, filter, layers}`.

        `status` is `protected`, `degraded` (the classifier is switched off) or `inactive` (the
        filter is). What was refused: `browse log security`.
        """
        return reply.facts(services.running.runner.parts.screening.status())

    return Endpoint("GET", "/security", Access.VIEWER, security)
