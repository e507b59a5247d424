"""The browser: started in the background, awaited where needed, closed however the daemon ends."""

import asyncio
import itertools
import logging
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.async_api import Browser as DriverBrowser
from playwright.async_api import BrowserContext, CDPSession, Playwright
from playwright.async_api import Error as DriverError

from browse.browser.driver_errors import translated
from browse.browser.emulation.emulation import ScreenMetrics
from browse.browser.logs.page_logs import PageLogs
from browse.browser.network.outbound_scan import OutboundScan
from browse.browser.network.refusals import Refusals
from browse.browser.network.request_rules import RequestRules, TabRules
from browse.browser.network.socks_proxy import SocksProxy
from browse.browser.process import launch
from browse.browser.process.driver import DriverProcess
from browse.browser.process.liveness import Liveness, child_above
from browse.browser.scratch import Scratch
from browse.browser.storage.cookies import ImportedDomains
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import BrowseError, Code
from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.core.tasks import spawn
from browse.guard.sites import Sites

log = logging.getLogger(__name__)
START_S = 60.0
CLOSE_S = 5.0
PROBE_S = 5.0
MAX_SESSIONS = 20
# How long the error of a failed start is kept if no client asks for it.
FAILED_START_S = 5.0


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
        self._settings = settings
        self._on_gone = on_gone
        self.sites = Sites.of(settings, paths)
        refusals = Refusals()
        self.scan = scan
        self.logs = PageLogs(paths, refusals, scan)
        self._request_rules = RequestRules(refusals, scan, TabRules(read_only=settings.readonly))
        self._proxy = SocksProxy(
            self.sites,
            refusals,
            objection=self._request_rules.objection,
            on_refused=self.logs.traffic.on_refused,
            has_rules=self._request_rules.are_there,
        )
        self.imported = ImportedDomains()
        self._scratch = Scratch(paths.scratch_note)
        self.driver_pid: int | None = None
        self._driver: Playwright | None = None
        self._browser: DriverBrowser | None = None
        self._browser_session: CDPSession | None = None
        self._liveness = Liveness()
        self._starting: asyncio.Task[Tabs] | None = None
        self._named: dict[str, asyncio.Task[Tabs]] = {}
        self._ids = itertools.count(1)
        self._closing = False
        self._gone = False

    def begin(self, loading: DriverProcess | None) -> None:
        """Start in the background, with a driver that is loading; the daemon listens meanwhile."""
        if self.is_skipped:
            return
        self._starting = spawn(self._start(loading), name="start the browser")

    @property
    def is_skipped(self) -> bool:
        """Whether the settings ask for a daemon without Chromium."""
        return self._settings.headless_skip

    @property
    def is_up(self) -> bool:
        return bool(self._browser and self._browser.is_connected())

    @property
    def devices(self) -> dict[str, Any]:
        """The devices that the driver knows, once the browser is up."""
        return self._driver.devices if self._driver else {}

    @property
    def open_tabs(self) -> Tabs | None:
        """The tabs if the browser is up, without waiting for it."""
        done = (
            self._starting is not None and self._starting.done() and not self._starting.cancelled()
        )
        if not done or self._starting is None or self._starting.exception():
            return None
        return self._starting.result()

    async def tabs(self, name: str = "") -> Tabs:
        """Wait until the browser is up and return the tabs of a session, opened if it is new."""
        usual = await self._usual_tabs()
        if not name or self._browser is None:
            return usual
        if name not in self._named:
            if len(self._named) >= MAX_SESSIONS:
                raise BrowseError(
                    Code.SESSION_LIMIT,
                    f"{MAX_SESSIONS} sessions are open, which is the limit.",
                    hint="close one with `browse session close <name>`",
                )
            self._named[name] = spawn(self._new_session(self._browser), name=f"session {name}")
        try:
            with translated("opening the session"):
                return await asyncio.shield(self._named[name])
        except BrowseError:
            self._named.pop(name, None)
            raise

    def named(self) -> dict[str, Tabs]:
        """Return the open sessions by name, without the default one."""
        done = {name: task for name, task in self._named.items() if task.done()}
        return {name: task.result() for name, task in done.items() if not task.exception()}

    async def close_named(self, name: str) -> int:
        """Close a session with its tabs and cookies; return how many tabs it had."""
        task = self._named.pop(name, None)
        if task is None:
            raise BrowseError(
                Code.SESSION_UNKNOWN,
                f"There is no session {name!r}.",
                hint=f"open: {', '.join(self._named) or 'none'}; `browse session list`",
            )
        tabs = await task
        count = len(tabs)
        await tabs.abort_recordings()
        with translated("closing the session"):
            await tabs.context.close()
        return count

    async def _usual_tabs(self) -> Tabs:
        if self.is_skipped:
            raise _skipped()
        if self._starting is None:
            raise RuntimeError("the session was not begun")
        if self._closing:
            raise self.ending_error()
        try:
            return await asyncio.shield(self._starting)
        except BrowseError as exc:
            self._report_gone(exc.message)  # the start failed: the daemon ends after it has said so
            raise

    async def _start(self, loading: DriverProcess | None) -> Tabs:
        try:
            async with asyncio.timeout(START_S):
                return await self._launch(loading)
        except BrowseError as exc:
            self._report_gone_later(exc)
            raise
        except (DriverError, OSError) as exc:
            problem = _not_started(exc)
            self._report_gone_later(problem)
            raise problem from exc

    async def _launch(self, loading: DriverProcess | None) -> Tabs:
        await self._proxy.open()
        self._driver, self.driver_pid = await launch.start_driver(loading)
        self._browser = await launch.launch(self._driver, self._settings, self._proxy_flags())
        self._browser.on("disconnected", self._on_disconnected)
        context, _ = await asyncio.gather(
            _new_context(self._browser), self._request_rules.begin(self._browser)
        )
        tabs, _ = await asyncio.gather(self._new_tabs(context), self._watch_driver(self._browser))
        return tabs

    async def _new_session(self, browser: DriverBrowser) -> Tabs:
        return await self._new_tabs(await _new_context(browser))

    def _proxy_flags(self) -> list[str]:
        """Return the flags for connections: through our proxy, unless the environment has one."""
        proxied = self._settings.https_proxy or self._settings.all_proxy
        if proxied and not self._settings.allowed_domains:
            log.warning("a proxy is set in the environment: connections do not pass our own")
            return []
        return self._proxy.flags()

    async def _new_tabs(self, context: BrowserContext) -> Tabs:
        """Open a first tab in a new browser context."""
        tabs = Tabs(
            context,
            self.logs,
            self._scratch,
            limit=self._settings.max_tabs,
            navigation_ms=self._settings.navigation_timeout,
            ids=self._ids,
            request_rules=self._request_rules,
        )
        await tabs.open()
        return tabs

    async def _watch_driver(self, browser: DriverBrowser) -> None:
        """Watch for the driver's death, which nothing in its interface reports."""
        self._browser_session = await browser.new_browser_cdp_session()
        for process in await self.processes():
            if process["type"] == "browser":
                self._watch_processes(process["id"])
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGCHLD, self._on_child_ended)

    def _watch_processes(self, chromium: int) -> None:
        self.driver_pid = self.driver_pid or child_above(chromium)
        if self.driver_pid:
            self._liveness.watch(self.driver_pid)
            self._liveness.watch(chromium, parent=self.driver_pid)

    def _on_child_ended(self) -> None:
        spawn(self._check_driver(), name="look after the driver")

    async def _check_driver(self) -> None:
        if self._browser_session is None:
            return
        try:
            async with asyncio.timeout(PROBE_S):
                await self._browser_session.send("Browser.getVersion")
        except DriverError:
            self._report_gone("Playwright's driver or Chromium ended")
        except TimeoutError:
            log.warning("the driver does not answer")

    async def processes(self) -> list[dict[str, Any]]:
        """Ask Chromium for its processes: `id`, `type` and `cpuTime` of each."""
        if self._browser_session is None:
            return []
        with translated("asking Chromium for its processes"):
            answer = await self._browser_session.send("SystemInfo.getProcessInfo")
        return list(answer["processInfo"])

    def check_alive(self) -> None:
        """Check whether Chromium or the driver has ended, before a command uses them.

        A failed start is not checked here: its error is reported, not retried for ever.
        """
        if self.open_tabs is not None and self._liveness.is_lost:
            self._report_gone("Playwright's driver or Chromium ended")

    def _on_disconnected(self, _: DriverBrowser) -> None:
        self._report_gone("Chromium ended")

    def _report_gone(self, reason: str) -> None:
        if not self._closing and not self._gone:
            self._gone = True
            self._on_gone(reason)

    def _report_gone_later(self, problem: BrowseError) -> None:
        asyncio.get_running_loop().call_later(FAILED_START_S, self._report_gone, problem.message)

    async def explain_closed_tab(self, problem: BrowseError) -> BrowseError:
        """Return a better error if a tab was closed because the whole browser ended."""
        if problem.code is not Code.TAB_CLOSED:
            return problem
        await self._check_driver()
        return _browser_gone() if self._gone else problem

    def ending_error(self) -> BrowseError:
        """Build the error for a command that is cut off: why the daemon ends."""
        if problem := self._start_problem():
            return problem
        return _browser_gone() if self._gone else stopping()

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
                if self._browser:
                    await self._browser.close()
                if self._driver:
                    await self._driver.stop()
        await self._proxy.close()
        await self.logs.close()
        await asyncio.to_thread(self._scratch.remove)

    async def _abort_recordings(self) -> None:
        """End recordings, so that nothing writes into the scratch folder while it is removed."""
        usual = [self.open_tabs] if self.open_tabs else []
        for tabs in (*usual, *self.named().values()):
            await tabs.abort_recordings()


async def _new_context(browser: DriverBrowser) -> BrowserContext:
    """Open a browser context with its own cookies and storage."""
    screen = ScreenMetrics()
    return await browser.new_context(viewport={"width": screen.width, "height": screen.height})


def _not_started(exc: DriverError | OSError) -> BrowseError:
    lines = str(exc).strip().splitlines() or [f"it took longer than {START_S:g} s"]
    return BrowseError(
        Code.BROWSER_START,
        f"Chromium did not start: {lines[0][:300]}",
        hint="run `browse doctor` to see why",
    )


def _skipped() -> BrowseError:
    return BrowseError(
        Code.BROWSER_START,
        "This daemon runs without Chromium: BROWSE_HEADLESS_SKIP is set.",
        hint="unset it, and type `browse restart`",
    )


def _browser_gone() -> BrowseError:
    return BrowseError(
        Code.BROWSER_GONE,
        "Chromium ended while the command ran; its tabs are gone.",
        hint="run the command again: the next one starts a new daemon and a new Chromium",
    )


def stopping() -> BrowseError:
    """Build the error for a command that arrives while the daemon stops."""
    return BrowseError(
        Code.DAEMON_STOPPING,
        "The daemon is stopping.",
        hint="run the command again: the next one starts a new daemon",
    )
