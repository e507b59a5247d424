"""GET /health: is the daemon there. Never asks a page, never tells a token."""

from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from browse.server import reply


def health_route(facts: Callable[[], dict[str, Any]]) -> Route:
    """Report liveness to anyone on this machine."""

    async def health(_: Request) -> reply.Reply:
        """Tell whether the daemon is up: `{status, mode, uptime, tabs}`. No token needed."""
        return reply.facts(facts())

    return Route("/health", health, methods=["GET"])
