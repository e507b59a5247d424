"""Playwright's driver, started before Playwright itself is imported.

The driver needs a third of a second to load, and so do asyncio and Playwright: side by side they
cost half as much. This module therefore imports neither.
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

# Room for new objects that is collected more often: 20 MB less after a large page, and no slower.
SMALL_HEAP = "--max-semi-space-size=1"


@dataclass(frozen=True, slots=True)
class DriverProcess:
    """A driver that is loading, and our ends of its two pipes."""

    pid: int
    stdin: int
    stdout: int


def environment(inherited: Mapping[str, str], cache: Path, scratch: Path) -> dict[str, str]:
    """Say what the driver shall know: its temporary folder, and where its compiled code is kept."""
    major, minor, *_ = sys.version_info
    language = {"PW_LANG_NAME": "python", "PW_LANG_NAME_VERSION": f"{major}.{minor}"}
    options = f"{inherited.get('NODE_OPTIONS', '')} {SMALL_HEAP}".strip()
    made = {**inherited, **language, "NODE_OPTIONS": options, "TMPDIR": str(scratch)}
    with suppress(BrowseError):  # a home that cannot be written to costs a slower start, no more
        made.setdefault("NODE_COMPILE_CACHE", str(private_folder(cache)))
    return made


def start(environ: Mapping[str, str]) -> DriverProcess | None:
    """Start the driver; None where it cannot be done, and Playwright shall try and say why."""
    package = chromium.driver_package()
    node = environ.get("PLAYWRIGHT_NODEJS_PATH") or str(package.parent / "node")
    their_stdin, stdin = os.pipe()
    stdout, their_stdout = os.pipe()
    try:
        pid = os.posix_spawn(
            node,
            [node, str(package / "cli.js"), "run-driver"],
            environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, their_stdin, 0),
                (os.POSIX_SPAWN_DUP2, their_stdout, 1),
            ],
        )
    except (OSError, AttributeError):  # no such program; Windows has no posix_spawn
        os.close(stdin)
        os.close(stdout)
        return None
    finally:
        os.close(their_stdin)
        os.close(their_stdout)
    return DriverProcess(pid, stdin, stdout)
