"""The composition root: settings become services, services become a listener."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

import browse.commands  # noqa: F401 - importing the groups declares the commands
from browse.auth.caller import ROOT
from browse.auth.rates import Rates
from browse.auth.tickets import Tickets
from browse.auth.tokens import Tokens, new_root_token
from browse.browser.process.browser import Session
from browse.core.journal import Journal
from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.core.telemetry import Telemetry
from browse.daemon import state
from browse.dispatch.access import Doors
from browse.dispatch.activity import Activity
from browse.dispatch.automation import Automation
from browse.dispatch.canary_guard import Leaks
from browse.dispatch.context import Life, Parts
from browse.dispatch.runner import Runner
from browse.dispatch.running import Running, revoked
from browse.dispatch.screening import Screen
from browse.flow.journal import FlowJournal
from browse.guard.credentials import masked
from browse.notes.notebook import Notebook
from browse.notes.suggestion import Suggest, Suggestion
from browse.registry.spec import declared
from browse.registry.table import Table
from browse.security.attempts import Attempts
from browse.security.canary import Canary
from browse.security.extra_models import Further
from browse.security.scan import Scanner
from browse.server.app import local_app
from browse.server.embedded import serve as serve_http
from browse.server.gateway import Gateway
from browse.server.services import Services
from browse.server.tunnel import tunnel_app
from browse.skills.shelf import Shelf, Skill


@dataclass(frozen=True, slots=True)
class Served:
    """A listening daemon, as far as its life needs to know it."""

    port: int
    token: str
    idle_s: Callable[[], float]
    begin: Callable[[], None]
    stop: Callable[[float], Awaitable[None]]
    part: Callable[[float], Awaitable[None]]


async def serve(
    settings: Settings, paths: Paths, session: Session, life: Life, listener: socket.socket
) -> Served:
    """Put everything together and answer on the socket."""
    port = listener.getsockname()[1]
    token = new_root_token(settings.auth_token)
    audit = Journal(paths.audit_log, clean=masked)
    attempts, activity = Attempts(paths), Activity()
    journal = FlowJournal(Journal(paths.flow_journal, clean=masked) if settings.journal else None)
    telemetry, further = Telemetry(settings, paths), Further(settings, paths)

    def tunnel_changed(now: dict[str, Any]) -> None:
        activity.publish("tunnel", ROOT.name, **now)
        state.publish(paths.state_file, port=port, token=token, tunnel=now if now["open"] else None)

    gateway = Gateway(settings, paths, lambda: tunnel_app(services), tunnel_changed)
    doors = Doors(Tokens(token), _releasing(session), gateway, f"http://127.0.0.1:{port}")
    parts = Parts(
        settings,
        session,
        life,
        project=str(paths.project),
        audit=audit.add,
        activity=activity,
        doors=doors,
        automation=Automation(paths.automation, activity),
        telemetry=telemetry,
        screen=Screen(settings, lambda: session.sites, attempts, further),
        notes=Notebook(
            paths, session.sites, score=Scanner().rate, programs=_programs(Shelf(paths))
        ),
        leaks=Leaks(Canary(), doors.tokens, activity, attempts.add),
        journal=journal,
    )
    await asyncio.to_thread(parts.automation.load)
    _watch_requests(session, parts.leaks)
    services = _services(Runner(Table(declared()), parts), _denials(attempts))
    server = await serve_http(local_app(services, port=port), listener)

    async def stop(grace_s: float) -> None:
        server.close()
        await services.running.stop(grace_s)
        await gateway.stop()
        await journal.close()
        await asyncio.gather(audit.close(), attempts.close(), telemetry.close(), further.close())
        await asyncio.sleep(0)

    def idle_s() -> float:
        return 0.0 if gateway.url else services.running.idle_s()

    return Served(port, token, idle_s, gateway.begin, stop, server.part)


def _services(runner: Runner, denied: Callable[[Request, str], None]) -> Services:
    """Connect who may come in with what must end when they may no longer."""
    running, rates, parts = Running(runner), Rates(), runner.parts

    def on_revoked(client: str) -> None:
        rates.forget(client)
        runner.outputs.forget(client)
        parts.automation.steps.clear(client)
        running.cut_off(client, revoked())
        parts.doors.release(client)

    parts.doors.tokens.on_revoked(on_revoked)
    return Services(
        running=running,
        doors=parts.doors,
        rates=rates,
        tickets=Tickets(),
        health=_health(parts.session, parts.life),
        activity=parts.activity,
        denied=denied,
        project=parts.project,
    )


def _watch_requests(session: Session, leaks: Leaks) -> None:
    """Have requests looked at once there is something that must not leave with them."""

    def found(tab: int, url: str) -> None:
        for tabs in filter(None, [session.open_tabs, *session.named().values()]):
            for its in tabs.all():
                if its.id == tab:
                    leaks.sent(its.owner, tabs.leases.other(tab, "") or ROOT.name, url)
                    return
        leaks.sent("", ROOT.name, url)

    leaving = session.capture.traffic.leaving
    leaving.is_on, leaving.holds = lambda: leaks.canary.told, leaks.canary.is_in
    leaving.found = found


def _programs(shelf: Shelf) -> Suggest:
    """Let skills be suggested beside notes: those of a host, else all."""

    def programs(host: str) -> list[Suggestion]:
        skills = [found for found in shelf.every() if isinstance(found, Skill)]
        return [
            Suggestion("skill", it.name, it.about.host, it.about.description, it.about.triggers)
            for it in skills
            if host in ("", it.about.host)
        ]

    return programs


def _releasing(session: Session) -> Callable[[str], int]:
    def release(client: str) -> int:
        return session.open_tabs.release(client) if session.open_tabs else 0

    return release


def _health(session: Session, life: Life) -> Callable[[], dict[str, Any]]:
    def health() -> dict[str, Any]:
        tabs = session.open_tabs
        return {
            "status": "healthy" if session.is_up else "starting",
            "mode": "launched",
            "uptime": int(life.uptime_s()),
            "tabs": len(tabs) if tabs else 0,
        }

    return health


def _denials(attempts: Attempts) -> Callable[[Request, str], None]:
    def denied(request: Request, reason: str) -> None:
        forwarded = request.headers.get("x-forwarded-for", "").partition(",")[0].strip()
        peer = request.client.host if request.client else ""
        attempts.add(
            kind="tunnel_auth_denial",
            reason=reason,
            path=request.url.path,
            method=request.method,
            source=forwarded or peer or "unknown",
        )

    return denied
