"""Stop a daemon: by request, or by force if the user asked for that.

A signal is sent only to the process that is known, by its start time or its lock, to be the daemon.
"""

import contextlib
import os
import signal

from browse import _exit, _where
from browse.client import endpoint, locks, main, recover, settle, start, wire
from browse.client.wire import Failure

TERM_SECONDS = 3.0
KILL_SECONDS = 5.0


def answer(call: main.CommandLine, path: str, *, forced: bool) -> int:
    """Carry out `stop`, `restart`, or any command that comes with `--force-restart`."""
    if not forced:
        return _stop(call, path) if call.name == "stop" else _restart(call, path)
    start.keep_window(endpoint.living(path))
    killed = _kill(path)
    if call.name == "stop":
        _drop_options(path)
        message = "Daemon stopped (forced — tabs/cookies/logins discarded)."
        return _tell(message) if killed else _nothing_to_stop(call, path)
    daemon = start.ensure(path, replacing=killed)
    if call.name == "restart":
        return _tell(f"Restarted (pid {daemon.pid})")
    return main.send(call, daemon)


def _stop(call: main.CommandLine, path: str) -> int:
    daemon = endpoint.living(path)
    return _nothing_to_stop(call, path) if daemon is None else _end(call, daemon)


def _end(call: main.CommandLine, daemon: endpoint.Daemon) -> int:
    try:
        code = call.to(daemon)
    except wire.Trouble as trouble:
        if not recover.has_ended(trouble, daemon):
            raise recover.explain(trouble, daemon) from trouble
        _forget(daemon)
        _drop_options(daemon.path)
        return _tell("Daemon already stopped (cleaned stale state).")
    if code == _exit.OK and not recover.gone(daemon, recover.GONE_SECONDS):
        raise recover.busy(daemon, "was asked to stop and has not ended")
    return code


def _nothing_to_stop(call: main.CommandLine, path: str) -> int:
    """Remove what a dead daemon left, but not a daemon that another client is starting."""
    lock = _where.beside(path, _where.DAEMON_LOCK)
    if not (os.path.lexists(path) or os.path.lexists(lock)):
        return _tell("No daemon running — nothing to stop.")
    _drop_options(path)
    seconds = start.budget_seconds()
    with locks.starting(path, seconds):
        if endpoint.living(path) is not None:
            return _tell("Daemon already stopped; another client has started a new one.")
        daemon = settle.settled(path, seconds)
        if daemon is None:
            return _tell(_clean(path))
    return _end(call, daemon)  # nobody waited for its start any more


def _drop_options(path: str) -> None:
    """Let the next daemon not start with the options of the last one."""
    with contextlib.suppress(FileNotFoundError):  # there are none
        os.unlink(_where.beside(path, _where.OPTIONS_NOTE))


def _clean(path: str) -> str:
    if not os.path.lexists(path):
        return "No daemon running — nothing to stop."
    os.unlink(path)
    return "No daemon running (cleaned stale state) — nothing to stop."


def _restart(call: main.CommandLine, path: str) -> int:
    daemon = endpoint.living(path)
    start.keep_window(daemon)
    if daemon is not None:
        code = _sent(call, daemon)
        if code != _exit.OK:
            return code
        if not recover.gone(daemon, recover.GONE_SECONDS):
            raise recover.busy(daemon, "was asked to restart and has not ended")
    fresh = start.ensure(path, replacing=daemon is not None)
    return _tell(f"Restarted (pid {fresh.pid})")


def _sent(call: main.CommandLine, daemon: endpoint.Daemon) -> int:
    try:
        return call.to(daemon)
    except wire.Trouble as trouble:
        if not recover.is_ending(trouble):
            raise recover.explain(trouble, daemon) from trouble
        return _exit.OK  # it is ending already


def _kill(path: str) -> bool:
    """Kill the daemon; return whether there was one."""
    daemon = endpoint.living(path) or _by_lock(path)
    if daemon is None:
        return False
    wire.say(f"Ending the daemon (pid {daemon.pid}): its tabs, cookies and logins are discarded.")
    _signal(daemon, signal.SIGTERM)
    if not recover.gone(daemon, TERM_SECONDS):
        _signal(daemon, signal.SIGKILL)
    if not recover.gone(daemon, KILL_SECONDS):
        raise Failure(
            _exit.UNREACHABLE,
            f"The daemon (pid {daemon.pid}) does not end, not even when killed.",
            f"Look at it with `ps -o pid,stat,wchan,args -p {daemon.pid}`.",
        )
    _forget(daemon)
    return True


def _signal(daemon: endpoint.Daemon, number: signal.Signals) -> None:
    if not daemon.lives():
        return
    with contextlib.suppress(ProcessLookupError):  # it ended by itself just now
        os.kill(daemon.pid, number)


def _by_lock(path: str) -> endpoint.Daemon | None:
    """Find a daemon whose state file is missing or damaged by the lock that it holds."""
    if not os.path.lexists(_where.beside(path, _where.DAEMON_LOCK)):
        return None
    with locks.starting(path, start.budget_seconds()):
        held = locks.holder(path)
    if held is None or not held.pid:
        return None
    begun = _where.pid_start(held.pid)
    state = {"pid": str(held.pid), "port": "0", "token": "", "pidStart": begun}
    return endpoint.Daemon(path, state)


def _forget(daemon: endpoint.Daemon) -> None:
    """Remove the state file of a dead daemon, unless a new one has been written since."""
    with locks.starting(daemon.path, start.budget_seconds()):
        current = endpoint.recorded(daemon.path)
        if current is None or current.pid == daemon.pid:
            with contextlib.suppress(FileNotFoundError):  # the daemon removed it itself
                os.unlink(daemon.path)


def _tell(line: str) -> int:
    wire.put(f"{line}\n".encode())
    return _exit.OK
