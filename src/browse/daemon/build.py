"""The composition root: settings become services, services become a listener."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import HTTPConnection

from browse.auth.caller import ROOT
from browse.auth.rates import Rates
from browse.auth.tickets import TicketKind, Tickets
from browse.auth.tokens import Tokens, new_root_token
from browse.browser.files.page_downloads import DownloadPlace
from browse.browser.process.browser import Browser
from browse.commands._modules import MODULES
from browse.cookies.everyday import EverydayBrowsers
from browse.core.errors import BrowseError
from browse.core.log_file import LogFile
from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.core.telemetry import Telemetry
from browse.daemon import state
from browse.daemon.live_view import live_view_of
from browse.daemon.terminal_host import DaemonTerminalHost
from browse.dispatch.access import Access
from browse.dispatch.activity import Activity
from browse.dispatch.automation import Automation
from browse.dispatch.canary_guard import CanaryGuard
from browse.dispatch.context import DaemonLife
from browse.dispatch.file_access import FileAccess
from browse.dispatch.parts import Parts
from browse.dispatch.runner import Runner
from browse.dispatch.running import Running, revoked
from browse.dispatch.screening import Screening
from browse.dispatch.site_notes import ArrivalNotes
from browse.flow.journal import FlowJournal
from browse.guard.credentials import masked
from browse.guard.domains import covers
from browse.inbox.inbox import Inbox
from browse.notes.notebook import Notebook
from browse.notes.skillify_prompts import SkillifyPrompts
from browse.notes.suggestion import Suggest, Suggestion
from browse.registry.bind import Bound
from browse.registry.table_on_use import TableOnUse
from browse.security.attempts import Attempts
from browse.security.canary import Canary
from browse.security.extra_models import ExtraModels
from browse.security.scan import Scanner
from browse.server.app import local_app
from browse.server.embedded import serve as serve_http
from browse.server.gateway import Gateway
from browse.server.notices import Notices
from browse.server.services import Services
from browse.server.tunnel import tunnel_app
from browse.skills.installed import InstalledSkills, Skill
from browse.skills.script_runs import ScriptRuns
from browse.skills.trust import SkillDecisions
from browse.terminal.sessions import Terminals
from browse.view.holds import Holds


class Served(msgspec.Struct, frozen=True):
    """A listening daemon, as `lifecycle.py` needs it."""

    port: int
    publish: Callable[[], None]
    idle_s: Callable[[], float]
    begin: Callable[[], None]
    stop: Callable[[float], Awaitable[None]]
    finish: Callable[[float], Awaitable[None]]


async def serve(
    settings: Settings,
    paths: Paths,
    browser: Browser,
    canary: Canary,
    notices: Notices,
    life: DaemonLife,
    listener: socket.socket,
) -> Served:
    """Build all services and listen on the socket."""
    port = listener.getsockname()[1]
    token = new_root_token(settings.auth_token)
    records = _Records.open(settings, paths)
    told = state.StateFile(
        paths.state_file,
        port=port,
        token=token,
        started=life.started,
    )

    def tunnel_changed(now: dict[str, Any]) -> None:
        records.activity.publish("tunnel", ROOT.name, **now)
        told.publish(tunnel=now if now["open"] else None)

    gateway = Gateway(settings, paths, lambda: tunnel_app(services), tunnel_changed)
    here = f"http://127.0.0.1:{port}"
    access = Access(Tokens(token), Tickets(), _releasing(browser), gateway, here)
    parts = _parts(settings, paths, browser, canary, life, access, records)
    await asyncio.to_thread(parts.automation.load)
    _serve_pages(browser, parts)
    _serve_panel(browser, access.tickets, port)
    host = DaemonTerminalHost(settings, paths, port, canary, parts)
    terminals = Terminals(settings, access.tickets, host)
    runner = Runner(TableOnUse(MODULES), parts)
    services = _services(runner, terminals, notices, _denials(records.attempts))
    server = await serve_http(local_app(services), listener)
    _watch_mode(browser, records.activity, told)
    _welcome(browser, here)

    async def stop(grace_s: float) -> None:
        server.close()
        await asyncio.gather(services.running.stop(grace_s), terminals.close())
        await gateway.stop()
        await records.close()
        await asyncio.sleep(0)

    def idle_s() -> float:
        if gateway.url or terminals.are_used or browser.mode != "launched":
            return 0.0
        return min(services.running.idle_s(), parts.holds.idle_s())

    return Served(port, told.publish, idle_s, gateway.begin, stop, server.finish)


class _Records(msgspec.Struct, frozen=True):
    """What the daemon writes down while it runs, and the models that it asks."""

    activity: Activity
    attempts: Attempts
    audit: LogFile
    journal: FlowJournal
    telemetry: Telemetry
    models: ExtraModels

    @classmethod
    def open(cls, settings: Settings, paths: Paths) -> "_Records":
        flow = LogFile(paths.flow_journal, clean=masked) if settings.journal else None
        activity = Activity()

        def refused(kind: str) -> None:
            activity.publish("security", ROOT.name, what=kind)

        return cls(
            activity,
            Attempts(paths, on_added=refused),
            LogFile(paths.audit_log, clean=masked),
            FlowJournal(flow),
            Telemetry(settings, paths),
            ExtraModels(settings, paths),
        )

    async def close(self) -> None:
        await self.journal.close()
        rest = (self.audit, self.attempts, self.telemetry, self.models)
        await asyncio.gather(*(it.close() for it in rest))


def _parts(
    settings: Settings,
    paths: Paths,
    browser: Browser,
    canary: Canary,
    life: DaemonLife,
    access: Access,
    records: _Records,
) -> Parts:
    """Build the parts that commands use."""
    activity, attempts = records.activity, records.attempts
    programs = _programs(InstalledSkills(paths))
    notes = Notebook(paths, browser.sites, score=Scanner().rate, programs=programs)
    return Parts(
        settings,
        browser,
        life,
        project=str(paths.project),
        files=FileAccess(paths),
        audit=records.audit.add,
        activity=activity,
        access=access,
        automation=Automation(paths.automation, activity, codified=_codified(paths)),
        telemetry=records.telemetry,
        screening=Screening(settings, lambda: browser.sites, attempts, records.models),
        notes=notes,
        arrival=ArrivalNotes(notes, canary, records.telemetry),
        prompts=SkillifyPrompts(paths.config_yaml, programs),
        canary_guard=CanaryGuard(canary, access.tokens, activity, attempts.add),
        journal=records.journal,
        inbox=Inbox(paths.inbox, _inbox_changed(activity)),
        holds=Holds(),
        everyday=EverydayBrowsers(paths.user_home, settings.config_home),
        scripts=ScriptRuns(),
    )


def _services(
    runner: Runner,
    terminals: Terminals,
    notices: Notices,
    denied: Callable[[HTTPConnection, str], None],
) -> Services:
    """Build the endpoints' services; revoking a client ends its commands and frees its tabs."""
    running, rates, parts = Running(runner), Rates(), runner.parts

    def on_revoked(client: str) -> None:
        rates.forget(client)
        parts.files.forget(client)
        parts.automation.steps.clear(client)
        running.cut_off(client, revoked())
        parts.access.release(client)

    parts.access.tokens.on_revoked(on_revoked)
    return Services(
        running=running,
        access=parts.access,
        rates=rates,
        health=_health(parts.browser, parts.life),
        activity=parts.activity,
        denied=denied,
        notices=notices,
        project=parts.project,
        live_view=live_view_of(parts),
        terminals=terminals,
        shared_tabs=_shared_tabs(parts.browser),
    )


def _shared_tabs(browser: Browser) -> Any:
    """Return where the extension of a person's browser connects, if the daemon waits for it."""
    return browser.attachment.shared_tabs if browser.attachment else None


def _serve_panel(browser: Browser, tickets: Tickets, port: int) -> None:
    """Hand a ticket to the side panel of every window that opens."""

    async def opened(window: Any) -> None:
        from browse.browser.window.side_panel import hand_over  # only here

        await hand_over(window, port, tickets.issue(TicketKind.EXTENSION))

    browser.news.on_window(opened)


def _inbox_changed(activity: Activity) -> Callable[[str, str], None]:
    """Tell the feed of messages in the inbox; it is called in another thread."""
    loop = asyncio.get_running_loop()

    def changed(message: str, state: str) -> None:
        loop.call_soon_threadsafe(
            lambda: activity.publish("inbox", ROOT.name, message=message, state=state)
        )

    return changed


def _watch_mode(browser: Browser, activity: Activity, told: state.StateFile) -> None:
    """Tell clients and the feed when the browser moves into a window, or out of it."""

    def changed() -> None:
        activity.publish("window", ROOT.name, mode=browser.mode)
        told.publish(mode=browser.mode)

    browser.news.on_mode(changed)


def _welcome(browser: Browser, here: str) -> None:
    """Show our welcome page in a window in which nothing was done yet."""

    async def show(_: Any) -> None:
        from browse.browser.window.welcome import welcome  # only where there is a window

        await welcome(browser)

    browser.welcome_url = f"{here}/welcome"
    browser.news.on_window(show)


def _serve_pages(browser: Browser, parts: Parts) -> None:
    """Hand what the browser finds out about pages to those who are to know."""
    _watch_requests(browser, parts.canary_guard)
    _keep_downloads(browser, parts.files)


def _watch_requests(browser: Browser, guard: CanaryGuard) -> None:
    """Report requests with the canary to the guard, with the client of the tab."""

    def found(tab: int, url: str) -> None:
        for tabs in filter(None, [browser.open_tabs, *browser.named().values()]):
            for its in tabs.all():
                if its.id == tab:
                    guard.sent(its.owner, tabs.leases.other(tab, "") or ROOT.name, url)
                    return
        guard.sent("", ROOT.name, url)

    browser.scan.on_found(found)


def _keep_downloads(browser: Browser, files: FileAccess) -> None:
    """Keep what pages download in the folder of the client that the tab belongs to."""

    def place_of(tab: int) -> DownloadPlace | None:
        if browser.attachment or not tab:  # not our browser, or a tab that serves one command
            return None
        sessions = filter(None, [browser.open_tabs, *browser.named().values()])
        owner = next((it.owner for tabs in sessions for it in tabs.all() if it.id == tab), "")
        return DownloadPlace(owner, Path(files.own_of(owner)), Path(files.own_of("")))

    browser.downloads.place_of = place_of


def _programs(installed: InstalledSkills) -> Suggest:
    """Suggest skills together with notes: those of a host, else all."""

    def programs(host: str) -> list[Suggestion]:
        skills = [found for found in installed.every() if isinstance(found, Skill)]
        return [
            Suggestion("skill", it.name, it.about.host, it.about.description, it.about.triggers)
            for it in skills
            if not host or covers([_without_www(it.about.host)], host)
        ]

    return programs


def _without_www(place: str) -> str:
    """Spell a skill's host as notes do: without port and `www.`."""
    return place.partition(":")[0].removeprefix("www.")


def _codified(paths: Paths) -> Callable[[Bound], bool]:
    """Tell which commands run a skill that the owner approved."""
    installed, decided = InstalledSkills(paths), SkillDecisions(paths.skill_decisions)

    def codified(bound: Bound) -> bool:
        if bound.spec.name != "skill run":
            return False
        try:
            return decided.is_approved(installed.find(bound.values["name"]))
        except BrowseError:  # there is no such skill: the command itself says so
            return False

    return codified


def _releasing(browser: Browser) -> Callable[[str], int]:
    def release(client: str) -> int:
        return browser.open_tabs.release(client) if browser.open_tabs else 0

    return release


def _health(browser: Browser, life: DaemonLife) -> Callable[[], dict[str, Any]]:
    def health() -> dict[str, Any]:
        tabs = browser.open_tabs
        down = "unhealthy" if browser.is_skipped or browser.is_lost else "starting"
        return {
            "status": "healthy" if browser.is_up else down,
            "mode": browser.mode,
            "uptime": int(life.uptime_s()),
            "tabs": len(tabs) if tabs else 0,
        }

    return health


def _denials(attempts: Attempts) -> Callable[[HTTPConnection, str], None]:
    def denied(request: HTTPConnection, reason: str) -> None:
        forwarded = request.headers.get("x-forwarded-for", "").partition(",")[0].strip()
        peer = request.client.host if request.client else ""
        attempts.add(
            kind="tunnel_auth_denial",
            reason=reason,
            path=request.url.path,
            method=request.scope.get("method", "socket"),
            source=forwarded or peer or "unknown",
        )

    return denied
