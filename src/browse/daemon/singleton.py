"""One daemon per project: a lock that the system releases when its holder dies.

The lock file holds the pid and the phase of the daemon, so that a client can wait for a daemon that
starts or ends.
"""

import fcntl
import os
import time
from pathlib import Path

from browse import _where
from browse.core.errors import BrowseError, Code
from browse.core.files import unwritable

HANDOVER_S = 10.0
POLL_S = 0.02
MAX_BYTES = 64


class Taken(Exception):
    """Another daemon serves this project, or is about to: we are not needed."""


class Lock:
    """The daemon lock, held until this process ends."""

    def __init__(self, fd: int, path: Path) -> None:
        self.fd = fd
        self._path = path

    def write_phase(self, phase: str) -> None:
        """Write the phase of the daemon: in one write, always of the same length."""
        try:
            os.pwrite(self.fd, f"{os.getpid()}\n{phase:<8}\n".encode(), 0)
        except OSError as exc:
            raise unwritable(self._path, exc) from exc


def hold(path: Path, state_file: Path) -> Lock:
    """Take the daemon lock until this process ends.

    Wait for a daemon that is stopping, because closing its browser takes a moment. Do not wait for
    one that is starting: the client waits for it instead.
    """
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as exc:
        raise unwritable(path, exc) from exc
    until = time.monotonic() + HANDOVER_S
    while not _try(fd):
        pid, _, phase = os.pread(fd, MAX_BYTES, 0).decode("ascii", "replace").partition("\n")
        if phase.strip() == _where.STARTING or _is_served(state_file):
            os.close(fd)
            raise Taken(pid)
        if time.monotonic() > until:
            raise BrowseError(
                Code.STATE_UNUSABLE,
                f"Another daemon (pid {pid.strip() or 'unknown'}) already serves this project.",
                hint="run `browse --force-restart status` to replace it",
            )
        time.sleep(POLL_S)
    lock = Lock(fd, path)
    try:
        os.ftruncate(fd, 0)
    except OSError as exc:
        raise unwritable(path, exc) from exc
    lock.write_phase(_where.STARTING)
    return lock


def _is_served(state_file: Path) -> bool:
    try:
        state = _where.read_state(str(state_file))
    except _where.UnusableState:
        return False
    return state is not None and _where.daemon_lives(state)


def _try(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
