"""The tabs of a session: fixed numbers, found by number, one current tab for each holder."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Any
from weakref import WeakKeyDictionary

from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as DriverError

from browse.auth.caller import ROOT, Caller
from browse.browser.cdp_sessions import session_of
from browse.browser.driver_errors import translated
from browse.browser.emulation.emulation import Emulation
from browse.browser.logs.page_logs import PageLogs
from browse.browser.network.request_rules import RequestRules, TabRules
from browse.browser.network.routes import Routes
from browse.browser.recordings.har import Har
from browse.browser.recordings.recording import Recorder
from browse.browser.recordings.trace import Trace
from browse.browser.recordings.video import Video
from browse.browser.scratch import Scratch
from browse.browser.tabs import activation
from browse.browser.tabs.close_page import end
from browse.browser.tabs.deeds import MOVED, Deeds
from browse.browser.tabs.dialogs import Dialogs
from browse.browser.tabs.leases import Leases
from browse.browser.tabs.locks import BrowserLock
from browse.browser.tabs.new_pages import NewPages
from browse.browser.tabs.other_tabs import OtherTabs, Outside
from browse.browser.tabs.quota import OpeningTab, TabQuota
from browse.browser.tabs.tab import Attached, Tab
from browse.browser.tabs.tab_choice import TabChoice
from browse.core.errors import BrowseError, Code
from browse.core.tasks import spawn
from browse.guard.files import Roots

log = logging.getLogger(__name__)
FOLLOW_S, CLOSE_S = 3.0, 1.0
PreparedPage = tuple[Page, Attached]


class Tabs:
    """Opens, finds and closes tabs. A popup becomes a tab as well."""

    def __init__(
        self,
        context: BrowserContext,
        logs: PageLogs,
        scratch: Scratch,
        *,
        limit: int,
        navigation_ms: int,
        ids: Iterator[int],
        request_rules: RequestRules,
        outside: Outside | None = None,
    ) -> None:
        self.leases = Leases()
        self.deeds = Deeds()
        self.lock = BrowserLock()
        self.popups_closed = 0
        self.dialogs = Dialogs(context, logs.dialog_log)
        self.emulation = Emulation(context)
        self.request_rules = request_rules
        self.routes = Routes(context)
        self.har = Har(context, self.routes, scratch)
        self.trace = Recorder(lambda: Trace(scratch.folder(), self._context), Trace)
        self.video = Recorder(
            lambda tab, size: Video(scratch.folder(), tab.page, tab.id, size), Video
        )
        self._context = context
        self.scratch = scratch
        self.logs = logs
        self._quota = TabQuota(limit)
        self._coming: list[OpeningTab] = []
        self._navigation_ms = navigation_ms
        self._tabs: dict[int, Tab] = {}
        self.choice = TabChoice(self._tabs, self.leases, self._new)
        self._ids = ids
        self._numbers: WeakKeyDictionary[Page, int] = WeakKeyDictionary()
        self.pages = NewPages(context, self._on_popup)
        self.others = OtherTabs(outside, ids) if outside else None
        self._at_rest = asyncio.Event()
        self._at_rest.set()
        logs.listen(context, self._number)

    def __len__(self) -> int:
        return len(self.all())

    @property
    def context(self) -> BrowserContext:
        """The browser context that all tabs share: cookies, storage."""
        return self._context

    def all(self) -> list[Tab]:
        return list(self._tabs.values())

    def find(self, id: int) -> Tab:
        """Return the tab with a number; raise if there is none."""
        if tab := self._tabs.get(id):
            return tab
        if self.others:
            self.others.refuse(id)
        known = ", ".join(str(tab.id) for tab in self.all())
        raise BrowseError(
            Code.TAB_UNKNOWN,
            f"Tab {id} not found.",
            hint=f"open tabs: {known}; `browse tabs` lists them",
        )

    async def holding(self, page: Page) -> Tab | None:
        """Return the tab of a popup; None if it was closed or is over the limit of tabs.

        While we open a page of our own, popups wait until it is known which one is ours.
        """
        await self.pages.known(page)
        return next((tab for tab in self.all() if tab.page is page), None)

    async def current(self, caller: Caller = ROOT) -> Tab:
        """Return the tab that a caller's commands act on."""
        return await self.choice.current(caller)

    def switch(self, caller: Caller, tab: Tab) -> None:
        """Make a tab the caller's current one."""
        if self.leases.of(caller.holder) != tab.id:
            self.deeds.add_silent(caller, MOVED, tab.id)
        self.leases.take(caller.holder, tab.id)

    def release(self, client: str) -> int:
        """Return the tabs of a client to the owner, and how many there were.

        Their request rules stay: the pages in them, and their workers, are still the client's.
        """
        released = [tab for tab in self.all() if tab.owner == client]
        for tab in released:
            tab.owner = ""
        self.leases.drop(holder=client)
        return len(released)

    async def open(self, caller: Caller = ROOT) -> Tab:
        """Open a blank tab and make it the caller's current one."""
        await self._at_rest.wait()
        owner = caller.owner
        if why := self._quota.refusal([*self.all(), *self._coming], owner, is_popup=False):
            raise BrowseError(
                Code.TAB_LIMIT,
                f"{why[0].upper()}{why[1:]}.",
                hint="close one with `browse closetab <id>`, or raise BROWSE_MAX_TABS",
            )
        self._coming.append(coming := OpeningTab(owner))
        try:
            tab = await self._new(caller)
        finally:
            self._coming.remove(coming)
        if caller.domains:
            await self.set_rules(tab, TabRules(domains=caller.domains))
        return tab

    @asynccontextmanager
    async def aside(self, beside: Tab) -> AsyncIterator[Tab]:
        """Open a temporary tab that is not listed: it has the logins, but no number.

        It has the request rules of the tab that it works for.
        """
        page = await self._unnumbered_page()
        await self._copy_rules(page, beside)
        page.on("popup", lambda popup: spawn(self._close_page(popup), name="close a popup"))
        tab = self._tab(0, page, self._unnumbered_page)
        try:
            yield tab
        finally:
            await self._end(tab)

    async def _unnumbered_page(self) -> Page:
        """Return a page whose requests use up no number of a tab."""
        page = await self.pages.new()
        self._numbers[page] = 0
        return page

    async def close(self, tab: Tab) -> None:
        """Close a tab; replace the last one with a blank tab, so that there is always one."""
        await self._at_rest.wait()
        self._forget(tab)
        if not self._tabs:
            await self._new()  # first: with its last tab, a window would close
        await self._end(tab)

    async def _end(self, tab: Tab) -> None:
        """Close a tab's page; a slow one continues to close in the background."""
        activation.close(tab.page)
        ending = spawn(end(tab.page, tab.protocol), name=f"tab {tab.id}: close its page")
        await asyncio.wait([ending], timeout=CLOSE_S)

    async def abort_recordings(self) -> None:
        """Discard recordings, before their pages and their folder are removed."""
        recorders = (self.trace, self.video, self.har.recorder)
        await asyncio.gather(*(recorder.abort() for recorder in recorders))

    def require_no_recording(self) -> None:
        """Raise if something is recorded or replayed, which cannot move to another browser."""
        self.har.require_none()
        for recorder in (self.trace, self.video):
            recorder.require_none()

    @asynccontextmanager
    async def held_still(self, command: str) -> AsyncIterator[None]:
        """Let no command run in any tab, and open and close none, during the block."""
        async with self.lock.alone(), AsyncExitStack() as stack:
            self._at_rest.clear()
            try:
                for tab in self.all():  # a new tab is held while it loads its first page
                    await stack.enter_async_context(tab.lock.hold(command))
                yield
            finally:
                self._at_rest.set()

    async def join(self, context: BrowserContext) -> None:
        """Let all that holds for the tabs hold in another browser context, before a move there."""
        self.logs.listen(context, self._number)
        self.dialogs.listen(context)
        await self.emulation.join(context)
        await self.routes.join(context)

    async def prepare_move(self, tab: Tab, page: Page, rules: RequestRules) -> Attached:
        """Let all that holds for a tab hold in a blank page that will replace its own."""
        self._numbers[page] = tab.id
        with translated("setting the rules of the tab"):
            if own := await self.request_rules.of(tab.page):
                await rules.set(page, own)
            await rules.files.grant(page, self.request_rules.files.granted(tab.page))
        rules.watch(page)
        await self.logs.follow(page, tab.id, tab.close_flood)
        session, emulator = await tab.attach(page)
        with translated("emulating"):
            await emulator.apply(self.emulation.now, tab.screen)
        return session, emulator

    def move(
        self, context: BrowserContext, rules: RequestRules, pages: Mapping[Tab, PreparedPage]
    ) -> None:
        """Continue in another browser context, each tab in the page that was prepared for it."""
        self.pages.stop()
        self._context, self.request_rules = context, rules
        for part in (self.emulation, self.routes, self.har):
            part.move(context)
        for tab in self.all():
            if tab not in pages:  # a popup of the last moment
                self._forget(tab)
                continue
            page, attached = pages[tab]
            tab.move(page, attached, rules.files)
            self._watch_close(tab, page)
        self.pages = NewPages(context, self._on_popup)
        ours = {tab.page for tab in self.all()}
        for popup in context.pages:
            if popup not in ours and not popup.is_closed():
                self._on_popup(popup)

    async def take_other(self, id: int) -> None:
        """Take a tab of the person's, if it is one; it keeps its number."""
        if page := self.others and await self.others.take(id, self.pages):
            self._numbers[page] = id
            await self._followed(page)

    async def emulate(self, **fields: Any) -> list[Tab]:
        """Change the emulation in all tabs; return the tabs that do not answer now."""
        await self.emulation.change(**fields)
        tabs = [tab for tab in self.all() if not tab.crashed]
        answers = await asyncio.gather(*(tab.catch_up() for tab in tabs))
        return [tab for tab, answered in zip(tabs, answers, strict=True) if not answered]

    async def set_rules(self, tab: Tab, rules: TabRules | None) -> None:
        """Set the request rules of a tab and of the popups it opens; None removes them."""
        with translated("setting the rules of the tab"):
            await self.request_rules.set(tab.page, rules)

    async def _copy_rules(self, page: Page, tab: Tab) -> None:
        with translated("setting the rules of the tab"):
            if rules := await self.request_rules.of(tab.page):
                await self.request_rules.set(page, rules)

    async def replace_all(self, count: int) -> list[Tab]:
        """Replace all tabs with blank ones; raise if `count` is over the limit."""
        if count > self._quota.limit:
            raise BrowseError(
                Code.TAB_LIMIT,
                f"{count} tabs are wanted, and {self._quota.limit} is the limit.",
                hint="raise BROWSE_MAX_TABS and `browse restart`",
            )
        fresh = [await self._new() for _ in range(count)]
        for tab in self.all():
            if tab not in fresh:
                await self.close(tab)
        return fresh

    async def _new(self, caller: Caller | None = None) -> Tab:
        return await self._followed(await self.pages.new(), caller)

    async def _followed(self, page: Page, caller: Caller | None = None) -> Tab:
        tab = self._adopt(page)
        if caller:  # at once: nobody else shall take it for a free one
            tab.owner = caller.owner
            self.switch(caller, tab)
        await self.logs.follow(tab.page, tab.id, tab.close_flood)  # before it navigates
        return tab

    def _on_popup(self, page: Page) -> None:
        if len(self) >= self._quota.limit:
            self._turn_away(page, "which is the limit")
            return
        tab = self._adopt(page)
        self.leases.reserve(tab.id, None)
        spawn(self._inherit(tab, page), name=f"tab {tab.id}: whose it is")
        spawn(self.logs.follow(page, tab.id, tab.close_flood), name=f"tab {tab.id}: follow")

    async def narrow_files(self, tab: Tab, roots: Roots) -> None:
        """Limit the files that a tab may load to those of one more caller."""
        with translated("limiting the files of the tab"):
            await self.request_rules.files.narrow(tab.page, roots)

    async def _inherit(self, tab: Tab, page: Page) -> None:
        """Set the owner of a popup, and its files, to those of the tab that opened it."""
        opener = await page.opener()
        above = next((it for it in self.all() if it.page is opener), None)
        tab.owner = above.owner if above else ""
        self.leases.reserve(tab.id, self.leases.users(above.id) if above else [])
        others = [it for it in self.all() if it is not tab]
        if why := self._quota.refusal(others, tab.owner, is_popup=True):
            self._forget(tab)
            self._turn_away(page, why)
        tab.is_popup = True
        with suppress(DriverError):  # it may be closed already
            await self.request_rules.files.inherit(page)

    def _turn_away(self, page: Page, why: str) -> None:
        self.popups_closed += 1
        log.warning("a popup is closed: %s", why)
        spawn(self._close_page(page), name="close a popup")

    async def _close_page(self, page: Page) -> None:
        await end(page, lambda: session_of(page))

    def _adopt(self, page: Page) -> Tab:
        tab = self._tab(self._number(page), page, lambda: self._replacement(tab))
        self._tabs[tab.id] = tab
        self._watch_close(tab, page)
        return tab

    def _number(self, page: Page) -> int:
        """Return the number of a page's tab; a popup needs it before it becomes a tab."""
        if page not in self._numbers:
            self._numbers[page] = next(self._ids)
        return self._numbers[page]

    def _tab(self, id: int, page: Page, renew: Callable[[], Any]) -> Tab:
        self.request_rules.watch(page)
        return Tab(
            id,
            page,
            renew,
            explained=self.logs.explained,
            dialogs=self.dialogs,
            emulation=self.emulation,
            navigation_ms=self._navigation_ms,
            files=self.request_rules.files,
        )

    async def _replacement(self, tab: Tab) -> Page:
        """Open a page that replaces a crashed one in the same tab."""
        page = await self.pages.new()
        await self._copy_rules(page, tab)
        await self.request_rules.files.copy(page, tab.page)
        self.request_rules.watch(page)
        self._numbers[page] = tab.id
        self._watch_close(tab, page)
        with suppress(TimeoutError):  # its process may be dying as well
            async with asyncio.timeout(FOLLOW_S):
                await self.logs.follow(page, tab.id, tab.close_flood)
        return page

    def _watch_close(self, tab: Tab, page: Page) -> None:
        def on_close(closed: Page) -> None:
            if tab.page is closed and not tab.flooded:
                self._forget(tab)

        page.on("close", on_close)

    def _forget(self, tab: Tab) -> None:
        self._tabs.pop(tab.id, None)
        self.leases.drop(tab=tab.id)
