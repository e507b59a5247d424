"""Files that grow and that several daemons share: one writer at a time, whole lines or nothing."""

import errno
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

WAIT_S = 2.5
POLL_S = 0.01
_OPEN = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW


@contextmanager
def alone(path: Path, *, wait_s: float = WAIT_S) -> Iterator[int]:
    """Open a file of ours (0600), made if it is not there, with no other daemon in it meanwhile.

    Raises OSError where that cannot be had in time. The lock ends with its holder.
    """
    end = time.monotonic() + wait_s
    while True:
        fd = os.open(path, _OPEN, 0o600)
        try:
            _require_file(fd)
            _lock(fd, end)
            if _is_still(fd, path):
                yield fd
                return
        finally:
            os.close(fd)


def append(fd: int, data: bytes) -> None:
    """Add to an open file; what a full disk cuts off is taken back."""
    size = os.fstat(fd).st_size
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(fd, rest) :]
    except OSError:
        with suppress(OSError):  # the first error is the one to report
            os.ftruncate(fd, size)
        raise


def _require_file(fd: int) -> None:
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        raise OSError(errno.EINVAL, "Not a regular file")


def _lock(fd: int, end: float) -> None:
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > end:
                raise OSError(errno.ETIMEDOUT, "Another process holds it") from None
        time.sleep(POLL_S)


def _is_still(fd: int, path: Path) -> bool:
    """Check whether the file is still the one of that name: it may have been moved meanwhile."""
    try:
        return os.path.samestat(os.fstat(fd), path.lstat())
    except FileNotFoundError:
        return False
