"""Launch Chromium in a window, with the project's profile and our extensions."""

from collections.abc import Mapping
from pathlib import Path

from playwright.async_api import Browser as DriverBrowser
from playwright.async_api import BrowserContext, Playwright

from browse.browser.process import chromium
from browse.browser.process.browser import Browser
from browse.browser.process.launch import common_options, starting
from browse.browser.process.running_chromium import Launch, StartedChromium
from browse.browser.scratch import Scratch
from browse.browser.window import extensions
from browse.browser.window.display import Display, open_display
from browse.browser.window.follow import follow
from browse.browser.window.profile import Profile
from browse.core.errors import BrowseError
from browse.core.paths import Paths
from browse.core.tasks import spawn

# What a page gets of it is about as large as the viewport without a window.
WINDOW_SIZE = "1280,820"


def profile_of(paths: Paths) -> Profile:
    """Return the profile of the project's window."""
    return Profile(paths.window_profile, paths.window_note)


def in_window(
    browser: Browser, display_environ: Mapping[str, str] | None = None, *, again: bool = False
) -> Launch:
    """Return what launches Chromium in a window; nothing is left of a launch that fails.

    `display_environ` names a display, if it is not that of the daemon. `again`: the window before
    was lost, and nobody asked for this one.
    """
    settings, paths = browser.settings, browser.paths
    profile = profile_of(paths)

    async def launch(driver: Playwright, flags: list[str]) -> StartedChromium:
        try:
            return await open_one(driver, flags)
        except BrowseError as exc:
            if again:
                exc.hint += "; or `browse disconnect`, to go on without a window"
            raise

    async def open_one(driver: Playwright, flags: list[str]) -> StartedChromium:
        system = chromium.System.here()
        found = chromium.find_with_window(settings.chromium_path, system)
        folder = await profile.claim()
        private = Scratch(paths.scratch_note).folder()
        display = await open_display(system, private, display_environ or {})
        try:
            own = [*flags, *extensions.flags(), *_window_flags(paths.project)]
            options = await common_options(settings, found, own)
            with starting(found):
                window = await driver.chromium.launch_persistent_context(
                    folder,
                    headless=False,
                    no_viewport=True,
                    env=_environ(system, display, temporary=private.parent),
                    **options,
                )
            started = _driver_browser(window)
            profile.opened(await _pid(started))
        except BaseException:
            await display.close()
            raise
        spawn(follow(browser, window), name="follow the person's tabs")

        async def at_end(lost: bool) -> None:
            profile.left(lost=lost)
            await display.close()

        return StartedChromium(started, window, at_end)

    return launch


def _window_flags(project: Path) -> list[str]:
    return [
        f"--window-name=browse: {project.name}",
        f"--window-size={WINDOW_SIZE}",
        "--hide-crash-restore-bubble",
    ]


def _driver_browser(window: BrowserContext) -> DriverBrowser:
    if window.browser is None:
        raise RuntimeError("the window's context has no browser")
    return window.browser


async def _pid(browser: DriverBrowser) -> int:
    """Ask Chromium for the number of its main process."""
    session = await browser.new_browser_cdp_session()
    known = await session.send("SystemInfo.getProcessInfo")
    await session.detach()
    return next(int(it["id"]) for it in known["processInfo"] if it["type"] == "browser")


def _environ(
    system: chromium.System, display: Display, *, temporary: Path
) -> dict[str, str | float | bool] | None:
    """Return Chromium's environment if its display is another than the driver's; else None."""
    if not display.environ:
        return None
    usual = {key: it for key, it in system.environ.items() if key != "WAYLAND_DISPLAY"}
    return {**usual, "TMPDIR": str(temporary), **display.environ}
