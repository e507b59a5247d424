"""The start of a daemon: what must come first, and what takes longest to load.

The driver is started here, before asyncio, Playwright, the log and the rest of ourselves are
imported, so that all of them load at the same time.
"""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from browse.browser.process import driver
from browse.browser.scratch import Scratch
from browse.core.errors import BrowseError
from browse.core.files import private_folder
from browse.core.launching import start_options
from browse.core.paths import Paths
from browse.core.settings import Settings, load
from browse.daemon import singleton
from browse.daemon.announce import Announcer

if TYPE_CHECKING:
    import logging


def main(environ: Mapping[str, str]) -> int:
    """Run a daemon; if it cannot start, report why to the client that waits."""
    announce = Announcer(_ready_fd(environ))
    try:
        given = _start_options(environ)
        settings = load(environ, given)
        paths = Paths.of(settings)
        lock = _take(settings, paths)
        start_options.keep(paths.options_note, given)
        announce.step()
        loading = None if settings.headless_skip else _start_driver(settings, paths, environ)
        _set_up_log(settings, paths)
        from browse.daemon.lifecycle import live  # late on purpose: see above

        announce.step()
        return live(settings, announce, lock, loading)
    except singleton.Taken as other:
        _log().info("not needed: pid %s is the daemon of this project", other)
        announce.taken()
        return 0
    except BrowseError as exc:
        _log().error("%s", exc.message)
        announce.failed(exc)
        return 1


def _take(settings: Settings, paths: Paths) -> singleton.Lock:
    os.umask(0o077)
    private_folder(paths.state_dir)
    try:
        return singleton.hold(paths.daemon_lock, paths.state_file)
    except (singleton.Taken, BrowseError):
        _set_up_log(settings, paths)
        raise


def _set_up_log(settings: Settings, paths: Paths) -> None:
    from browse.core import logs  # late on purpose: see above
    from browse.guard.credentials import masked

    logs.set_up(paths.daemon_log, debug=settings.debug, clean=masked)


def _log() -> "logging.Logger":
    import logging  # late on purpose: see above

    return logging.getLogger(__name__)


def _start_driver(
    settings: Settings, paths: Paths, environ: Mapping[str, str]
) -> driver.DriverProcess | None:
    scratch = Scratch(paths.scratch_note).make()
    private = start_options.private_variables()
    around = {name: value for name, value in environ.items() if name not in private}
    made = driver.environment(around, paths.driver_cache, scratch, quiet=settings.stealth)
    return driver.start(made)


def _start_options(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the options that came with the command, and others of the daemon before."""
    before = start_options.kept(Paths.of(load(environ)).options_note)
    return before | start_options.parse(environ.get(start_options.VARIABLE, ""))


def _ready_fd(environ: Mapping[str, str]) -> int | None:
    """Return the pipe to the client; read before the settings, to report wrong settings."""
    raw = environ.get("BROWSE_READY_FD", "")
    return int(raw) if raw.isdecimal() else None
