"""Errors about the browser as a whole: it did not start, has ended, or ends."""

from playwright.async_api import Error as DriverError

from browse.browser.process.attached_browser import AttachedBrowser
from browse.core.errors import BrowseError, Code

START_S = 60.0


def not_started(exc: DriverError | OSError) -> BrowseError:
    """Build the error for a Chromium that did not start."""
    lines = str(exc).strip().splitlines() or [f"it took longer than {START_S:g} s"]
    return BrowseError(
        Code.BROWSER_START,
        f"Chromium did not start: {lines[0][:300]}",
        hint="run `browse doctor` to see why",
    )


def ended_at_start() -> BrowseError:
    """Build the error for a Chromium that ended, or whose driver did, before it had a tab."""
    return BrowseError(
        Code.BROWSER_START,
        "Chromium ended while it was starting.",
        hint="run the command again; `browse doctor` checks what it needs",
    )


def skipped() -> BrowseError:
    """Build the error for a daemon that runs without Chromium."""
    return BrowseError(
        Code.BROWSER_START,
        "This daemon runs without Chromium: BROWSE_HEADLESS_SKIP is set.",
        hint="unset it, and type `browse restart`",
    )


def browser_gone() -> BrowseError:
    """Build the error for a command during which Chromium ended."""
    return BrowseError(
        Code.BROWSER_GONE,
        "Chromium ended while the command ran; its tabs are gone.",
        hint="run the command again: the next one starts a new daemon and a new Chromium",
    )


def lost(browser: AttachedBrowser) -> BrowseError:
    """Build the error for a browser that we were attached to, and that is gone."""
    said = browser.gone.format(endpoint=browser.endpoint)
    return BrowseError(Code.BROWSER_GONE, said, hint=browser.hint)


def stopping() -> BrowseError:
    """Build the error for a command that arrives while the daemon stops."""
    return BrowseError(
        Code.DAEMON_STOPPING,
        "The daemon is stopping.",
        hint="run the command again: the next one starts a new daemon",
    )
