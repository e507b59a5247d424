"""What a handler may use, and nothing else."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from browse.auth.terms import TabPolicy
from browse.browser.network.request_rules import Rules
from browse.browser.process.browser import Session
from browse.browser.tabs.lost_frames import Inside
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import BrowseError
from browse.core.paths import temp_folder, unclaimed
from browse.core.settings import Settings
from browse.core.telemetry import Telemetry
from browse.dispatch.access import Doors
from browse.dispatch.activity import Activity
from browse.dispatch.automation import Automation
from browse.dispatch.call import Call
from browse.dispatch.canary_guard import Leaks
from browse.dispatch.screening import Screen
from browse.egress.pipeline import Outgoing
from browse.flow.journal import FlowJournal, Visit
from browse.guard.domains import Allowed
from browse.guard.files import Roots, WritePath, check_write
from browse.notes.notebook import Notebook
from browse.registry.results import Result, Text


class Life(Protocol):
    """The daemon's own life, as far as commands may look at it or end it."""

    @property
    def ending(self) -> bool: ...

    def uptime_s(self) -> float: ...

    def stop_soon(self, reason: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a daemon that commands work with, put together once."""

    settings: Settings
    session: Session
    life: Life
    project: str
    audit: Callable[[str], None]
    activity: Activity
    doors: Doors
    automation: Automation
    telemetry: Telemetry
    screen: Screen
    notes: Notebook
    leaks: Leaks
    journal: FlowJournal


@dataclass(frozen=True, slots=True)
class Step:
    """How an inner command ended: its rendered output, or its error as well."""

    output: Outgoing
    error: BrowseError | None


@dataclass(slots=True)
class Ctx:
    """The surroundings of one invocation.

    `emit` sends a part of the result as it comes, `note` a line for the person, on stderr.
    """

    call: Call
    parts: Parts
    json: bool
    emit: Callable[[Result], Awaitable[None]]
    note: Callable[[Text], Awaitable[None]]
    run: Callable[[Call], Awaitable[Step]]
    anyway: bool = False
    reveal: bool = False
    held: Tab | None = None
    inside: Inside = None  # the frame that was chosen when the command began
    visit: Visit | None = None
    typed_secret: bool = False
    placed: list[WritePath] = field(default_factory=list)
    queued_for: Tab | None = None
    queued_s: float = 0.0

    @property
    def settings(self) -> Settings:
        return self.parts.settings

    @property
    def session(self) -> Session:
        return self.parts.session

    @property
    def tab(self) -> Tab:
        """The tab of this invocation, locked for it. Only commands on the tab lane have one."""
        if self.held is None:
            raise RuntimeError("this command is declared on a lane without a tab")
        return self.held

    def output(self, name: str) -> WritePath:
        """Give the place for a file that the caller did not name: in the temporary folder."""
        folder = temp_folder()
        name = unclaimed(folder, name)
        self.placed.append(check_write(name, cwd=str(folder), roots=Roots.of(str(folder))))
        return self.placed[-1]

    def warnings(self, *hosts: str) -> list[str]:
        """Say what is known of the hosts that a command went to, each warning once."""
        said = (self.session.sites.warning(host) for host in hosts)
        return list(dict.fromkeys(warning for warning in said if warning))

    def blocked(self, tab: Tab, since: float) -> list[str]:
        """Say which rules kept requests of a tab from being sent, and how many; none: no line."""
        rows = self.session.capture.traffic.blocked(tab.id, since)
        why = "; ".join(sorted({row.blocked for row in rows}))
        many = f"{len(rows)} requests were" if len(rows) > 1 else "1 request was"
        return [f"{many} blocked: {why} (`browse network` lists them)"] if rows else []

    async def tabs(self) -> Tabs:
        """All tabs of the call's session, once the browser is up."""
        return await self.session.tabs(self.call.session)

    async def limit(self, tab: Tab, allowed: Allowed | None) -> None:
        """Let a tab send requests to some domains only, or to all again; None changes nothing."""
        if allowed is not None:
            rules = Rules(domains=allowed.patterns) if allowed.patterns else None
            await (await self.tabs()).fence(tab, rules)

    def sees(self, tab: Tab) -> bool:
        """Tell whether the caller may know what is in a tab."""
        return self.call.caller.may_use(tab.owner)

    async def visible(self) -> Callable[[int], bool]:
        """Make the test by which records of all tabs are narrowed to those the caller may see."""
        if self.call.caller.tabs is TabPolicy.SHARED:
            return lambda _: True
        return {tab.id for tab in (await self.tabs()).all() if self.sees(tab)}.__contains__
