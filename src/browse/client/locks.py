"""The two locks of a state folder: one held while starting a daemon, one held by the daemon."""

import contextlib
import errno
import fcntl
import os
import time
from collections.abc import Iterator

from browse import _exit, _where
from browse.client import wire
from browse.client.wire import Failure

POLL_SECONDS = 0.02
PATIENCE_SECONDS = 1.0
MAX_LOCK_BYTES = 64
BUSY = (errno.EAGAIN, errno.EACCES)
NO_LINK = os.O_NOFOLLOW


class LockHolder:
    """The process that holds a lock and its phase: 0 and "" where that is not known."""

    __slots__ = ("phase", "pid")

    def __init__(self, pid: int, phase: str) -> None:
        self.pid = pid
        self.phase = phase

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LockHolder) and (self.pid, self.phase) == (other.pid, other.phase)

    __hash__ = None  # type: ignore[assignment]  # compared, never looked up


class StartLock:
    """The start lock while this process holds it."""

    __slots__ = ("_fd", "_name", "_steps")

    def __init__(self, fd: int, name: str) -> None:
        self._fd = fd
        self._name = name
        self._steps = 0

    def sign(self) -> None:
        """Write our pid into the lock, so that those who wait see that we make progress."""
        self._steps += 1
        try:
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"{os.getpid()}\n{self._steps}\n".encode(), 0)
        except OSError as exc:
            raise _cannot(self._name, exc, exc.strerror or "unknown reason") from exc


@contextlib.contextmanager
def starting(path: str, seconds: float) -> Iterator[StartLock]:
    """Hold the start lock; wait for another client that holds it, within limits.

    The file stays: removing a file that is locked by `flock` would let two processes hold the lock.
    """
    name = _where.start_lock(path)
    try:
        fd = os.open(name, os.O_RDWR | os.O_CREAT | NO_LINK, 0o600)
    except OSError as exc:
        raise _cannot(name, exc, exc.strerror or "unknown reason") from exc
    try:
        _acquire(fd, name, seconds)
        lock = StartLock(fd, name)
        lock.sign()
        yield lock
    finally:
        os.close(fd)


def _acquire(fd: int, name: str, seconds: float) -> None:
    begun = since = time.monotonic()
    announced = False
    last = _read(name)
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as exc:
            now = time.monotonic()
            if exc.errno not in BUSY:
                raise _cannot(name, exc, exc.strerror or "unknown reason") from exc
            # Many may be ahead of us, each with a start of its own. The wait ends only when one of
            # them never ends, or makes no progress.
            if (held := _read(name)) not in (b"", last):
                last, since = held, now
            if now - since > seconds:
                raise _cannot(name, exc, f"{_owner(name)} has held it for {seconds:g} s") from exc
            if now - begun > PATIENCE_SECONDS and not announced:
                wire.say("Another client is starting the daemon, waiting...")
                announced = True
            time.sleep(POLL_SECONDS)
        else:
            return


def _cannot(name: str, exc: OSError, why: str) -> Failure:
    word = errno.errorcode.get(exc.errno or 0, "?")
    return Failure(
        _exit.UNREACHABLE,
        f"E_SERVER_LOCK ({word}): cannot acquire {name} — {why}.",
        "Run the command again, or choose another place with BROWSE_STATE_FILE=<path>.",
    )


def _owner(name: str) -> str:
    pid = _words(name).pid
    return f"pid {pid}" if pid else "another process"


def holder(path: str) -> LockHolder | None:
    """Return the process that holds this folder's daemon lock, and the phase of its life.

    The probe takes the lock for a moment; a daemon that finds it taken then tries again.
    """
    name = _where.beside(path, _where.DAEMON_LOCK)
    if _is_free(name):
        return None
    held = _words(name)
    # Until the new holder has signed it, the pid of the previous one is still there.
    return held if held.pid and _has_open(held.pid, name) else LockHolder(0, "")


def starter(path: str) -> int | None:
    """Return the client that holds the start lock: 0 when its pid is not known."""
    name = _where.start_lock(path)
    return None if _is_free(name) else _words(name).pid


def _is_free(name: str) -> bool:
    try:
        fd = os.open(name, os.O_RDWR | NO_LINK)
    except FileNotFoundError:
        return True
    except OSError as exc:
        raise _cannot(name, exc, exc.strerror or "unknown reason") from exc
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as exc:
        if exc.errno not in BUSY:
            raise _cannot(name, exc, exc.strerror or "unknown reason") from exc
        return False
    else:
        return True
    finally:
        os.close(fd)


def _words(name: str) -> LockHolder:
    """Read pid and phase; older daemons wrote only their pid."""
    pid, _, phase = _read(name).strip().partition(b"\n")
    known = pid.isdigit() and len(pid) < 11
    return LockHolder(int(pid) if known else 0, phase.strip().decode("ascii", "replace"))


def _read(name: str) -> bytes:
    try:
        fd = os.open(name, os.O_RDONLY | NO_LINK)
    except OSError:
        return b""
    try:
        return os.read(fd, MAX_LOCK_BYTES)
    finally:
        os.close(fd)


def _has_open(pid: int, name: str) -> bool:
    """Check whether this process has the lock file open; where /proc cannot say, assume so."""
    if not os.path.isdir("/proc/self/fd"):
        return True
    wanted = os.stat(name)
    folder = f"/proc/{pid}/fd"
    with contextlib.suppress(OSError):  # the process is gone or another user's: not the holder
        for fd in os.listdir(folder):
            with contextlib.suppress(FileNotFoundError):  # closed while we looked
                if os.path.samestat(wanted, os.stat(f"{folder}/{fd}")):
                    return True
    return False
