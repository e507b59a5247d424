"""The local listener: the list of its endpoints, and the checks around them."""

from starlette.routing import Router
from starlette.types import ASGIApp

from browse.server.access import Endpoint, Socket, mount
from browse.server.identify import Identify
from browse.server.middleware import LocalMiddleware
from browse.server.routes import (
    activity,
    batch,
    chat,
    command,
    cookie_picker,
    dashboard,
    file,
    health,
    inbox,
    inject_scan,
    inspector,
    mcp,
    memory,
    pages,
    refs,
    security,
    shared_tabs,
    terminal,
    tokens,
    tunnel,
    view,
)
from browse.server.services import Services


def local_endpoints(services: Services) -> list[Endpoint]:
    """List everything that the local listener serves."""
    return [
        health.endpoint(services),
        command.endpoint(services),
        *batch.endpoints(services),
        *tokens.endpoints(services),
        *activity.endpoints(services),
        chat.endpoint(services),
        file.endpoint(services),
        *inbox.endpoints(services),
        *inspector.endpoints(services),
        mcp.endpoint(services),
        memory.endpoint(services),
        refs.endpoint(services),
        security.endpoint(services),
        *tunnel.endpoints(services),
        *pages.endpoints(services),
        *dashboard.endpoints(services),
        *cookie_picker.endpoints(services),
        *terminal.endpoints(services),
        inject_scan.endpoint(services),
    ]


def local_sockets(services: Services) -> list[Socket]:
    """List the WebSockets of the local listener."""
    return [terminal.socket(services), view.socket(services), shared_tabs.socket(services)]


def local_app(services: Services) -> ASGIApp:
    """Wrap the routes in the local listener's checks."""
    identify = Identify(services.access.tokens, services.rates, services.access.tickets)
    routes = mount(local_endpoints(services), identify, local_sockets(services))
    return LocalMiddleware(Router(routes, redirect_slashes=False))
