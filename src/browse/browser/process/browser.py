"""The browser: started in the background, awaited where needed, closed however the daemon ends."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, Literal

from playwright.async_api import Browser as DriverBrowser
from playwright.async_api import BrowserContext, Playwright
from playwright.async_api import Error as DriverError

from browse.browser.files.page_downloads import PageDownloads
from browse.browser.logs.page_logs import PageLogs
from browse.browser.network.outbound_scan import OutboundScan
from browse.browser.network.refusals import Refusals
from browse.browser.network.request_rules import RequestRules, TabRules
from browse.browser.network.rules_in_force import RulesInForce
from browse.browser.network.socks_proxy import SocksProxy
from browse.browser.network.tls_exceptions import TlsExceptions
from browse.browser.network.upstream import Upstream
from browse.browser.page import scripts
from browse.browser.process.attached_browser import AttachedBrowser
from browse.browser.process.browser_errors import (
    START_S,
    browser_gone,
    ended_at_start,
    lost,
    not_started,
    skipped,
    stopping,
)
from browse.browser.process.driver import DriverProcess
from browse.browser.process.driver_watch import GONE, DriverWatch
from browse.browser.process.extras import Extras
from browse.browser.process.launch import connection_flags, headless, start_driver
from browse.browser.process.mode_news import ModeNews
from browse.browser.process.named_sessions import NamedSessions
from browse.browser.process.running_chromium import Launch, RunningChromium
from browse.browser.scratch import Scratch
from browse.browser.storage.cookies import ImportedDomains
from browse.browser.tabs import activation
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import BrowseError, Code
from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.core.tasks import spawn
from browse.guard.sites import Sites

CLOSE_S = 5.0
FRONT_S = 2.0
# How long the error of a failed start is kept if no client asks for it.
FAILED_START_S = 5.0
# Without a window, in one, or attached to a browser that is not ours.
Mode = Literal["launched", "headed", "cdp"]


class Browser:
    """One Chromium and its tabs."""

    def __init__(
        self,
        settings: Settings,
        paths: Paths,
        scan: OutboundScan,
        *,
        on_gone: Callable[[str], None],
    ) -> None:
        self.settings = settings
        self.paths = paths
        self._on_gone = on_gone
        self.sites = Sites.of(settings, paths)
        self.scan = scan
        self.logs = PageLogs(paths, Refusals(), scan)
        self._rules = RulesInForce()
        self.upstream = Upstream.of(settings)
        self._extras = Extras.of(settings)
        self.proxy = SocksProxy(
            self.sites,
            self.logs.refusals,
            objection=self._rules.objection,
            on_refused=self.logs.traffic.on_refused,
            has_rules=self._rules.are_there,
            upstream=self.upstream,
            find_tls=lambda: TlsExceptions.of(settings, paths.tls_identity),
        )
        self.imported = ImportedDomains(settings.profile)
        self._scratch = Scratch(paths.scratch_note)
        self.downloads = PageDownloads(self.logs, self._scratch, settings.downloads_mb)
        self.driver_pid: int | None = None
        self._driver: Playwright | None = None
        self._chromium: RunningChromium | None = None
        self.switching = asyncio.Lock()
        self._starts_as: Mode = "launched"
        self._launch_again: Launch | None = None
        self._lost: AttachedBrowser | None = None
        self.welcome_url = ""  # of our own page for a window in which nothing was done yet
        self.had_window = False
        self.is_window_known = False  # whether somebody who asked for the window was told of it
        # What fills the first tabs before any command runs; raises nothing.
        self.at_start: Callable[[Tabs], Awaitable[None]] | None = None
        self.news = ModeNews(lambda: self.mode, self._window)
        self._driver_watch = DriverWatch(lambda: self._chromium, self._report_gone)
        self._starting: asyncio.Task[Tabs] | None = None
        self.sessions = NamedSessions()
        self._ids = itertools.count(1)
        self._closing = self._gone = False

    def begin(
        self,
        loading: DriverProcess | None,
        launch: Launch | None = None,
        mode: Mode = "launched",
        expected: AttachedBrowser | None = None,
    ) -> None:
        """Start in the background, with a driver that is loading; the daemon listens meanwhile.

        `launch` starts another Chromium or attaches to one, which may be `expected` later."""
        if self.is_skipped:
            return
        self._starts_as, self._launch_again = mode, launch
        self._lost = expected or self._lost
        launch = launch or headless(self.settings, self.paths)
        self._starting = spawn(self._start(loading, launch), name="start the browser")

    async def begin_again(self) -> None:
        """Attach again to a browser that was lost; its tabs before are forgotten."""
        before, self._chromium = self._chromium, None
        if before:
            await self.drop(before)
        with suppress(DriverError):  # it has ended, too
            await (self._driver.stop() if self._driver else asyncio.sleep(0))
        self._gone = False
        self.sessions = NamedSessions()
        self.begin(None, self._launch_again, self._starts_as)

    @property
    def is_skipped(self) -> bool:
        """Whether the settings ask for a daemon without Chromium."""
        return self.settings.headless_skip

    @property
    def is_up(self) -> bool:
        return bool(self._chromium and self._chromium.browser.is_connected())

    @property
    def window_notes(self) -> list[str]:
        return [self._chromium.note] if self._chromium and self._chromium.note else []

    @property
    def mode(self) -> Mode:
        """How the browser runs, or will run once it is up."""
        if self._chromium is None or self.attachment:
            return self._starts_as
        return "headed" if self._chromium.window else "launched"

    @property
    def is_quiet(self) -> bool | None:
        """Whether the driver does nothing that pages notice; None as long as that is not known."""
        return self._chromium.is_quiet if self._chromium else None

    @property
    def attachment(self) -> AttachedBrowser | None:
        """What is known of the browser, if it is not ours."""
        return self._chromium.attachment if self._chromium else self._lost

    @property
    def is_lost(self) -> bool:
        """Whether we were attached to a browser, and it is gone."""
        return self._gone and self._lost is not None

    @property
    def devices(self) -> dict[str, Any]:
        """The devices that the driver knows, once the browser is up."""
        return self._driver.devices if self._driver else {}

    @property
    def open_tabs(self) -> Tabs | None:
        """The tabs if the browser is up, without waiting for it."""
        known = self._starting if not self.is_lost else None
        done = known and known.done() and not known.cancelled() and not known.exception()
        return known.result() if known and done else None

    async def tabs(self, name: str = "") -> Tabs:
        """Wait until the browser is up and return the tabs of a session, opened if it is new."""
        usual = await self._usual_tabs()
        if not name or self._chromium is None:
            return usual
        chromium = self._chromium
        return await self.sessions.get(name, lambda: self._new_session(chromium))

    def named(self) -> dict[str, Tabs]:
        """Return the open sessions by name, without the default one."""
        return self.sessions.open()

    async def _usual_tabs(self) -> Tabs:
        if self.is_skipped:
            raise skipped()
        if self._starting is None:
            raise RuntimeError("the session was not begun")
        if self._closing or self.is_lost:
            raise self.ending_error()
        try:
            return await asyncio.shield(self._starting)
        except BrowseError as exc:
            self._report_gone(exc.message)  # the start failed: the daemon ends after it has said so
            raise

    async def _start(self, loading: DriverProcess | None, launch: Launch) -> Tabs:
        try:
            async with asyncio.timeout(START_S):
                tabs = await self._launch(loading, launch)
        except BrowseError as exc:
            problem = ended_at_start() if exc.code is Code.TAB_CLOSED else exc
            self._report_gone_later(problem)
            raise problem from exc
        except (DriverError, OSError) as exc:
            problem = not_started(exc)
            self._report_gone_later(problem)
            raise problem from exc
        if self.at_start:
            await self.at_start(tabs)
        return tabs

    async def open_at_start(self, name: str) -> Tabs:
        """Open a session while the browser starts, when `tabs` would wait for that start."""
        if self._chromium is None:
            raise RuntimeError("Chromium was not started")
        chromium = self._chromium
        return await self.sessions.get(name, lambda: self._new_session(chromium))

    async def _launch(self, loading: DriverProcess | None, launch: Launch) -> Tabs:
        if not self.proxy.is_open:
            await self.proxy.open()
        if self.upstream and self.mode != "cdp":
            await self.upstream.check()  # while the driver loads
        self._driver, self.driver_pid = await start_driver(loading)
        if self.mode == "cdp":
            chromium = await self._start_chromium(launch)
            # Not before: they would not reach a browser context that others have made.
            await scripts.register(self._driver.selectors)
        else:
            chromium, _ = await asyncio.gather(
                self._start_chromium(launch), scripts.register(self._driver.selectors)
            )
        self.take(chromium)
        context, _ = await asyncio.gather(chromium.usual_context(), chromium.begin())
        tabs, _ = await asyncio.gather(self._new_tabs(chromium, context), self._watch(chromium))
        self.news.tell_window(chromium.window)
        return tabs

    async def _start_chromium(self, launch: Launch) -> RunningChromium:
        if self._driver is None:
            raise RuntimeError("the session was not begun")
        started = await launch(self._driver, connection_flags(self.settings, self.proxy))
        everywhere = TabRules(read_only=self.settings.readonly)
        there = started.attachment
        addresses = partial(self.proxy.objection, ports=there.ports) if there else None
        rules = RequestRules(self.logs.refusals, self.scan, everywhere, addresses=addresses)
        self._rules.add(rules)
        started.browser.on("disconnected", self._on_disconnected)
        return RunningChromium(started, rules, self._extras)

    async def start_beside(self, launch: Launch) -> RunningChromium:
        """Start a second Chromium, to which the tabs can move."""
        chromium = await self._start_chromium(launch)
        chromium.watch_soon(self.driver_pid)
        try:
            await chromium.begin()
        except BaseException:
            await self.drop(chromium)
            raise
        return chromium

    def take(self, chromium: RunningChromium) -> RunningChromium | None:
        """Go on with another Chromium, in which the tabs are now; return the one before."""
        mode, before = self.mode, self._chromium
        self._chromium = chromium
        self.had_window = self.had_window or chromium.window is not None
        if mode != self.mode:
            self.news.tell_mode()
        return before

    def _window(self) -> BrowserContext | None:
        return self._chromium.window if self.open_tabs and self._chromium else None

    async def drop(self, chromium: RunningChromium) -> None:
        """Close a Chromium that has no tabs, or no longer."""
        await chromium.close()
        self._rules.remove(chromium.rules)

    async def show(self, tab: Tab) -> None:
        """Bring a tab and its window to the front, if it is in one."""
        # Also a tab that is in front in its window: that of another session may cover it.
        if self.mode == "headed":
            with suppress(DriverError, TimeoutError):  # a page that hangs is in front without it
                async with asyncio.timeout(FRONT_S):
                    with activation.by_us(tab.page.context):
                        activation.is_in_front(tab.page)
                        await tab.page.bring_to_front()

    async def _new_session(self, chromium: RunningChromium) -> Tabs:
        return await self._new_tabs(chromium, await chromium.new_context())

    async def _new_tabs(self, chromium: RunningChromium, context: BrowserContext) -> Tabs:
        """Open a first tab in a browser context, or take the blank page that is in it."""
        tabs = Tabs(
            context,
            self.logs,
            self._scratch,
            limit=self.settings.max_tabs,
            navigation_ms=self.settings.navigation_timeout,
            ids=self._ids,
            request_rules=chromium.rules,
            outside=chromium.outside(context),
        )
        if context.pages:
            tabs.pages.offer(context.pages[0])
        await tabs.open()
        return tabs

    async def _watch(self, chromium: RunningChromium) -> None:
        self.driver_pid = await chromium.watch(self.driver_pid)
        self._driver_watch.begin()

    async def processes(self) -> list[dict[str, Any]]:
        """Ask Chromium for its processes: `id`, `type` and `cpuTime` of each."""
        return await self._chromium.processes() if self._chromium else []

    def check_alive(self) -> None:
        """Check whether Chromium or the driver has ended, before a command uses them.

        A failed start is not checked here: its error is reported, not retried for ever.
        """
        if self.open_tabs is not None and self._chromium and self._chromium.is_lost:
            self._report_gone(GONE)

    def _on_disconnected(self, browser: DriverBrowser) -> None:
        if self._chromium and browser is self._chromium.browser:
            self._report_gone("Chromium ended")

    def _report_gone(self, reason: str) -> None:
        if not self._closing and not self._gone:
            self._gone, self._lost = True, self.attachment
            if not self._lost:  # else it may be attached to again
                self._on_gone(reason)

    def _report_gone_later(self, problem: BrowseError) -> None:
        def report() -> None:
            if self._start_problem() is problem:  # else it was started again
                self._report_gone(problem.message)

        asyncio.get_running_loop().call_later(FAILED_START_S, report)

    async def explain_closed_tab(self, problem: BrowseError) -> BrowseError:
        """Return a better error if a tab was closed because the whole browser ended."""
        if problem.code is not Code.TAB_CLOSED:
            return problem
        await self._driver_watch.check()
        return self.ending_error() if self._gone else problem

    def ending_error(self) -> BrowseError:
        """Build the error for a command that is cut off: why the daemon ends."""
        if self._gone and self._lost and not self._closing:
            return lost(self._lost)
        if problem := self._start_problem():
            return problem
        return browser_gone() if self._gone else stopping()

    def _start_problem(self) -> BrowseError | None:
        """Return why the browser did not start; every later command gets the same error."""
        done = self._starting and self._starting.done() and not self._starting.cancelled()
        problem = self._starting.exception() if done and self._starting else None
        return problem if isinstance(problem, BrowseError) else None

    async def close(self) -> None:
        """Close Chromium and the driver; what is not closed in time ends when our pipe closes."""
        self._closing = True
        with suppress(TimeoutError, DriverError):
            async with asyncio.timeout(CLOSE_S):
                if self._starting and not self._starting.done():
                    self._starting.cancel()
                await self._abort_recordings()
        if self._chromium:
            await self._chromium.close(lost=self._gone)
        with suppress(TimeoutError, DriverError):
            async with asyncio.timeout(CLOSE_S):
                if self._driver:
                    await self._driver.stop()
        await self.proxy.close()
        await self.logs.close()
        await asyncio.to_thread(self._scratch.remove)

    async def _abort_recordings(self) -> None:
        """End recordings, so that nothing writes into the scratch folder while it is removed."""
        usual = [self.open_tabs] if self.open_tabs else []
        for tabs in (*usual, *self.named().values()):
            await tabs.abort_recordings()
