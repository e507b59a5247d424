"""What to do, and which error to show, when no daemon answers as it should.

A request is sent again only where it is certain that the first one did not run. A living daemon
is never killed here.
"""

import os
import time

from browse import __version__, _exit, _where
from browse.client import endpoint, main, start, wire
from browse.client.wire import Failure

GONE_SECONDS = 10.0
DYING_SECONDS = 1.0
POLL_SECONDS = 0.02


def ready(path: str, daemon: endpoint.Daemon | None) -> endpoint.Daemon:
    """Return a daemon of this version: start one, or replace one of another version."""
    if daemon is None:
        return start.ensure(path)
    _refuse_where_it_must_stay(daemon)
    start.keep_window(daemon)
    if daemon.version == __version__:
        wire.say("browse was installed anew: restarting the daemon...")
    else:
        wire.say(f"Version changed ({daemon.version} → {__version__}): restarting the daemon...")
    end_politely(daemon)
    return start.ensure(path, replacing=True)


def _refuse_where_it_must_stay(daemon: endpoint.Daemon) -> None:
    """Raise if whoever calls us wants nothing changed or nothing started."""
    why = "BROWSE_ONLY_READ" if main.only_reads() else ""
    if os.environ.get("BROWSE_NO_AUTOSTART") == "1":
        why = "BROWSE_NO_AUTOSTART"
    if why:
        raise Failure(
            _exit.REFUSED,
            f"The daemon (pid {daemon.pid}) runs other code than is installed now, and {why} is set"
            " here. Nothing was done.",
            "`browse restart` where that is not set, or any command of the tool `act`, replaces it;"
            " its tabs, cookies and logins are discarded.",
        )


def end_politely(daemon: endpoint.Daemon) -> None:
    """Ask a daemon to stop, and wait until it is gone."""
    data = wire.request(daemon.port, daemon.token, os.fsencode("\0stop\0"), b"")
    try:
        code = wire.exchange(daemon.port, data, reader=wire.ReplyReader(quiet=True))
    except wire.Trouble as trouble:
        if not is_ending(trouble):  # else it is on its way out already
            raise explain(trouble, daemon) from trouble
    else:
        if code == _exit.REFUSED:
            raise _in_use(daemon)
    if not gone(daemon, GONE_SECONDS):
        raise busy(daemon, "was asked to stop and has not ended")


def _in_use(daemon: endpoint.Daemon) -> Failure:
    return Failure(
        _exit.REFUSED,
        f"The daemon (pid {daemon.pid}) was not stopped: a person works in it.",
        "Type `browse status` to see where, and `browse restart --force` to end it all the same.",
    )


def gone(daemon: endpoint.Daemon, seconds: float) -> bool:
    """Wait for the process to end, up to a limit."""
    deadline = time.monotonic() + seconds
    while daemon.lives():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def after(trouble: wire.Trouble, daemon: endpoint.Daemon) -> endpoint.Daemon:
    """Return the daemon to send the same words to again; raise if the command could run twice."""
    if isinstance(trouble, wire.Refused | wire.Dropped) or _is_stopping(trouble):
        if gone(daemon, GONE_SECONDS):
            return start.ensure(daemon.path)
        if not isinstance(trouble, wire.Dropped):
            raise busy(daemon, "does not accept connections") from trouble
    if isinstance(trouble, wire.Rejected) and trouble.status == 401:
        current = endpoint.living(daemon.path)
        if current is not None and current.token != daemon.token:
            return current
    raise explain(trouble, daemon) from trouble


def explain(trouble: wire.Trouble, daemon: endpoint.Daemon) -> Failure:
    """Build the error for a broken conversation."""
    if isinstance(trouble, wire.Rejected):
        return _rejection(trouble, daemon)
    if isinstance(trouble, wire.Silent) and daemon.lives():
        return busy(daemon, f"has sent nothing for {wire.SILENCE_SECONDS:g} s")
    if isinstance(trouble, wire.Refused) and daemon.lives():
        return busy(daemon, "does not accept connections")
    if not gone(daemon, DYING_SECONDS):
        return busy(daemon, "closed the connection before the command had ended")
    return Failure(
        _exit.UNREACHABLE,
        f"The daemon (pid {daemon.pid}) ended while the command ran;"
        " the command was not sent again, because it could act twice.",
        "Its tabs are gone. The next command starts a new daemon.",
        f"Its last words: tail {_where.beside(daemon.path, _where.DAEMON_LOG)}",
    )


def busy(daemon: endpoint.Daemon, what: str) -> Failure:
    """Build the error for a daemon that lives but does not serve; it is left alone."""
    return Failure(
        _exit.UNREACHABLE,
        f"The daemon is busy: pid {daemon.pid} is alive, but {what}.",
        "The command may still be running; nothing was killed.",
        "Type `browse status` to look, or `browse --force-restart <command>` to replace it"
        " (its tabs, cookies and logins are discarded).",
    )


def _rejection(rejected: wire.Rejected, daemon: endpoint.Daemon) -> Failure:
    reply = _reply(rejected)
    if rejected.status == 401:
        return Failure(
            _exit.REFUSED,
            f"The daemon (pid {daemon.pid}) does not accept the token in {daemon.path}.",
            "Type `browse --force-restart status` to replace it"
            " (its tabs, cookies and logins are discarded).",
        )
    message = reply.get("error") or f"The daemon answered with HTTP status {rejected.status}."
    lines = [*message.splitlines(), *reply.get("hint", "").splitlines()]
    return Failure(_exit_code(rejected.status), *lines)


def _exit_code(status: int) -> int:
    if status in (401, 403):
        return _exit.REFUSED
    if status == 503:
        return _exit.UNREACHABLE
    return _exit.USAGE if status < 500 else _exit.FAILED


def is_ending(trouble: wire.Trouble) -> bool:
    """Check whether the conversation broke because the daemon ends, or has ended."""
    return isinstance(trouble, wire.Refused | wire.ReplyLost) or _is_stopping(trouble)


def has_ended(trouble: wire.Trouble, daemon: endpoint.Daemon) -> bool:
    """Check whether the conversation broke because the daemon has ended."""
    return is_ending(trouble) and gone(daemon, GONE_SECONDS)


def _is_stopping(trouble: wire.Trouble) -> bool:
    return isinstance(trouble, wire.Rejected) and _reply(trouble).get("code") == "daemon-stopping"


def _reply(rejected: wire.Rejected) -> dict[str, str]:
    import json  # an error reply only; the frames of an ordinary reply need no parser

    try:
        found = json.loads(rejected.body)
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    return {key: value for key, value in found.items() if isinstance(value, str)}
