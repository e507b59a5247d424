"""The browser's life: started in the background, awaited where needed, closed on every way out."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

from playwright.async_api import Browser, Playwright
from playwright.async_api import Error as DriverError

from browse.browser import launch
from browse.browser.tabs import Tabs
from browse.core.errors import BrowseError, Code
from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.core.tasks import spawn

log = logging.getLogger(__name__)
CLOSE_S = 5.0
VIEWPORT = {"width": 1280, "height": 720}


class Session:
    """One Chromium and its tabs."""

    def __init__(self, settings: Settings, paths: Paths, *, on_gone: Callable[[str], None]) -> None:
        self._settings = settings
        self._paths = paths
        self._on_gone = on_gone
        self._driver: Playwright | None = None
        self._browser: Browser | None = None
        self._starting: asyncio.Task[Tabs] | None = None
        self._closing = False

    def begin(self) -> None:
        """Start in the background; the daemon listens meanwhile."""
        self._starting = spawn(self._start(), name="start the browser")

    @property
    def is_up(self) -> bool:
        return bool(self._browser and self._browser.is_connected())

    @property
    def open_tabs(self) -> Tabs | None:
        """The tabs if the browser is up, without waiting for it."""
        done = (
            self._starting is not None and self._starting.done() and not self._starting.cancelled()
        )
        if not done or self._starting is None or self._starting.exception():
            return None
        return self._starting.result()

    async def tabs(self) -> Tabs:
        """Wait until the browser is up."""
        if self._starting is None:
            raise RuntimeError("the session was not begun")
        if self._closing:
            raise stopping()
        return await asyncio.shield(self._starting)

    async def _start(self) -> Tabs:
        try:
            self._driver = await launch.start_driver(self._paths.driver_cache)
            self._browser = await launch.launch(self._driver, self._settings)
            self._browser.on("disconnected", self._on_disconnected)
            context = await self._browser.new_context(viewport=VIEWPORT)  # type: ignore[arg-type] # a TypedDict of the driver's
            tabs = Tabs(context, limit=self._settings.max_tabs)
            await tabs.current("")
        except BrowseError as exc:
            self._on_gone(exc.message)
            raise
        except (DriverError, OSError) as exc:
            self._on_gone(str(exc))
            raise BrowseError(
                Code.BROWSER_START, "Chromium did not start.", hint="run `browse doctor` to see why"
            ) from exc
        return tabs

    def _on_disconnected(self, _: Browser) -> None:
        if not self._closing:
            self._on_gone("Chromium ended")

    async def close(self) -> None:
        """Close Chromium and the driver; what does not go in time ends with our end of its pipe."""
        self._closing = True
        with suppress(TimeoutError, DriverError):
            async with asyncio.timeout(CLOSE_S):
                if self._starting and not self._starting.done():
                    self._starting.cancel()
                if self._browser:
                    await self._browser.close()
                if self._driver:
                    await self._driver.stop()


def stopping() -> BrowseError:
    """Say that the daemon is on its way out."""
    return BrowseError(
        Code.DAEMON_STOPPING,
        "The daemon is stopping.",
        hint="run the command again: the next one starts a new daemon",
    )
