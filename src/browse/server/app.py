"""The local listener: the list of its routes, and the checks around them."""

from collections.abc import Callable
from typing import Any

from starlette.routing import Route, Router
from starlette.types import ASGIApp

from browse.dispatch.running import Running
from browse.server.identify import Identify
from browse.server.middleware import Doorkeeper
from browse.server.routes.batch import batch_route
from browse.server.routes.command import command_route
from browse.server.routes.health import health_route


def local_routes(
    identify: Identify, running: Running, health: Callable[[], dict[str, Any]], *, project: str
) -> list[Route]:
    """List everything that the local listener serves."""
    return [
        health_route(health),
        command_route(identify, running, project=project),
        batch_route(identify, running, project=project),
    ]


def local_app(routes: list[Route], *, port: int) -> ASGIApp:
    """Put the checks around the routes."""
    return Doorkeeper(Router(routes, redirect_slashes=False), port=port)
