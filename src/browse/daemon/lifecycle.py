"""The daemon from start to end, however it ends."""

import asyncio
import gc
import logging
import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from browse import _where
from browse.browser.network.outbound_scan import OutboundScan
from browse.browser.process.browser import Browser, Mode
from browse.browser.process.driver import DriverProcess
from browse.core.clock import stamp
from browse.core.errors import BrowseError, Code
from browse.core.launching import start_options
from browse.core.paths import Paths
from browse.core.setting_parsers import EXTENSION
from browse.core.settings import Settings
from browse.core.tasks import spawn
from browse.daemon import port, singleton, state
from browse.daemon.announce import Announcer
from browse.security.canary import Canary
from browse.server.notices import Notices

if TYPE_CHECKING:
    from browse.browser.process.attached_browser import AttachedBrowser
    from browse.browser.process.running_chromium import Launch
    from browse.daemon.build import Served  # loaded in a thread, later
    from browse.daemon.persistence import SessionKeeper

log = logging.getLogger(__name__)
ACKNOWLEDGE_S = 0.05
COMMANDS_S = 2.0
FINISH_S = 1.0
# Exit codes: Chromium was lost, or never started; and a window was lost.
FAILED, LOST_WINDOW = 1, 2


class Life:
    """Starts the parts, waits for a reason to end, and stops everything."""

    def __init__(
        self,
        settings: Settings,
        announce: Announcer,
        lock: singleton.Lock,
        loading: DriverProcess | None,
    ) -> None:
        self._settings = settings
        self._loading = loading
        self._paths = Paths.of(settings)
        self._announce = announce
        self._lock = lock
        self._served: Served | None = None
        self._born = time.monotonic()
        self.started = stamp()
        self._end: asyncio.Future[str] | None = None
        self._failed = False
        self.ending = False

    def uptime_s(self) -> float:
        return time.monotonic() - self._born

    def stop_soon(self, reason: str, *, forget: bool = False) -> None:
        """End the daemon after the current reply was sent; accept no further command.

        `forget`: the next one does not start with the options of this one.
        """
        self.ending = True
        if forget:
            start_options.forget(self._paths.options_note)
        asyncio.get_running_loop().call_later(ACKNOWLEDGE_S, self._finish, reason)

    def _finish(self, reason: str) -> None:
        self.ending = True
        if self._end and not self._end.done():
            self._end.set_result(reason)

    def _browser_gone(self, reason: str) -> None:
        self._failed = True
        self.stop_soon(reason)

    async def run(self) -> int:
        """Run until the end; return the exit code of the process."""
        self._end = asyncio.get_running_loop().create_future()
        self._listen_to_signals()
        canary = Canary()
        browser = Browser(
            self._settings, self._paths, OutboundScan(canary), on_gone=self._browser_gone
        )
        notices = Notices()
        keeper = self._keeper(browser, notices) if self._settings.persist_state else None
        try:
            launch, mode, expected = self._way(browser)
            if mode == "cdp":
                _check_options(self._settings, browser, notices)
            if mode == "headed" and self._settings.profile:
                notices.add("BROWSE_PROFILE is not used in a window, which has its own profile.")
            listener = port.bind(self._settings.port, headed=mode == "headed")
            browser.begin(self._loading, launch, mode, expected)
            await self._serve(browser, canary, notices, listener, self._end)
            if keeper:
                await keeper.close()
        finally:
            self._withdraw()
            await browser.close()
            if self._served:
                await self._served.finish(FINISH_S)
        return self._exit_code(browser)

    def _keeper(self, browser: Browser, notices: Notices) -> "SessionKeeper":
        from browse.daemon.persistence import SessionKeeper  # others pay nothing for it

        return SessionKeeper(self._settings, self._paths, browser, notices)

    def _way(self, browser: Browser) -> "tuple[Launch | None, Mode, AttachedBrowser | None]":
        """Return how the browser is started, if not without a window, and the mode that it has."""
        lost = self._take_window_note() == _where.OPEN
        if address := self._settings.cdp_url or self._settings.cdp_port:
            return _attached(browser, address)
        if self._settings.headed or lost:
            return _in_window(browser, again=lost), "headed", None
        return None, "launched", None

    def _exit_code(self, browser: Browser) -> int:
        if not self._failed:
            self._paths.window_note.unlink(missing_ok=True)  # also that of a lost one before
            return 0
        if browser.mode != "headed" or not browser.had_window:
            return FAILED
        return 0 if self._window_note() == _where.CLOSED else LOST_WINDOW

    def _window_note(self) -> str:
        return _where.window_note(str(self._paths.window_note)).partition(" ")[0]

    def _take_window_note(self) -> str:
        """Return how the last window ended; that a person closed it is of use only once."""
        if (how := self._window_note()) == _where.CLOSED:
            self._paths.window_note.unlink(missing_ok=True)
        return how

    async def _serve(
        self,
        browser: Browser,
        canary: Canary,
        notices: Notices,
        listener: socket.socket,
        end: asyncio.Future[str],
    ) -> None:
        # The driver and Chromium are loading. Importing our other modules meanwhile, in a thread,
        # costs no time; importing them before would delay the first reply.
        build = await asyncio.to_thread(_load_the_rest)
        self._announce.step()
        served = self._served = await build(
            self._settings, self._paths, browser, canary, notices, self, listener
        )
        # What is loaded stays: searching it for garbage again and again would slow down replies.
        gc.freeze()
        gc.enable()
        served.publish()
        self._lock.write_phase(_where.SERVING)  # after the state file, which a client then expects
        self._announce.ready()
        log.info("listening on 127.0.0.1:%d, pid %d", served.port, os.getpid())
        served.begin()
        spawn(self._watch_idleness(served.idle_s), name="idle clock")
        reason = await end
        log.info("stopping: %s", reason)
        self._withdraw()
        await served.stop(COMMANDS_S)

    def _withdraw(self) -> None:
        """Remove the state file and mark the lock as ending, so that no new client comes."""
        with suppress(BrowseError):  # a disk error must not prevent the end
            self._lock.write_phase(_where.ENDING)
        state.withdraw(self._paths.state_file)

    def _listen_to_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self._finish, f"signal {number.name}")

    async def _watch_idleness(self, idle_s: Callable[[], float]) -> None:
        limit = self._settings.idle_timeout_ms / 1000
        while limit:
            left = limit - idle_s()
            if left <= 0:
                self._finish(f"idle for {limit:g} s")
                return
            await asyncio.sleep(left)


def _load_the_rest() -> Callable[..., Any]:
    from browse.daemon.build import serve  # late on purpose: see where this is called

    return serve


def _in_window(browser: Browser, *, again: bool) -> "Launch":
    from browse.browser.window.launch import in_window  # a daemon without a window pays nothing

    return in_window(browser, again=again)


def _check_options(settings: Settings, browser: Browser, notices: Notices) -> None:
    """Refuse a proxy for a browser that connects by itself; tell which options it does not use."""
    if browser.upstream:
        raise BrowseError(
            Code.SETTING_INVALID,
            "--proxy does not hold in a browser that browse attaches to (--cdp): it connects by"
            " itself. Nothing was opened.",
            hint="start that browser with the proxy and give `--proxy off`; or `browse stop`, and"
            " leave --cdp out",
        )
    given = {
        "--ca-cert": settings.ca_cert,
        "--ignore-tls": settings.ignore_tls,
        "--extensions-dir": settings.extensions_dir,
        "--chromium-flag": settings.chromium_flags,
        "--profile": settings.profile,
    }
    if unused := ", ".join(name for name, value in given.items() if value):
        notices.add(f"Of no use in a browser that browse attaches to: {unused}.")


def _attached(
    browser: Browser, address: str
) -> "tuple[Launch | None, Mode, AttachedBrowser | None]":
    if address == EXTENSION:
        from browse.browser.attach.shared_tabs import expect_shared_tabs  # as above

        return expect_shared_tabs(browser)
    from browse.browser.attach.launch import attached  # as above

    return attached(address, browser.proxy.addresses), "cdp", None


def live(
    settings: Settings, announce: Announcer, lock: singleton.Lock, loading: DriverProcess | None
) -> int:
    """Run the daemon in asyncio; return the exit code of the process."""
    return asyncio.run(Life(settings, announce, lock, loading).run())
