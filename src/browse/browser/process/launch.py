"""Start Chromium: which one, with which flags, and which error if it does not start."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.async_api import Error as DriverError
from playwright.async_api import Playwright

from browse.browser.driver_messages import not_started
from browse.browser.network import silent_senders
from browse.browser.network.socks_proxy import SocksProxy
from browse.browser.process import adopt_driver, chromium
from browse.browser.process.chromium_sandbox import why_no_sandbox
from browse.browser.process.driver import DriverProcess
from browse.browser.process.kept_profile import KeptProfile
from browse.browser.process.own_extensions import extension_flags, find_extensions
from browse.browser.process.running_chromium import USUAL_VIEWPORT, Launch, StartedChromium
from browse.browser.scratch import Scratch
from browse.core.errors import BrowseError, Code
from browse.core.paths import Paths
from browse.core.settings import Settings

log = logging.getLogger(__name__)
# Shorter than a command's deadline, so that the caller gets the reason and not a timeout.
LAUNCH_MS = 20_000
# Each site in its own process: the default in Chrome, but not in the headless shell.
ISOLATED = "--site-per-process"
# Chromium 156 crashes now and then when it takes back the memory of an object that a page has just
# lost (blink's ResetRoot finds none behind it): that way of taking it back is off.
KEEP_WRAPPERS = "--js-flags=--no-reclaim-unmodified-wrappers"
# Of the driver's flags: WebGL without a graphics card, which a person's browser does not have.
SOFTWARE_WEBGL = "--enable-unsafe-swiftshader"


async def start_driver(loading: DriverProcess | None) -> adopt_driver.Started:
    """Start Playwright on the driver that is already loading."""
    try:
        return await adopt_driver.start(loading)
    except Exception as exc:  # Playwright raises a plain Exception for a driver that ends at once
        raise BrowseError(
            Code.BROWSER_START,
            f"Playwright's driver did not start: {exc}",
            hint="run `browse doctor` to see why",
        ) from exc


def headless(settings: Settings, paths: Paths) -> Launch:
    """Return what launches headless Chromium over a pipe: no port, and it ends when we do."""

    async def launch(driver: Playwright, flags: list[str]) -> StartedChromium:
        found = chromium.find(settings.chromium_path)
        if settings.extensions_dir:  # a headless shell cannot have any
            found = chromium.find_with_window(settings.chromium_path)
            flags = [*flags, *extension_flags(find_extensions(settings.extensions_dir))]
        options = await common_options(settings, paths, found, flags)
        if settings.profile or settings.extensions_dir:
            return await _in_profile(driver, settings.profile, found, options)
        with starting(found):
            return StartedChromium(await driver.chromium.launch(**options))

    return launch


async def _in_profile(
    driver: Playwright, wanted: str, found: chromium.FoundChromium, options: dict[str, Any]
) -> StartedChromium:
    """Launch headless Chromium with a profile of the owner's, or a new one that is not kept.

    The usual session is in it, because only there are extensions.
    """
    profile = KeptProfile(wanted) if wanted else None
    folder = await profile.claim(found) if profile else ""
    try:
        with starting(found):
            kept = await driver.chromium.launch_persistent_context(
                folder, headless=True, viewport=USUAL_VIEWPORT, **options
            )
        if kept.browser is None:
            raise RuntimeError("the profile's context has no browser")
        if profile:
            profile.used_by(found, kept.browser.version)
    except BaseException:
        if profile:
            profile.release()
        raise

    async def at_end(_: bool) -> None:
        if profile:
            profile.release()

    return StartedChromium(kept.browser, usual=kept, at_end=at_end)


def environ_proxy(settings: Settings) -> str:
    """Return the proxy of the environment that Chromium uses instead of ours; "" if none."""
    if settings.proxy or settings.allowed_domains:
        return ""
    return settings.https_proxy or settings.all_proxy


def connection_flags(settings: Settings, proxy: SocksProxy) -> list[str]:
    """Return the flags for connections: through our proxy, unless the environment has one."""
    if environ_proxy(settings):
        if settings.ca_cert or settings.ignore_tls:
            raise BrowseError(
                Code.SETTING_INVALID,
                "--ca-cert and --ignore-tls need our own proxy, and HTTPS_PROXY or ALL_PROXY names"
                " another that Chromium uses instead.",
                hint='put it behind ours, `browse restart --proxy "$HTTPS_PROXY"`; or unset it',
            )
        log.warning("a proxy is set in the environment: connections do not pass our own")
        return []
    return proxy.flags()


async def common_options(
    settings: Settings, paths: Paths, found: chromium.FoundChromium, flags: list[str]
) -> dict[str, Any]:
    """Return what every Chromium is started with, whether it has a window or not."""
    bare = await asyncio.to_thread(
        why_no_sandbox, off=settings.no_sandbox, contained=settings.container or settings.ci
    )
    quiet = silent_senders.flags(stealth=settings.stealth)
    return {
        "executable_path": found.path,
        "downloads_path": Scratch(paths.scratch_note).downloads(),
        "ignore_default_args": [SOFTWARE_WEBGL] if settings.stealth else None,
        "args": [ISOLATED, KEEP_WRAPPERS, *quiet, *flags, *settings.chromium_flags],
        "chromium_sandbox": not bare,
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
        "timeout": LAUNCH_MS,
    }


@contextmanager
def starting(found: chromium.FoundChromium) -> Iterator[None]:
    """Explain in the error of a start which Chromium did not start, and why."""
    try:
        yield
    except DriverError as exc:
        raise BrowseError(
            Code.BROWSER_START,
            f"Chromium did not start ({found.path}): {not_started(exc.message)}",
            hint="run `browse doctor` to see why, or set GSTACK_CHROMIUM_PATH to another one",
        ) from exc
