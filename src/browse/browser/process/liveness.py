"""Check with the operating system whether the driver and Chromium still run.

Their own reports of their end may be late or missing. A command that started meanwhile would be
lost, although none of it could run.
"""

import os

from browse import _where


class Liveness:
    """The processes that a browser needs; none where the system gives no information."""

    def __init__(self) -> None:
        self._started: dict[int, str] = {}

    def watch(self, pid: int, *, parent: int | None = None) -> None:
        """Watch a process; `parent` proves that a pid reported by others is our process."""
        started = _where.pid_start(pid)
        if started and parent in (None, _parent(pid)):
            self._started[pid] = started

    @property
    def is_lost(self) -> bool:
        """Whether one of the processes has ended."""
        return any(_where.pid_start(pid) != started for pid, started in self._started.items())


def child_above(pid: int) -> int | None:
    """Return the parent of a process if that is a child of ours; None if it is unknown."""
    parent = _parent(pid)
    return parent if parent and _parent(parent) == os.getpid() else None


def _parent(pid: int) -> int:
    """Return the parent of a process; 0 if the system does not say."""
    try:
        fd = os.open(f"/proc/{pid}/stat", os.O_RDONLY)
    except OSError:
        return 0
    try:
        return int(os.read(fd, 4096).rpartition(b")")[2].split()[1])
    except ProcessLookupError:  # it ended between the open and the read
        return 0
    finally:
        os.close(fd)
