"""Playwright's driver, started before Playwright itself is imported.

The driver needs a third of a second to load, and so do asyncio and Playwright. Loading both at the
same time halves that, so this module imports neither.
"""

import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from browse.browser.process import chromium
from browse.core.errors import BrowseError
from browse.core.files import private_folder

# A smaller young generation of V8's heap: 20 MB less after a large page, and no slower.
SMALL_HEAP = "--max-semi-space-size=1"
# Drops what a page logs or fetches too fast for the driver.
DROP_EVENTS = Path(__file__).with_name("drop_events.cjs")
# Loads the driver without what it does not need, in half of the time.
LOAD_DRIVER = Path(__file__).with_name("load_driver.cjs")
QUIET = "BROWSE_QUIET_DRIVER"  # as in it


@dataclass(frozen=True, slots=True)
class DriverProcess:
    """A driver that is loading, our ends of its two pipes, and its environment."""

    pid: int
    stdin: int
    stdout: int
    environ: Mapping[str, str]


def environment(
    inherited: Mapping[str, str], cache: Path, scratch: Path, *, quiet: bool = False
) -> dict[str, str]:
    """Return the driver's environment: its temporary folder and its cache of compiled code.

    `quiet`: it is to keep what pages could notice of it off (`quiet_runtime.cjs`).
    """
    major, minor, *_ = sys.version_info
    language = {"PW_LANG_NAME": "python", "PW_LANG_NAME_VERSION": f"{major}.{minor}"}
    script = str(DROP_EVENTS).replace("\\", "\\\\").replace('"', '\\"')
    options = f'{inherited.get("NODE_OPTIONS", "")} {SMALL_HEAP} --require "{script}"'.strip()
    made = {**inherited, **language, "NODE_OPTIONS": options, "TMPDIR": str(scratch)}
    made[QUIET] = "1" if quiet else ""
    with suppress(BrowseError):  # without a writable home, only the start is slower
        made.setdefault("NODE_COMPILE_CACHE", str(private_folder(cache)))
    return made


def start(environ: Mapping[str, str]) -> DriverProcess | None:
    """Start the driver; None if that fails: then Playwright tries, and reports why."""
    package = chromium.driver_package()
    node = environ.get("PLAYWRIGHT_NODEJS_PATH") or str(package.parent / "node")
    their_stdin, stdin = os.pipe()
    stdout, their_stdout = os.pipe()
    try:
        pid = os.posix_spawn(
            node,
            [node, str(LOAD_DRIVER), str(package), "run-driver"],
            environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, their_stdin, 0),
                (os.POSIX_SPAWN_DUP2, their_stdout, 1),
            ],
        )
    except OSError:  # no such program
        os.close(stdin)
        os.close(stdout)
        return None
    finally:
        os.close(their_stdin)
        os.close(their_stdout)
    return DriverProcess(pid, stdin, stdout, environ)
