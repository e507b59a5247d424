"""Whether the driver and Chromium are still there, asked of the system and not of them.

They may need a moment to tell that they ended, or never do. A command that is let in meanwhile
would be lost with them, though nothing of it could run.
"""

import os

from browse import _where


class Lifesign:
    """The processes that a browser cannot do without; none where the system does not tell."""

    def __init__(self) -> None:
        self._started: dict[int, str] = {}

    def watch(self, pid: int, *, parent: int | None = None) -> None:
        """Watch a process; of a pid that we were told, its parent shows that it is that of ours."""
        started = _where.pid_start(pid)
        if started and parent in (None, _parent(pid)):
            self._started[pid] = started

    @property
    def is_lost(self) -> bool:
        """Tell whether one of them has ended."""
        return any(_where.pid_start(pid) != started for pid, started in self._started.items())


def _parent(pid: int) -> int:
    """Tell whose child a process is; 0 where the system cannot say."""
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
