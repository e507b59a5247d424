"""The composition root: settings become services, services become a listener."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import browse.commands  # noqa: F401 - importing the groups declares the commands
from browse.auth.rates import Rates
from browse.auth.tickets import Tickets
from browse.auth.tokens import Tokens, new_root_token
from browse.browser.session import Session
from browse.core.journal import Journal
from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.dispatch.activity import Activity
from browse.dispatch.context import Life
from browse.dispatch.runner import Runner
from browse.dispatch.running import Running, revoked
from browse.registry.spec import declared
from browse.registry.table import Table
from browse.server.app import local_app
from browse.server.embedded import serve as serve_http
from browse.server.services import Services


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
    runner = Runner(
        Table(declared()),
        settings,
        session,
        life,
        project=project,
        audit=audit.add,
        activity=Activity(),
    )
    running = Running(runner)
    token = new_root_token(settings.auth_token)
    port = listener.getsockname()[1]
    services = _services(running, Tokens(token), session, life, project)
    server = await serve_http(local_app(services, port=port), listener)

    async def stop(grace_s: float) -> None:
        server.close()
        await running.stop(grace_s)
        await audit.close()
        await asyncio.sleep(0)

    return Served(port, token, running.idle_s, stop)


def _services(
    running: Running, tokens: Tokens, session: Session, life: Life, project: str
) -> Services:
    """Connect who may come in with what must end when they may no longer."""
    rates = Rates()

    def release(client: str) -> int:
        return session.open_tabs.release(client) if session.open_tabs else 0

    def on_revoked(client: str) -> None:
        rates.forget(client)
        running.runner.outputs.forget(client)
        running.cut_off(client, revoked())
        release(client)

    def health() -> dict[str, Any]:
        tabs = session.open_tabs
        return {
            "status": "healthy" if session.is_up else "starting",
            "mode": "launched",
            "uptime": int(life.uptime_s()),
            "tabs": len(tabs) if tabs else 0,
        }

    tokens.on_revoked(on_revoked)
    return Services(
        running=running,
        tokens=tokens,
        rates=rates,
        tickets=Tickets(),
        health=health,
        release=release,
        tunnel_url=lambda: None,
        activity=running.runner.activity,
        project=project,
    )
