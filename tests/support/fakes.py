"""Fakes at our own seams: a tab, the tabs, the session and the daemon's life, without a browser."""

import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from msgspec.structs import replace

import browse.commands  # noqa: F401 - importing the groups declares the commands
from browse.auth.caller import ROOT, Caller
from browse.auth.rates import Rates
from browse.auth.terms import TabPolicy
from browse.auth.tickets import Tickets
from browse.auth.tokens import Tokens
from browse.browser.logs.page_logs import PageLogs
from browse.browser.network.outbound_scan import OutboundScan
from browse.browser.network.refusals import Refusals
from browse.browser.process.browser_errors import stopping
from browse.browser.process.mode_news import ModeNews
from browse.browser.storage.cookies import ImportedDomains
from browse.cookies.everyday import EverydayBrowsers
from browse.core.errors import BrowseError, Code
from browse.core.paths import Paths
from browse.core.scopes import ANYWHERE, Reach, Scope, Surface
from browse.core.settings import Settings
from browse.core.telemetry import Telemetry
from browse.daemon.live_view import live_view_of
from browse.dispatch.access import Access
from browse.dispatch.activity import Activity
from browse.dispatch.automation import Automation
from browse.dispatch.call import Call
from browse.dispatch.canary_guard import CanaryGuard
from browse.dispatch.file_access import FileAccess
from browse.dispatch.parts import Parts
from browse.dispatch.runner import KeptOutput, Runner
from browse.dispatch.running import Running
from browse.dispatch.screening import Screening
from browse.dispatch.site_notes import ArrivalNotes
from browse.flow.journal import FlowJournal
from browse.guard.sites import Sites
from browse.inbox.inbox import Inbox
from browse.notes.notebook import Notebook
from browse.notes.skillify_prompts import SkillifyPrompts
from browse.registry import spec as declarations
from browse.registry.params import WORD, Doc
from browse.registry.results import Text
from browse.registry.signature import Argument
from browse.registry.spec import Alias, Family, Group, Lane, Spec, declared
from browse.registry.table import CommandTable
from browse.security.attempts import Attempts
from browse.security.canary import Canary
from browse.server.notices import Notices
from browse.server.services import Services
from browse.skills.script_runs import ScriptRuns
from browse.view.holds import Holds
from support.fake_tabs import FakeTab, FakeTabs
from support.fake_terminals import a_terminal_keeper

# Where tests have their files: below /tmp, unless TMPDIR says otherwise.
PROJECT = tempfile.gettempdir()
NOWHERE = Path("/nowhere")


class FakeBrowser:
    """A browser that is up at once."""

    def __init__(self, *tabs: FakeTab) -> None:
        self.open_tabs: FakeTabs | None = FakeTabs(*(tabs or (FakeTab(1),)))
        self.is_up = True
        self.mode = "launched"
        self.is_skipped = False
        self.sites = Sites()
        self.proxy = SimpleNamespace(tls_warning=lambda _: "")
        self.upstream = None
        self.settings = Settings()
        scan = OutboundScan(Canary())
        self.logs = PageLogs(Paths(NOWHERE / "browse.json", NOWHERE), Refusals(), scan)
        self.scan = scan
        self.imported = ImportedDomains()
        self.downloads = SimpleNamespace(place_of=None)
        self.attachment = None
        self.is_lost = False
        self.news = ModeNews(lambda: self.mode, lambda: None)

    async def tabs(self, name: str = "") -> FakeTabs:
        if self.open_tabs is None:
            raise BrowseError(Code.BROWSER_START, "Chromium did not start.", hint="browse doctor")
        return self.open_tabs

    def named(self) -> dict[str, FakeTabs]:
        return {}

    async def show(self, tab: FakeTab) -> None:
        pass

    async def explain_closed_tab(self, problem: BrowseError) -> BrowseError:
        return problem

    def check_alive(self) -> None:
        pass

    def ending_error(self) -> BrowseError:
        return stopping()


class FakeLife:
    """A daemon that writes down why it should end."""

    def __init__(self) -> None:
        self.reasons: list[str] = []

    @property
    def ending(self) -> bool:
        return bool(self.reasons)

    @property
    def started(self) -> str:
        return "2026-01-31T10:00:00.000Z"

    def uptime_s(self) -> float:
        return 12.5

    def stop_soon(self, reason: str, *, forget: bool = False) -> None:
        self.reasons.append(reason)


async def done(_: Any) -> Text:
    """A handler that has nothing to do."""
    return Text("done", {"done": True})


def a_spec(
    handler: Callable[..., Awaitable[Any]] = done, name: str = "act", **changes: Any
) -> Spec:
    """Make a declaration that is in no list; it takes no arguments unless `args` says so."""
    plain = Spec(
        name=name,
        family=None,
        group=Group.META,
        scope=Scope.READ,
        surfaces=ANYWHERE,
        lane=Lane.TAB,
        reach=Reach.TAB,
        aliases=(),
        reads_stdin=False,
        runs_here="",
        runs_words=False,
        acts=False,
        destroys=False,
        respell=None,
        instead={},
        writes=False,
        mutates=False,
        changes=None,
        navigates=False,
        deadline=20.0,
        loads=0,
        handler=handler,
        args=(),
        services={},
        summary="Do something.",
        body="",
        examples=(f"browse {name}",),
    )
    if named := changes.get("aliases"):
        changes["aliases"] = tuple(Alias(it) if isinstance(it, str) else it for it in named)
    return replace(plain, **changes)


SHELF = Family("shelf", Group.META, "Keep things on a shelf.", "Until asked.", default="list")


def a_family(family: Family = SHELF) -> list[Spec]:
    """Make the sub-commands of a family: one that takes nothing, one with a word and flags."""
    thing = Argument("thing", WORD, Doc("What."), required=True)
    room = Argument("room", WORD, Doc("Where."), required=False, flag=True)
    soft = Argument(
        "soft", WORD, Doc("Gently."), required=False, default=False, flag=True, switch=True
    )
    name = family.name
    return [
        a_spec(name=f"{name} list", family=family),
        a_spec(name=f"{name} put", family=family, args=(thing, room, soft)),
        a_spec(name=f"{name} rm", family=family, aliases=(f"{name} remove",), args=(thing, room)),
    ]


def a_runner(
    *specs: Spec,
    tabs: tuple[FakeTab, ...] = (),
    life: Any = None,
    browser: Any = None,
    audit: Callable[[str], None] = lambda _: None,
    access: Access | None = None,
    telemetry: Telemetry | None = None,
    notes: Notebook | None = None,
    attempts: Callable[..., None] = lambda **_: None,
    automation: Automation | None = None,
) -> Runner:
    """Make a runner of these commands, or of all that are declared."""
    used: Any = browser or FakeBrowser(*tabs)
    ways, activity = access or an_access(), Activity()
    book = notes or Notebook(Paths(NOWHERE / "browse.json", NOWHERE), Sites())
    canary = Canary()
    parts = Parts(
        Settings(),
        used,
        life or FakeLife(),
        project=PROJECT,
        files=FileAccess(Paths(Path(PROJECT) / ".gstack" / "browse.json", NOWHERE)),
        audit=audit,
        activity=activity,
        access=ways,
        automation=automation or Automation(NOWHERE / "automation.json", activity),
        telemetry=telemetry or a_telemetry(),
        screening=Screening(Settings(), Sites, Attempts(Paths(NOWHERE / "browse.json", NOWHERE))),
        notes=book,
        canary_guard=CanaryGuard(canary, ways.tokens, activity, attempts),
        arrival=ArrivalNotes(book, canary, telemetry or a_telemetry()),
        prompts=SkillifyPrompts(NOWHERE / "config.yaml"),
        journal=FlowJournal(None),
        inbox=Inbox(NOWHERE / "inbox", lambda *_: None),
        holds=Holds(),
        everyday=EverydayBrowsers(NOWHERE),
        scripts=ScriptRuns(),
    )
    return Runner(CommandTable(specs or declared()), parts)


def a_telemetry() -> Telemetry:
    """Make one that is switched off."""
    return Telemetry(Settings(telemetry_off=True), Paths(NOWHERE / "browse.json", NOWHERE))


def a_caller(
    scopes: Scope = ROOT.scopes,
    surface: Surface = Surface.LOCAL,
    name: str = "someone",
    tabs: TabPolicy = TabPolicy.SHARED,
    domains: tuple[str, ...] = (),
) -> Caller:
    """Make a caller with just these rights."""
    return Caller(name, scopes, surface, domains, tabs)


class FakeGateway:
    """A way in that opens when it is told to."""

    def __init__(self) -> None:
        self.url: str | None = None

    def status(self) -> dict[str, Any]:
        return {"open": self.url is not None, "url": self.url}

    async def start(self) -> tuple[str, bool]:
        already, self.url = self.url is not None, "https://abc.tunnel.example"
        return self.url, already

    async def stop(self) -> bool:
        was, self.url = self.url is not None, None
        return was


def an_access(token: str = "a-token") -> Access:
    """Make the ways into a daemon, with nobody in them."""
    return Access(Tokens(token), Tickets(), lambda _: 0, FakeGateway(), "http://127.0.0.1:23456")


def a_daemon(running: Running, *, token: str = "a-token", **changes: Any) -> Services:
    """Put together what requests can reach, around running commands."""
    access = an_access(token)
    plain = Services(
        running=running,
        access=access,
        rates=Rates(),
        health=lambda: {"status": "healthy"},
        activity=running.runner.parts.activity,
        denied=lambda *_: None,
        notices=Notices(),
        project=PROJECT,
        live_view=live_view_of(running.runner.parts),
        terminals=a_terminal_keeper(tickets=access.tickets),
    )
    if named := changes.get("aliases"):
        changes["aliases"] = tuple(Alias(it) if isinstance(it, str) else it for it in named)
    return replace(plain, **changes)


def a_call(*words: str, caller: Caller = ROOT, cwd: str = PROJECT, **changes: Any) -> Call:
    """Make a call of the owner, from the project."""
    return Call(words, caller, cwd, **changes)


async def run(runner: Runner, *words: str, **changes: Any) -> tuple[str, BrowseError | None]:
    """Run a call; give all that it said, and its error."""
    kept = KeptOutput()
    error = await runner.run(a_call(*words, **changes), kept)
    return "\n".join(said.text for said in [*kept.output, *kept.errors]), error


@contextmanager
def own_declarations() -> Iterator[None]:
    """Let a test declare commands; afterwards the list is as it was."""
    declarations.declared()  # else those of the product would be declared only meanwhile
    before = declarations._declared, declarations._names, declarations._families
    declarations._declared = before[0].copy()
    declarations._names = before[1].copy()
    declarations._families = before[2].copy()
    try:
        yield
    finally:
        declarations._declared, declarations._names, declarations._families = before
