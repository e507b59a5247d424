"""The first moments of a daemon: what must be before anything runs, and what takes longest to load.

The driver is started here, before asyncio, Playwright and the rest of ourselves are imported, so
that all of them load at the same time.
"""

import logging
import os
from collections.abc import Mapping

from browse.browser import driver
from browse.browser.scratch import Scratch
from browse.core import logs
from browse.core.errors import BrowseError
from browse.core.files import private_folder
from browse.core.paths import Paths
from browse.core.settings import Settings, load
from browse.daemon import singleton
from browse.daemon.announce import Announcer
from browse.guard.credentials import masked

log = logging.getLogger(__name__)


def main(environ: Mapping[str, str]) -> int:
    """Run a daemon; whatever stops it from starting is told to the client that waits."""
    announce = Announcer(_ready_fd(environ))
    try:
        settings = load(environ)
        loading = _prepare(settings, Paths.of(settings), environ)
        from browse.daemon.lifecycle import live  # late on purpose: see above

        return live(settings, announce, loading)
    except BrowseError as exc:
        log.error("%s", exc.message)
        announce.failed(exc)
        return 1


def _prepare(
    settings: Settings, paths: Paths, environ: Mapping[str, str]
) -> driver.DriverProcess | None:
    os.umask(0o077)
    private_folder(paths.state_dir)
    logs.set_up(paths.daemon_log, debug=settings.debug, clean=masked)
    singleton.hold(paths.daemon_lock)
    scratch = Scratch(paths.scratch_note).make()
    return driver.start(driver.environment(environ, paths.driver_cache, scratch))


def _ready_fd(environ: Mapping[str, str]) -> int | None:
    """Read the pipe before the settings, so that bad settings can be told over it."""
    raw = environ.get("BROWSE_READY_FD", "")
    return int(raw) if raw.isdecimal() else None
