"""The browser's life: started in the background, awaited where needed, closed on every way out."""

import asyncio
import itertools
import logging
import signal
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from playwright.async_api import Browser, CDPSession, Playwright
from playwright.async_api import Error as DriverError

from browse.browser.driver_errors import translated
from browse.browser.emulation.emulation import Screen
from browse.browser.logs.page_logs import Capture
from browse.browser.network.refusals import Refusals
from browse.browser.network.request_rules import Fences, Rules
from browse.browser.network.socks_proxy import Door
from browse.browser.process import launch
from browse.browser.process.driver import DriverProcess
from browse.browser.process.liveness import Lifesign
from browse.browser.scratch import Scratch
from browse.browser.storage.cookies import Imported
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
# How long a failed start is kept to be told, should the client that caused it never ask.
UNHEARD_S = 5.0


class Session:
    """One Chromium and its tabs."""

    def __init__(self, settings: Settings, paths: Paths, *, on_gone: Callable[[str], None]) -> None:
        self._settings = settings
        self._on_gone = on_gone
        self.sites = Sites.of(settings, paths)
        refusals = Refusals()
        self.capture = Capture(paths, refusals)
        self._door = Door(self.sites, refusals)
        self._door.on_refused = self.capture.traffic.on_refused
        self.imported = Imported()
        self._scratch = Scratch(paths.scratch_note)
        self.driver_pid: int | None = None
        self._driver: Playwright | None = None
        self._browser: Browser | None = None
        self._pulse: CDPSession | None = None
        self._lifesign = Lifesign()
        self._starting: asyncio.Task[Tabs] | None = None
        self._named: dict[str, asyncio.Task[Tabs]] = {}
        self._ids = itertools.count(1)
        self._fences: Fences | None = None
        self._closing = False
        self._gone = False

    def begin(self, loading: DriverProcess | None) -> None:
        """Start in the background, with a driver that is loading; the daemon listens meanwhile."""
        self.driver_pid = loading.pid if loading else None
        if loading:
            self._lifesign.watch(loading.pid)
        self._starting = spawn(self._start(loading), name="start the browser")

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
        """Wait until the browser is up; a name is that of a session with cookies of its own."""
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
            self._named[name] = spawn(self._new_tabs(self._browser), name=f"session {name}")
        try:
            with translated("opening the session"):
                return await asyncio.shield(self._named[name])
        except BrowseError:
            self._named.pop(name, None)
            raise

    def named(self) -> dict[str, Tabs]:
        """List the sessions that are open besides the usual one."""
        done = {name: task for name, task in self._named.items() if task.done()}
        return {name: task.result() for name, task in done.items() if not task.exception()}

    async def close_named(self, name: str) -> int:
        """Close a session with its tabs and cookies; tell how many tabs it had."""
        task = self._named.pop(name, None)
        if task is None:
            raise BrowseError(
                Code.SESSION_UNKNOWN,
                f"There is no session {name!r}.",
                hint=f"open: {', '.join(self._named) or 'none'}; `browse session list`",
            )
        tabs = await task
        count = len(tabs)
        await tabs.abandon_recordings()
        with translated("closing the session"):
            await tabs.context.close()
        return count

    async def _usual_tabs(self) -> Tabs:
        if self._starting is None:
            raise RuntimeError("the session was not begun")
        if self._closing:
            raise self.farewell()
        try:
            return await asyncio.shield(self._starting)
        except BrowseError as exc:
            self._lose(exc.message)  # it never came up: once that is told, there is no more to do
            raise

    async def _start(self, loading: DriverProcess | None) -> Tabs:
        try:
            async with asyncio.timeout(START_S):
                return await self._launch(loading)
        except BrowseError as exc:
            self._lose_later(exc)
            raise
        except (DriverError, OSError) as exc:
            problem = _not_started(exc)
            self._lose_later(problem)
            raise problem from exc

    async def _launch(self, loading: DriverProcess | None) -> Tabs:
        await self._door.open()
        self._driver = await launch.start_driver(loading)
        self._browser = await launch.launch(self._driver, self._settings, self._way_out())
        self._browser.on("disconnected", self._on_disconnected)
        tabs, _ = await asyncio.gather(
            self._new_tabs(self._browser), self._watch_driver(self._browser)
        )
        return tabs

    def _way_out(self) -> list[str]:
        """Tell Chromium how to connect: through our door, unless there is a proxy to be used."""
        proxied = self._settings.https_proxy or self._settings.all_proxy
        if proxied and not self._settings.allowed_domains:
            log.warning("a proxy is set in the environment: connections do not pass our own door")
            return []
        return self._door.flags()

    async def _new_tabs(self, browser: Browser) -> Tabs:
        """Open a browser context: cookies, storage and tabs, of which there is one at first."""
        screen = Screen()
        context = await browser.new_context(
            viewport={"width": screen.width, "height": screen.height}
        )
        tabs = Tabs(
            context,
            self.capture,
            self._scratch,
            limit=self._settings.max_tabs,
            ids=self._ids,
            everywhere=Rules(read_only=self._settings.readonly),
            fences=self._fences,
        )
        if self._fences is None:
            self._fences = tabs.fences
            self._door.objection = tabs.fences.objection
            await tabs.fences.begin()
        await tabs.open()
        return tabs

    async def _watch_driver(self, browser: Browser) -> None:
        """See to it that the driver's death is noticed; nothing in its interface tells of it."""
        self._pulse = await browser.new_browser_cdp_session()
        for process in await self.processes():
            if process["type"] == "browser" and self.driver_pid:
                self._lifesign.watch(process["id"], parent=self.driver_pid)
        if hasattr(signal, "SIGCHLD"):
            loop = asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGCHLD, self._on_child_ended)

    def _on_child_ended(self) -> None:
        spawn(self._feel_pulse(), name="look after the driver")

    async def _feel_pulse(self) -> None:
        if self._pulse is None:
            return
        try:
            async with asyncio.timeout(PROBE_S):
                await self._pulse.send("Browser.getVersion")
        except DriverError:
            self._lose("Playwright's driver or Chromium ended")
        except TimeoutError:
            log.warning("the driver does not answer")

    async def processes(self) -> list[dict[str, Any]]:
        """Ask Chromium for its processes: `id`, `type` and `cpuTime` of each."""
        if self._pulse is None:
            return []
        with translated("asking Chromium for its processes"):
            answer = await self._pulse.send("SystemInfo.getProcessInfo")
        return list(answer["processInfo"])

    def notice_an_end(self) -> None:
        """See whether Chromium or the driver has ended, before a command is let in to them.

        Not before they were up: a start that failed is told, or it would be tried for ever.
        """
        if self.open_tabs is not None and self._lifesign.is_lost:
            self._lose("Playwright's driver or Chromium ended")

    def _on_disconnected(self, _: Browser) -> None:
        self._lose("Chromium ended")

    def _lose(self, reason: str) -> None:
        if not self._closing and not self._gone:
            self._gone = True
            self._on_gone(reason)

    def _lose_later(self, problem: BrowseError) -> None:
        asyncio.get_running_loop().call_later(UNHEARD_S, self._lose, problem.message)

    async def account_for(self, problem: BrowseError) -> BrowseError:
        """Find out whether it was the whole browser that ended, where a tab was found closed."""
        if problem.code is not Code.TAB_CLOSED:
            return problem
        await self._feel_pulse()
        return _browser_gone() if self._gone else problem

    def farewell(self) -> BrowseError:
        """Say to a command that is cut off why the daemon ends."""
        if problem := self._start_problem():
            return problem
        return _browser_gone() if self._gone else stopping()

    def _start_problem(self) -> BrowseError | None:
        """Tell why the browser never came up: so does everybody who comes before we are gone."""
        done = self._starting and self._starting.done() and not self._starting.cancelled()
        problem = self._starting.exception() if done and self._starting else None
        return problem if isinstance(problem, BrowseError) else None

    async def close(self) -> None:
        """Close Chromium and the driver; what does not go in time ends with our end of its pipe."""
        self._closing = True
        with suppress(TimeoutError, DriverError):
            async with asyncio.timeout(CLOSE_S):
                if self._starting and not self._starting.done():
                    self._starting.cancel()
                await self._abandon_recordings()
                if self._browser:
                    await self._browser.close()
                if self._driver:
                    await self._driver.stop()
        await self._door.close()
        await self.capture.close()
        await asyncio.to_thread(self._scratch.remove)

    async def _abandon_recordings(self) -> None:
        """Have nothing more written into the folder that is removed in the end."""
        usual = [self.open_tabs] if self.open_tabs else []
        for tabs in (*usual, *self.named().values()):
            await tabs.abandon_recordings()


def _not_started(exc: DriverError | OSError) -> BrowseError:
    told = str(exc).strip().splitlines() or [f"it took longer than {START_S:g} s"]
    return BrowseError(
        Code.BROWSER_START,
        f"Chromium did not start: {told[0][:300]}",
        hint="run `browse doctor` to see why",
    )


def _browser_gone() -> BrowseError:
    return BrowseError(
        Code.BROWSER_GONE,
        "Chromium ended while the command ran; its tabs are gone.",
        hint="run the command again: the next one starts a new daemon and a new Chromium",
    )


def stopping() -> BrowseError:
    """Say that the daemon is on its way out."""
    return BrowseError(
        Code.DAEMON_STOPPING,
        "The daemon is stopping.",
        hint="run the command again: the next one starts a new daemon",
    )
