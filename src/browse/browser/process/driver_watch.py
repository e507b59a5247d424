"""Watch for the driver's death, which nothing in its interface reports."""

import asyncio
import logging
import signal
from collections.abc import Callable

from playwright.async_api import Error as DriverError

from browse.browser.process.running_chromium import RunningChromium
from browse.core.tasks import spawn

log = logging.getLogger(__name__)
PROBE_S = 5.0
GONE = "Playwright's driver or Chromium ended"


class DriverWatch:
    """Asks the browser in use whether it lives, whenever a child of ours has ended."""

    def __init__(
        self, in_use: Callable[[], RunningChromium | None], on_gone: Callable[[str], None]
    ) -> None:
        self._in_use = in_use
        self._on_gone = on_gone

    def begin(self) -> None:
        """Watch from now on."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGCHLD, self._on_child_ended)

    def _on_child_ended(self) -> None:
        spawn(self.check(), name="look after the driver")

    async def check(self) -> None:
        """Ask once; tell if it has ended."""
        if (chromium := self._in_use()) is None:
            return
        try:
            async with asyncio.timeout(PROBE_S):
                await chromium.probe()
        except DriverError:
            if chromium is self._in_use():  # else the tabs have moved on, and it was closed
                self._on_gone(GONE)
        except TimeoutError:
            log.warning("the driver does not answer")
