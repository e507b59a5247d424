"""Starting Chromium: which one, with which flags, and what to say when it does not start."""

import asyncio
import re

from playwright.async_api import Browser, Playwright
from playwright.async_api import Error as DriverError

from browse.browser.page import scripts
from browse.browser.process import adopt_driver, chromium
from browse.browser.process.driver import DriverProcess
from browse.core.errors import BrowseError, Code
from browse.core.settings import Settings

# Less than a command may take: its caller is told why Chromium did not come, not that time is up.
LAUNCH_MS = 20_000
# Each site in a process of its own: Chrome does that by itself, the headless shell does not.
ISOLATED = "--site-per-process"
# What Chromium died of, else the first thing that it or its start script had to say (Debian's
# prints an `unexpected operator` at every start).
_TELLING = (
    r"\[err\] .*?FATAL:[^\]]*\] (.+)",
    r"\[err\] (?!.*(?:DevTools|unexpected operator))(.+)",
    r"(spawn .+)",
    r"(?:Error|launch): (.+)",
)


async def start_driver(loading: DriverProcess | None) -> Playwright:
    """Start Playwright on the driver that is loading already."""
    try:
        return await adopt_driver.start(loading)
    except Exception as exc:  # a driver that ends at once is reported as just that
        raise BrowseError(
            Code.BROWSER_START,
            f"Playwright's driver did not start: {exc}",
            hint="run `browse doctor` to see why",
        ) from exc


async def launch(driver: Playwright, settings: Settings, flags: list[str]) -> Browser:
    """Launch headless Chromium over a pipe: no port for others to reach, and it ends when we do."""
    found = chromium.find(settings.chromium_path)
    sandbox = not chromium.needs_no_sandbox(
        forced=settings.no_sandbox, contained=settings.container or settings.ci
    )
    try:
        browser, _ = await asyncio.gather(
            driver.chromium.launch(
                executable_path=found.path,
                args=[ISOLATED, *flags],
                chromium_sandbox=sandbox,
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                timeout=LAUNCH_MS,
            ),
            scripts.register(driver.selectors),
        )
        return browser
    except DriverError as exc:
        raise BrowseError(
            Code.BROWSER_START,
            f"Chromium did not start ({found.path}): {_reason(exc.message)}",
            hint="run `browse doctor` to see why, or set GSTACK_CHROMIUM_PATH to another one",
        ) from exc


def _reason(message: str) -> str:
    """Pick the telling line out of the driver's report."""
    for pattern in _TELLING:
        if found := re.search(pattern, message):
            return found.group(1).strip()[:300]
    return message.strip().splitlines()[0][:300]
