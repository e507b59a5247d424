"""The composition root: settings become services, services become a listener."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import browse.commands  # noqa: F401 - importing the groups declares the commands
from browse.auth.caller import new_root_token
from browse.browser.session import Session
from browse.core.journal import Journal
from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.dispatch.context import Life
from browse.dispatch.runner import Runner
from browse.dispatch.running import Running
from browse.registry.spec import declared
from browse.registry.table import Table
from browse.server.app import local_app, local_routes
from browse.server.embedded import serve as serve_http
from browse.server.identify import Identify


@dataclass(frozen=True, slots=True)
class Served:
    """A listening daemon, as far as its life needs to know it."""

    port: int
    token: str
    idle_s: Callable[[], float]
    stop: Callable[[float], Awaitable[None]]


async def serve(
    settings: Settings, paths: Paths, session: Session, life: Life, listener: socket.socket
) -> Served:
    """Put everything together and answer on the socket."""
    project = str(paths.project)
    audit = Journal(paths.audit_log)
    runner = Runner(Table(declared()), settings, session, life, project=project, audit=audit.add)
    running = Running(runner)
    token = new_root_token(settings.auth_token)
    port = listener.getsockname()[1]

    def health() -> dict[str, Any]:
        tabs = session.open_tabs
        status = "healthy" if session.is_up else "starting"
        return {
            "status": status,
            "mode": "launched",
            "uptime": int(life.uptime_s()),
            "tabs": len(tabs) if tabs else 0,
        }

    routes = local_routes(Identify(token), running, health, project=project)
    server = await serve_http(local_app(routes, port=port), listener)

    async def stop(grace_s: float) -> None:
        server.close()
        await running.stop(grace_s)
        await audit.close()
        await asyncio.sleep(0)

    return Served(port, token, running.idle_s, stop)
