"""Which daemon there is while that changes: wait for one that starts or ends.

The state file names a daemon that serves. The lock names one that does not yet, or no longer: it
is held for the whole life of a daemon, and holds its phase.
"""

import os
import time

from browse import _exit, _where
from browse.client import endpoint, locks, wire
from browse.client.wire import Failure

LEAVING_SECONDS = 10.0
GLANCE_SECONDS = 1.0
WAITING = {
    _where.STARTING: "The daemon (pid {pid}) is starting, waiting...",
    _where.ENDING: "The daemon (pid {pid}) is ending, waiting...",
}


def settled(path: str, seconds: float) -> endpoint.Daemon | None:
    """Wait until a daemon serves or none is there; the start lock must be held."""
    watch = Watch(path, seconds)
    while True:
        held = locks.holder(path)  # before the state: what it says was true when that is read
        daemon = endpoint.living(path)
        if daemon is not None or held is None:
            return daemon
        watch.check(held)
        time.sleep(locks.POLL_SECONDS)


def glance(path: str) -> endpoint.Daemon | locks.LockHolder | None:
    """Return what is there without waiting: a daemon, one that starts or ends, or none."""
    watch = Watch(path, LEAVING_SECONDS)
    deadline = time.monotonic() + GLANCE_SECONDS
    while True:
        held = locks.holder(path)
        daemon = endpoint.living(path)
        if daemon is not None or (held is not None and held.phase in WAITING):
            return daemon or held
        if held is not None:
            watch.check(held)
        elif (pid := locks.starter(path)) is None:
            return None
        elif time.monotonic() > deadline:  # a moment ago it was not sure that it starts one
            return locks.LockHolder(pid, _where.STARTING)
        time.sleep(locks.POLL_SECONDS)


class Watch:
    """Watches a process that holds the daemon's lock and does not serve, up to a limit."""

    def __init__(self, path: str, seconds: float) -> None:
        self._path = path
        self._seconds = seconds
        self._seen: locks.LockHolder | None = None
        self._since = 0.0
        self._told = False

    def check(self, held: locks.LockHolder) -> None:
        """Raise if this cannot be a daemon that starts or ends."""
        if held != self._seen:
            self._seen, self._since, self._told = held, time.monotonic(), False
            return
        # The lock said so before and after we read the state, which exists for all that time.
        if held.phase == _where.SERVING:
            raise _stateless(self._path, held.pid)
        waited = time.monotonic() - self._since
        if waited > self._limit(held):
            raise _stuck(self._path, held, self._limit(held))
        if waited > locks.PATIENCE_SECONDS and not self._told and held.phase in WAITING:
            wire.say(WAITING[held.phase].format(pid=held.pid))
            self._told = True

    def _limit(self, held: locks.LockHolder) -> float:
        return self._seconds if held.phase == _where.STARTING else LEAVING_SECONDS


def _stuck(path: str, held: locks.LockHolder, seconds: float) -> Failure:
    if held.phase not in WAITING:
        return _stateless(path, held.pid)
    return Failure(
        _exit.UNREACHABLE,
        f"The daemon (pid {held.pid}) has been {held.phase} for {seconds:g} s;"
        " it was left to go on.",
        "Run the command again, or type `browse --force-restart status` to replace it.",
        f"Its log: {_where.beside(path, _where.DAEMON_LOG)}",
    )


def _stateless(path: str, pid: int) -> Failure:
    state = "is missing"
    if os.path.lexists(path):
        state = "is damaged" if endpoint.recorded(path) is None else "names another process"
    lock = _where.beside(path, _where.DAEMON_LOCK)
    return Failure(
        _exit.UNREACHABLE,
        f"A daemon (pid {pid or 'unknown'}) is running but its state file {path} {state}.",
        "Type `browse --force-restart status` to replace it (its tabs, cookies and logins are"
        " discarded)."
        if pid
        else f"End the process that holds {lock} (`fuser {lock}` names it).",
    )
