"""What a handler may use."""

from collections.abc import Awaitable, Callable
from secrets import token_hex
from typing import Protocol

import msgspec

from browse.auth.terms import TabPolicy
from browse.browser.actions.effects import ActionEffects
from browse.browser.elements.element import Element, reach
from browse.browser.elements.target import FirstStep, FoundElement, Others, Patience, Use, find
from browse.browser.network.request_rules import TabRules
from browse.browser.page import scripts
from browse.browser.process.browser import Browser
from browse.browser.tabs.lost_frames import Inside
from browse.browser.tabs.refs import NONE_TAKEN, TakenRefs
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import BrowseError
from browse.core.settings import Settings
from browse.dispatch.call import Call
from browse.dispatch.file_access import FileAccess
from browse.egress.pipeline import Outgoing
from browse.flow.journal import Visit
from browse.guard.domains import Allowed, covers
from browse.guard.files import Roots, WritePath, check_write
from browse.guard.hosts import host_of
from browse.registry.results import Result, Text
from browse.registry.shared_flags import FIND_MS


class DaemonLife(Protocol):
    """What commands may read of the daemon's state, and how they end it."""

    @property
    def ending(self) -> bool: ...

    @property
    def started(self) -> str: ...

    def uptime_s(self) -> float: ...

    def stop_soon(self, reason: str, *, forget: bool = False) -> None: ...


class InnerResult(msgspec.Struct, frozen=True):
    """How an inner command ended: its rendered output, and its error, if any."""

    output: Outgoing
    error: BrowseError | None


class Ctx(msgspec.Struct):
    """The context of one invocation.

    `emit` sends a part of the result at once; `note` sends a line for the person, to stderr.
    """

    call: Call
    settings: Settings
    browser: Browser
    json: bool
    emit: Callable[[Result], Awaitable[None]]
    note: Callable[[Text], Awaitable[None]]
    run: Callable[[Call], Awaitable[InnerResult]]
    files: FileAccess
    anyway: bool = False
    timeout_ms: int = FIND_MS
    reveal: bool = False
    after: int = 0  # the cursor of a reply that continues one that was cut
    room: int = 0  # how many characters of the result will be shown; 0 for all, or if not known
    room_of_data: int = 0  # the same of data, if the result says how many items are left
    held: Tab | None = None
    inside: Inside = None  # the frame that was chosen when the command began
    visit: Visit | None = None
    typed_secret: bool = False
    # The words of each step that the command stands for, if it stands for several.
    steps: list[tuple[str, ...]] = msgspec.field(default_factory=list)
    taken: TakenRefs = NONE_TAKEN
    preferred: list[Others] = msgspec.field(default_factory=list)  # where a target had more matches
    effects: ActionEffects | None = None  # of an action, which is being watched
    # Looks, once the page has reacted, at what an action has brought about; tells or raises, with
    # what the page said meanwhile.
    check: Callable[[list[str]], Awaitable[Text]] | None = None
    queued_for: Tab | None = None
    queued_s: float = 0.0

    def found(self, tab: Tab, *, waited_s: float) -> None:
        """Begin to work in a tab, which is locked for this invocation now."""
        self.held, self.inside = tab, tab.chosen
        self.queued_for, self.queued_s = None, waited_s

    @property
    def tab(self) -> Tab:
        """The tab of this invocation, locked for it. Only commands on the tab lane have one."""
        if self.held is None:
            raise RuntimeError("this command is declared on a lane without a tab")
        return self.held

    def warned_lines(self) -> set[int]:
        """Return the lines of the tab's document that the caller was warned of, to be added to."""
        tab = self.held
        return tab.seen.warned.of(self.call.caller.holder, tab.refs.doc) if tab else set()

    @property
    def seen(self) -> ActionEffects:
        """What is seen of the action so far. Only commands that act have this."""
        if self.effects is None:
            raise RuntimeError("this command is declared as one that does not act")
        return self.effects

    @property
    def patience(self) -> Patience:
        """How long to wait for an element while the page is not quiet."""
        traffic, tab = self.browser.logs.traffic, self.tab.id
        return Patience(self.timeout_ms, lambda: traffic.is_busy(tab))

    async def find(self, word: str, *, anyway: bool = False, use: Use = "") -> FoundElement:
        """Find the one element of this tab that a target names; the journal records it."""
        visit, effects = self.visit, self.effects
        watch = effects.take_start() if effects else None
        if effects and use == "text" and not watch:
            await effects.watching  # the page is told of the focus
        found = await find(
            self.tab,
            word,
            anyway=anyway,
            fingerprint=visit is not None,
            patience=self.patience,
            first=FirstStep(use, watch),
        )
        if effects:
            await effects.watching
        if watch and found.frame.parent_frame:  # which was not there when the command began
            await scripts.START_WATCHING(found.frame.page.main_frame, **watch)
        if found.others:
            await self._tell(word, found.others)
        if visit and found.fingerprint:
            visit.found[word] = found.fingerprint
        return found

    async def _tell(self, word: str, others: Others) -> None:
        """Say that a target has more matches than the one taken: an action in its reply."""
        if self.effects:
            self.preferred.append(others)
            return
        more = "1 other matches" if others.count == 1 else f"{others.count} others match"
        await self.note(Text(f"{word[:80]!r} means {others.ref}; {more} too"))

    async def find_element(self, word: str) -> Element:
        """Find the one element that a target names, with a handle to act on it."""
        return await reach(self.tab, word, await self.find(word, anyway=self.anyway))

    def output(self, name: str) -> WritePath:
        """Return a new path for a file that the caller did not name, in the caller's own folder."""
        first, slash, rest = name.partition("/")
        stem, dot, suffix = first.partition(".")
        unique = f"{stem}-{token_hex(4)}{dot}{suffix}{slash}{rest}"
        self.files.make_room(self.call.caller)
        own = self.files.own(self.call.caller)
        return check_write(unique, cwd=own, roots=Roots.of(own))

    def warnings(self, *hosts: str) -> list[str]:
        """List warnings about the hosts that a command visited, each warning once."""
        sources = (self.browser.sites.warning, self.browser.proxy.tls_warning)
        said = (warning(host) for warning in sources for host in dict.fromkeys(hosts))
        return list(dict.fromkeys(warning for warning in said if warning))

    def blocked(self, tab: Tab, since: float) -> list[str]:
        """List the rules that blocked requests of a tab, with how many each blocked."""
        rows = self.browser.logs.traffic.blocked(tab.id, since)
        why = "; ".join(sorted({row.blocked for row in rows}))
        many = f"{len(rows)} requests were" if len(rows) > 1 else "1 request was"
        return [f"{many} blocked: {why} (`browse network` lists them)"] if rows else []

    async def tabs(self) -> Tabs:
        """All tabs of the call's session, once the browser is up."""
        return await self.browser.tabs(self.call.session)

    async def limit(self, tab: Tab, allowed: Allowed | None) -> None:
        """Limit the requests of a tab to some domains, or lift the limit; None changes nothing."""
        if allowed is not None:
            rules = TabRules(domains=allowed.patterns) if allowed.patterns else None
            await (await self.tabs()).set_rules(tab, rules)

    async def tool_pages(self) -> Callable[[str], bool]:
        """Return a filter for addresses of documents: those whose tools the caller may use."""
        rules = await (await self.tabs()).request_rules.of(self.tab.page)
        limits = [self.call.caller.domains or None, rules.domains if rules else None]
        sites, off = self.browser.sites, self.settings.stealth

        def admits(address: str) -> bool:
            host = host_of(address)
            outside = any(it is not None and not covers(it, host) for it in limits)
            return not (off or outside or sites.objection(host))

        return admits

    def sees(self, tab: Tab) -> bool:
        """Check whether the caller may see what is in a tab."""
        return self.call.caller.may_use(tab.owner)

    async def visible(self) -> Callable[[int], bool]:
        """Return a filter for tab numbers: those of tabs that the caller may see."""
        if self.call.caller.tabs is TabPolicy.SHARED:
            return lambda _: True
        return {tab.id for tab in (await self.tabs()).all() if self.sees(tab)}.__contains__
