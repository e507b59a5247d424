"""The two locks of a state folder: the one held to start a daemon, the one held to be it."""

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
BUSY = (errno.EAGAIN, errno.EACCES)
NO_LINK = getattr(os, "O_NOFOLLOW", 0)


@contextlib.contextmanager
def starting(path: str, seconds: float) -> Iterator[None]:
    """Hold the start lock; wait for another client that holds it, but not for ever.

    The file stays: to remove a file that is locked by `flock` lets two processes hold "it".
    """
    name = _where.start_lock(path)
    try:
        fd = os.open(name, os.O_RDWR | os.O_CREAT | NO_LINK, 0o600)
    except OSError as exc:
        raise _cannot(name, exc, exc.strerror or "unknown reason") from exc
    try:
        _acquire(fd, name, seconds)
        _sign(fd, name)
        yield
    finally:
        os.close(fd)


def _sign(fd: int, name: str) -> None:
    try:
        os.ftruncate(fd, 0)
        os.write(fd, f"{os.getpid()}\n".encode())
    except OSError as exc:
        raise _cannot(name, exc, exc.strerror or "unknown reason") from exc


def _acquire(fd: int, name: str, seconds: float) -> None:
    begun = time.monotonic()
    told = False
    while True:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as exc:
            waited = time.monotonic() - begun
            if exc.errno not in BUSY:
                raise _cannot(name, exc, exc.strerror or "unknown reason") from exc
            if waited > seconds:
                raise _cannot(name, exc, f"{_owner(name)} has held it for {seconds:g} s") from exc
            if waited > PATIENCE_SECONDS and not told:
                wire.say("Another client is starting the daemon, waiting...")
                told = True
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
    pid = _read_pid(name)
    return f"pid {pid}" if pid else "another process"


def holder(path: str) -> int | None:
    """Tell which process is the daemon of this folder by its lock: 0 when its pid is not known.

    Call it with the start lock held: the probe takes the lock for a moment, and a daemon that
    is starting just then would find it taken.
    """
    name = _where.beside(path, _where.DAEMON_LOCK)
    try:
        fd = os.open(name, os.O_RDWR | NO_LINK)
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise _cannot(name, exc, exc.strerror or "unknown reason") from exc
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as exc:
        if exc.errno not in BUSY:
            raise _cannot(name, exc, exc.strerror or "unknown reason") from exc
        pid = _read_pid(name)
        return pid if pid and _has_open(pid, name) else 0
    else:
        return None
    finally:
        os.close(fd)


def _read_pid(name: str) -> int:
    try:
        fd = os.open(name, os.O_RDONLY | NO_LINK)
    except OSError:
        return 0
    try:
        word = os.read(fd, 32).strip()
    finally:
        os.close(fd)
    return int(word) if word.isdigit() and len(word) < 11 else 0


def _has_open(pid: int, name: str) -> bool:
    """Tell whether this process has the lock file open; where /proc cannot say, believe it."""
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
