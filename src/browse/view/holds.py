"""Tabs that a person has: agents only read in them until they are given back."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import msgspec

from browse.auth.caller import ROOT
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.core.clock import stamp
from browse.core.controls import one_line
from browse.core.errors import BrowseError, Code
from browse.core.tasks import spawn
from browse.core.text import cut, well_formed
from browse.registry.bind import Bound
from browse.view.observation import Observation
from browse.view.watching import LONGEST_S, WatchedSession

MAX_REASON_CHARS = 300
MAX_MESSAGE_CHARS = 2_000
# Holds that ended and whose report nobody has read yet.
MAX_ENDED = 50
Ending = Literal["", "the person", "an agent", "the end of the tab"]


class Hold(msgspec.Struct, eq=False):
    """A tab that a person has, with the popups that opened from it meanwhile.

    `asked_by` is the agent that handed it over; "" if the person took it. `controller` is the
    viewer whose mouse and keys reach the page.
    """

    tab: Tab
    session: Tabs
    asked_by: str
    reason: str
    observation: Observation
    since: float
    began: str
    popups: list[Tab] = msgspec.field(default_factory=list)
    controller: object | None = None
    message: str = ""
    ended_by: Ending = ""
    over: asyncio.Event = msgspec.field(default_factory=asyncio.Event)
    remembering: asyncio.Task[None] | None = None

    @property
    def tabs(self) -> list[Tab]:
        return [self.tab, *self.popups]


class Holds:
    """Which tabs a person has."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._held: dict[int, Hold] = {}
        self._ended: dict[int, Hold] = {}
        self._last_end = clock()
        self._watch: WatchedSession | None = None
        self.changed: set[Callable[[], None]] = set()

    def of(self, tab: int) -> Hold | None:
        """Return the hold on a tab, if a person has it."""
        return self._held.get(tab)

    def all(self) -> list[Hold]:
        """List the holds, each once."""
        return list(dict.fromkeys(self._held.values()))

    def idle_s(self) -> float:
        """Return for how long no person has had a tab or was watched; 0 while one is."""
        used = self._held or self.is_watching
        return 0.0 if used else self._clock() - self._last_end

    def begin(self, tabs: Tabs, tab: Tab, *, asked_by: str = "", reason: str = "") -> Hold:
        """Give a tab to a person, or raise: nothing has changed then."""
        tab.check_page()
        if tab.closed:
            raise BrowseError(
                Code.TAB_CLOSED, f"Tab {tab.id} was closed.", hint="`browse tabs` lists the others"
            )
        if self.of(tab.id):
            raise RuntimeError("a person has this tab already")
        watched = Observation(tab, lambda page: self._on_popup(tabs, tab, page))
        hold = Hold(tab, tabs, asked_by, _reason(reason), watched, self._clock(), stamp())
        watched.begin()
        hold.remembering = spawn(_remember(hold), name=f"tab {tab.id}: before a person has it")
        self._ended.pop(tab.id, None)
        self._add(hold, tab)
        return hold

    def explain(self, hold: Hold, reason: str) -> None:
        """Show the person another reason."""
        hold.reason = _reason(reason)
        self._tell()

    def _add(self, hold: Hold, tab: Tab) -> None:
        self._held[tab.id] = hold
        page = tab.page

        def closed(_: Any) -> None:
            if tab.page is page and self.of(tab.id) is hold:
                self._lose(hold, tab)

        page.once("close", closed)
        self._tell()

    def _lose(self, hold: Hold, tab: Tab) -> None:
        """Note that a tab was closed; the hold ends with the tab that it was for."""
        if tab is hold.tab:
            self.end(hold, "the end of the tab")
            return
        del self._held[tab.id]
        hold.popups.remove(tab)
        self._tell()

    def _on_popup(self, tabs: Tabs, opener: Tab, page: Any) -> None:
        async def adopt() -> None:
            popup, hold = await tabs.holding(page), self.of(opener.id)
            if popup and hold and not self.of(popup.id) and not popup.closed:
                hold.popups.append(popup)
                self._add(hold, popup)

        spawn(adopt(), name=f"tab {opener.id}: a popup of a person's")

    def end(self, hold: Hold, by: Ending, message: str = "") -> None:
        """Give the tabs of a hold back to the agents; without effect if that has happened."""
        if hold.ended_by:
            return
        hold.ended_by = by
        hold.message = cut(well_formed(message).strip(), MAX_MESSAGE_CHARS)
        hold.controller = None
        hold.observation.end()
        for tab in hold.tabs:
            self._held.pop(tab.id, None)
        self._ended[hold.tab.id] = hold
        for oldest in list(self._ended)[:-MAX_ENDED]:
            del self._ended[oldest]
        self._last_end = self._clock()
        hold.over.set()
        self._tell()

    def ended(self, tab: int) -> Hold | None:
        """Return the last hold on a tab that has ended and was not reported yet."""
        return self._ended.get(tab)

    def report(self, tab: int) -> Hold | None:
        """Take the last hold on a tab that has ended: it is reported once."""
        return self._ended.pop(tab, None)

    def start_watch(self, tabs: Tabs, current: Tab) -> bool:
        """Start to watch a session; return whether that was new."""
        if self._watch and self._watch.ended is None:
            return False
        watch = self._watch = WatchedSession(tabs, self._clock())
        watch.begin(current)
        end = partial(self._end_watch, watch)
        asyncio.get_running_loop().call_later(LONGEST_S, end)
        return True

    def stop_watch(self) -> WatchedSession | None:
        """End the watch, and return what was seen; None if there is none."""
        watch, self._watch = self._watch, None
        if watch:
            self._end_watch(watch)
        return watch

    def _end_watch(self, watch: WatchedSession) -> None:
        if watch.ended is None:
            watch.end(self._clock())
            self._last_end = self._clock()

    @property
    def is_watching(self) -> bool:
        return self._watch is not None and self._watch.ended is None

    def check_watch(self, bound: Bound, tabs: Tabs | None) -> None:
        """Raise if the session is watched and the command is one that changes something."""
        watch = self._watch
        if watch and watch.ended is None and watch.tabs is tabs and is_acting(bound):
            raise BrowseError(
                Code.WATCHING,
                f"A person is being watched at work: '{bound.spec.name}' did not run.",
                hint="commands that read still work; `browse watch stop` ends it, with a summary"
                + _by_force(bound),
            )

    def seconds(self, hold: Hold) -> int:
        """Return for how long a person has had the tab."""
        return round(self._clock() - hold.since)

    def _tell(self) -> None:
        for hear in list(self.changed):
            hear()

    def refusal(self, hold: Hold, tab: Tab, bound: Bound) -> BrowseError:
        """Build the error for a command that would change a tab that a person has."""
        name = bound.spec.name
        own = f" --tab-id {hold.tab.id}"
        return BrowseError(
            Code.HANDED_OVER,
            f"A person has tab {tab.id}, {self.told(hold)}. '{name}' did not run.",
            hint=f"commands that read still work; `browse handoff --wait{own}` waits until it is"
            f" given back, `browse resume{own}` takes it back" + _by_force(bound),
            facts={"tabId": tab.id, "person": self.facts(hold)},
        )

    def told(self, hold: Hold) -> str:
        """Say since when a person has a tab, and why."""
        by = "" if hold.asked_by in ("", ROOT.name) else f" by {hold.asked_by}"
        how = f"handed over{by}" if hold.asked_by else "taken in the live view"
        why = f": {hold.reason}" if hold.reason else ""
        return f"{how} {self.seconds(hold)} s ago{why}"

    def facts(self, hold: Hold) -> dict[str, Any]:
        """Return the same as data; `isThere` is whether somebody is at the live view."""
        return {
            "since": hold.began,
            "seconds": self.seconds(hold),
            "askedBy": hold.asked_by or None,
            "reason": hold.reason,
            "isThere": hold.controller is not None,
        }


def is_acting(bound: Bound) -> bool:
    """Check whether a command changes something, so that it does not run while a person works."""
    return bound.is_acting or bound.changes.has_tabs


def _by_force(bound: Bound) -> str:
    forced = any(arg.name == "force" for arg in bound.spec.flags)
    return f"; `browse {bound.spec.name} --force` does it all the same" if forced else ""


def _reason(words: str) -> str:
    return one_line(cut(well_formed(words), MAX_REASON_CHARS))


async def _remember(hold: Hold) -> None:
    async with hold.tab.lock.hold("handoff"):
        if not hold.ended_by:
            await hold.observation.remember()
