"""The facts of the dashboard, part by part, from the parts of the daemon that have them.

Nothing is collected unless it is asked for. Page words are below `page`, as in every reply.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any

import browse
from browse.auth.caller import ROOT, SKILL
from browse.browser.process import memory
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import BrowseError, Code, Usage
from browse.core.paths import Paths
from browse.core.text import cut
from browse.dispatch.parts import Parts
from browse.notes.listing import list_notes
from browse.registry.results import from_page
from browse.security import report
from browse.skills.installed import InstalledSkills, Skill
from browse.skills.trust import SkillDecisions

DAYS = 30
EVENTS = 60
MAX_URL_CHARS = 500
MAX_WORDS_CHARS = 300

Facts = dict[str, Any]


class DashboardFacts:
    """Collects what the dashboard shows."""

    def __init__(self, parts: Callable[[], Parts], health: Callable[[], Facts]) -> None:
        self._get_parts = parts
        self._short_health = health
        self._collect: dict[str, Callable[[], Awaitable[Any]]] = {
            "health": self._health,
            "tabs": self._tabs,
            "agents": self._agents,
            "pairings": self._pairings,
            "steps": self._steps,
            "handoffs": self._handoffs,
            "activity": self._activity,
            "skills": self._skills,
            "notes": self._notes,
            "security": self._security,
            "memory": self._memory,
        }

    @property
    def _parts(self) -> Parts:
        return self._get_parts()

    async def collect(self, names: Iterable[str] = ()) -> Facts:
        """Collect the named parts, or all; a part that fails says why, in its place."""
        wanted = list(dict.fromkeys(names)) or list(self._collect)
        if unknown := [name for name in wanted if name not in self._collect]:
            raise Usage(
                f"{unknown[0][:40]!r} is not a part of the dashboard",
                hint=f"parts: {', '.join(self._collect)}",
            )
        found = await asyncio.gather(*(self._part(name) for name in wanted))
        return dict(zip(wanted, found, strict=True))

    def sessions(self) -> Iterator[tuple[str, Tabs]]:
        """List the open sessions by name; that of the usual one is "". Waits for nothing."""
        if usual := self._parts.browser.open_tabs:
            yield "", usual
            yield from self._parts.browser.named().items()

    def find(self, id: int) -> tuple[str, Tabs, Tab]:
        """Return a tab of any session, with its session; raise if there is none."""
        for name, tabs in self.sessions():
            for tab in tabs.all():
                if tab.id == id:
                    return name, tabs, tab
        raise BrowseError(
            Code.TAB_UNKNOWN, f"Tab {id} not found.", hint="it may be closed: load the page again"
        )

    async def _part(self, name: str) -> Any:
        try:
            return await self._collect[name]()
        except BrowseError as exc:
            return {"problem": exc.message, "hint": exc.hint}

    async def _health(self) -> Facts:
        parts, automation = self._parts, self._parts.automation
        mode = automation.mode
        return {
            **self._short_health(),
            "version": browse.__version__,
            "pid": os.getpid(),
            "project": parts.project,
            "started": parts.life.started,
            "tunnel": parts.access.gateway.status(),
            "automation": {"on": mode is not None, "since": mode.since if mode else None},
            "defences": parts.screening.status(),
        }

    async def _tabs(self) -> list[Facts]:
        found = [(name, tabs, tab) for name, tabs in self.sessions() for tab in tabs.all()]
        return list(await asyncio.gather(*(_tab(*it) for it in found)))

    async def _agents(self) -> list[Facts]:
        paired = {grant.terms.client for grant in self._parts.access.tokens.agents()}
        return [
            {
                "name": holder,
                "kind": _kind(holder, paired),
                "session": name,
                "tab": tab,
                "idleSeconds": round(idle_s),
            }
            for name, tabs in self.sessions()
            for holder, tab, idle_s in tabs.leases.all()
        ]

    async def _pairings(self) -> list[Facts]:
        return [grant.facts() for grant in self._parts.access.tokens.agents()]

    async def _steps(self) -> list[Facts]:
        """List the pending steps, without the hash: its first letters are what a person types."""
        return [
            {key: fact for key, fact in held.facts().items() if key != "hash"}
            | from_page(target=held.page)
            for held in self._parts.automation.steps.waiting()
        ]

    async def _handoffs(self) -> list[Facts]:
        """List the tabs that a person has; `askedBy` is "" where nobody asked them to."""
        return [
            {
                "tab": held.tab.id,
                "tabs": [tab.id for tab in held.tabs],
                "since": held.began,
                "askedBy": held.asked_by,
                "controlled": held.controller is not None,
                **from_page(reason=held.reason),
            }
            for held in self._parts.holds.all()
        ]

    async def _activity(self) -> Facts:
        feed = self._parts.activity
        return {"total": feed.total, "events": feed.latest(EVENTS)}

    async def _skills(self) -> list[Facts]:
        return await asyncio.to_thread(_list_skills, Paths.of(self._parts.settings))

    async def _notes(self) -> list[Facts]:
        book = self._parts.notes
        stores = (book.project, book.everywhere)
        return await asyncio.to_thread(lambda: [it for each in stores for it in list_notes(each)])

    async def _security(self) -> Facts:
        path, since = Paths.of(self._parts.settings).attempts_log, report.first_day(DAYS)
        counted = await asyncio.to_thread(report.read, path, since=since)
        return {"days": DAYS, "since": since, **counted.facts()}

    async def _memory(self) -> Facts | None:
        """Measure the memory; None while there is no browser, which this never starts."""
        browser = self._parts.browser
        return (await memory.measure(browser)).data() if browser.open_tabs else None


async def _tab(session: str, tabs: Tabs, tab: Tab) -> Facts:
    """Describe a tab; the page is not asked for its title while a command uses it."""
    busy = tab.lock.holder()
    if not (busy or tab.crashed):
        await tab.refresh_title()
    return {
        "id": tab.id,
        "session": session,
        "crashed": tab.crashed,
        "flooded": tab.flooded,
        "owner": tab.owner,
        "heldBy": tabs.leases.users(tab.id),
        "busy": busy,
        **from_page(title=" ".join(tab.last_title.split()), url=cut(tab.url, MAX_URL_CHARS)),
    }


def _kind(holder: str, paired: set[str]) -> str:
    """Say what kind of caller a holder is."""
    if holder in paired:
        return "paired"
    if holder.startswith(SKILL):
        return "skill"
    if holder == ROOT.name:
        return "owner"
    return "terminal" if holder.startswith("/dev/") else "agent"


def _list_skills(paths: Paths) -> list[Facts]:
    trust_of = SkillDecisions(paths.skill_decisions).trust_of
    rows = []
    for found in InstalledSkills(paths).every():
        row: Facts = {"tier": found.tier, "usable": isinstance(found, Skill)}
        if isinstance(found, Skill):
            said = cut(" ".join(found.about.description.split()), MAX_WORDS_CHARS)
            row |= {"name": found.name, "host": found.about.host, "trust": trust_of(found)}
        else:
            said, row["name"] = cut(found.reason, MAX_WORDS_CHARS), found.label
        rows.append(row | from_page(description=said))
    return rows
