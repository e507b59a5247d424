"""GET /memory: what `browse memory` measures, without a line in the activity feed."""

from starlette.requests import Request

from browse.auth.caller import Caller
from browse.browser.process.memory import measure
from browse.server import reply
from browse.server.access import Endpoint, EndpointAccess
from browse.server.services import Services
from browse.server.sources import Sources


def endpoint(services: Services) -> Endpoint:
    """Build the endpoint that measures memory."""

    async def memory(_: Request, __: Caller) -> reply.Reply:
        """Measure the memory of the daemon, its driver, Chromium and the tabs, in bytes."""
        seen = await measure(services.running.runner.parts.browser)
        return reply.rendered(seen.data())

    return Endpoint("GET", "/memory", EndpointAccess.OWNER, memory, Sources.EXTENSION)
