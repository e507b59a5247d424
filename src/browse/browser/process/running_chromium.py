"""One Chromium that runs: what was started, its request rules, and whether its processes live."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import msgspec
from playwright.async_api import Browser as DriverBrowser
from playwright.async_api import BrowserContext, CDPSession, Playwright, ViewportSize
from playwright.async_api import Error as DriverError

from browse import _where
from browse.browser.driver_errors import translated
from browse.browser.emulation.emulation import USUAL_SCREEN
from browse.browser.network.http_logins import HttpLogins
from browse.browser.network.request_rules import RequestRules
from browse.browser.process.attached_browser import AttachedBrowser
from browse.browser.process.extras import Extras
from browse.browser.process.liveness import Liveness, child_above
from browse.browser.tabs.other_tabs import Outside
from browse.core.errors import BrowseError
from browse.core.tasks import spawn

CLOSE_S = 5.0
# A window that a person closes writes down how it ended after it has left the driver.
END_BY_ITSELF_S = 5.0
TERMINATE_S = 2.0
POLL_S = 0.05
# Ours: `quiet_runtime.cjs` answers it.
IS_QUIET = "Browse.isQuiet"
USUAL_VIEWPORT: ViewportSize = {"width": USUAL_SCREEN.width, "height": USUAL_SCREEN.height}


class StartedChromium(msgspec.Struct, frozen=True):
    """What a start gives: the driver's object and, if it has a window, the window's context."""

    browser: DriverBrowser
    window: BrowserContext | None = None
    # What to do once the pid of its main process is known.
    on_pid: Callable[[int], None] | None = None
    # What to do once it is closed: gets whether it was lost before.
    at_end: Callable[[bool], Awaitable[None]] | None = None
    note: str = ""  # what who opens a window should know of it
    # If it is not ours: what is known of it.
    attachment: AttachedBrowser | None = None
    usual: BrowserContext | None = None  # of the default session, if it is not a new one


# Starts a Chromium with these flags, on a driver that runs.
Launch = Callable[[Playwright, list[str]], Awaitable[StartedChromium]]


class RunningChromium:
    """A Chromium with its request rules; a daemon has one, and two while its tabs move."""

    def __init__(
        self, started: StartedChromium, rules: RequestRules, extras: Extras | None = None
    ) -> None:
        self._extras = extras or Extras()
        self._logins = HttpLogins(self._extras.logins)
        self.browser = started.browser
        self.window = started.window
        self._usual = started.window or started.usual
        self._on_pid = started.on_pid
        self._at_end = started.at_end
        self.note = started.note
        self.attachment = started.attachment
        self.rules = rules
        self.pid: int | None = None
        self.is_quiet: bool | None = None  # whether `quiet_runtime.cjs` is in force
        self._session: CDPSession | None = None
        self._liveness = Liveness()

    @property
    def is_lost(self) -> bool:
        """Whether its process or the driver's has ended, as the system knows."""
        return self._liveness.is_lost

    async def begin(self) -> None:
        """Apply the request rules, and have servers answered, before there is a tab."""
        await asyncio.gather(self.rules.begin(self.browser), self._logins.begin(self.browser))

    async def new_context(self) -> BrowserContext:
        """Open a browser context with its own cookies and storage; as large as its window."""
        if self.window:
            return await self._prepared(await self.browser.new_context(no_viewport=True))
        return await self._prepared(await self.browser.new_context(viewport=USUAL_VIEWPORT))

    async def usual_context(self) -> BrowserContext:
        """Return the browser context of the default session."""
        return await self._prepared(self._usual) if self._usual else await self.new_context()

    async def _prepared(self, context: BrowserContext) -> BrowserContext:
        for script in self._extras.init_scripts:
            await context.add_init_script(script)
        return context

    def outside(self, context: BrowserContext) -> Outside | None:
        """Return what is not ours beside a browser context, if that is a person's."""
        return self.attachment.outside if self.attachment and context is self._usual else None

    def watch_soon(self, driver_pid: int | None) -> None:
        """Watch it once it answers, which takes its time while it starts."""

        async def watch() -> None:
            with suppress(DriverError, BrowseError):  # it was closed again
                await self.watch(driver_pid)

        spawn(watch(), name="watch another Chromium")

    async def watch(self, driver_pid: int | None) -> int | None:
        """Watch its process and the driver's; return the driver's pid, found if it is not given."""
        self._session = await self.browser.new_browser_cdp_session()
        self.is_quiet = await _answers(self._session, IS_QUIET)
        if self.attachment and driver_pid:
            self._liveness.watch(driver_pid)
        for process in await self.processes():
            if process["type"] == "browser":
                self.pid = int(process["id"])
        if self.pid is None:
            return driver_pid
        if self._on_pid:
            self._on_pid(self.pid)
        driver_pid = driver_pid or child_above(self.pid)
        if driver_pid:
            self._liveness.watch(driver_pid)
            self._liveness.watch(self.pid, parent=driver_pid)
        return driver_pid

    async def processes(self) -> list[dict[str, Any]]:
        """Ask Chromium for its processes: `id`, `type` and `cpuTime` of each.

        Those of a browser that is not ours are not: it may run on another machine.
        """
        if self._session is None or self.attachment:
            return []
        with translated("asking Chromium for its processes"):
            answer = await self._session.send("SystemInfo.getProcessInfo")
        return list(answer["processInfo"])

    async def probe(self) -> None:
        """Ask it anything; raises the driver's error if it or the driver has ended."""
        if self._session:
            await self._session.send("Browser.getVersion")

    async def close(self, *, lost: bool = False) -> None:
        """Close it; a window that does not close in time gets SIGTERM before SIGKILL.

        `lost`: it has ended by itself.
        """
        started = _where.pid_start(self.pid) if self.pid else ""
        with suppress(TimeoutError, DriverError):
            async with asyncio.timeout(CLOSE_S):
                # With its context our Chromium ends; what we are attached to is only let go of.
                whole = None if self.attachment else self._usual
                await (whole.close() if whole else self.browser.close())
        if self.pid and started and self.window:
            if lost:
                await _wait_for_end(self.pid, started, END_BY_ITSELF_S)
            await end_process(self.pid, started)
        if self._at_end:
            await self._at_end(lost)


async def _answers(session: CDPSession, method: str) -> bool:
    try:
        await session.send(method)
    except DriverError:  # Chromium does not know it, or is gone
        return False
    return True


async def end_process(pid: int, started: str) -> None:
    """End a process that may have ended by itself: by SIGTERM, and by SIGKILL if that is late."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        if _where.pid_start(pid) != started:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
        await _wait_for_end(pid, started, TERMINATE_S)


async def _wait_for_end(pid: int, started: str, seconds: float) -> None:
    deadline = asyncio.get_running_loop().time() + seconds
    while _where.pid_start(pid) == started and asyncio.get_running_loop().time() < deadline:  # noqa: ASYNC110 - no event
        await asyncio.sleep(POLL_S)
