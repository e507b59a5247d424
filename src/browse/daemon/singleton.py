"""One daemon per project: a lock that the system releases by itself when its holder dies."""

import os
import sys
import time
from pathlib import Path

from browse.core.errors import BrowseError, Code
from browse.core.files import unwritable

if sys.platform != "win32":
    import fcntl

HANDOVER_S = 10.0
POLL_S = 0.02


def hold(path: Path) -> int:
    """Take the daemon lock for the life of this process.

    A predecessor that was told to stop may need a moment to close its browser, so it is waited for.
    """
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    except OSError as exc:
        raise unwritable(path, exc) from exc
    until = time.monotonic() + HANDOVER_S
    while not _try(fd):
        if time.monotonic() > until:
            holder = os.pread(fd, 20, 0).decode("ascii", "replace").strip()
            raise BrowseError(
                Code.STATE_UNUSABLE,
                f"Another daemon (pid {holder or 'unknown'}) already serves this project.",
                hint="run `browse --force-restart status` to replace it",
            )
        time.sleep(POLL_S)
    try:
        os.ftruncate(fd, 0)
        os.pwrite(fd, str(os.getpid()).encode(), 0)
    except OSError as exc:
        raise unwritable(path, exc) from exc
    return fd


def _try(fd: int) -> bool:
    if sys.platform == "win32":  # no lock there: the client's start lock is all there is
        return True
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
