"""Endpoints, each declared with who may use it; the check runs before its handler."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from browse.auth.caller import Caller
from browse.server.identify import Identify

Handler = Callable[[Request, Caller], Awaitable[Any]]


class EndpointAccess(Enum):
    """Who may use an endpoint."""

    ANYONE = "No token needed."
    BEARER = "Needs a token: the owner's, an agent's or a skill's."
    OWNER = "Needs the owner's token."
    VIEWER = "Needs the owner's token, or the cookie of `POST /sse-session`."


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A method and a path, who may use it, and its handler."""

    method: str
    path: str
    access: EndpointAccess
    handler: Handler


def mount(endpoints: Sequence[Endpoint], identify: Identify) -> list[Route]:
    """Build routes from endpoints; each checks the caller first."""
    check: dict[EndpointAccess, Callable[[Request], Caller]] = {
        EndpointAccess.ANYONE: identify.nobody,
        EndpointAccess.BEARER: identify.caller,
        EndpointAccess.OWNER: identify.owner,
        EndpointAccess.VIEWER: identify.viewer,
    }

    def guarded(endpoint: Endpoint) -> Callable[[Request], Awaitable[Any]]:
        async def handle(request: Request) -> Any:
            return await endpoint.handler(request, check[endpoint.access](request))

        return handle

    return [Route(it.path, guarded(it), methods=[it.method]) for it in endpoints]
