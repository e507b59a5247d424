"""Start a daemon, exactly one, and wait until it answers.

It replaces no living daemon and removes only a state whose writer is gone.
"""

import contextlib
import os
import select
import sys
import time
from collections.abc import Callable

from browse import _exit, _where
from browse.client import endpoint, folder, locks, settle, wire
from browse.client.wire import Failure

COMMAND = (sys.executable, "-I", "-m", "browse.daemon")
BUDGET_MS = 15_000
CI_BUDGET_MS = 30_000
ROTATE_BYTES = 10_485_760
TAIL_LINES = 20
TAIL_BYTES = 65_536
MAX_REPORT_BYTES = 65_536
# What a daemon reports: progress, that it serves, that another one serves or will.
STEP, READY, TAKEN = b"step\n", b"ready\n", b"taken\n"
# A daemon may find another one, or be gone before we look: limit the attempts.
MAX_STARTS = 10
# HUP INT QUIT PIPE TERM, by number because `signal` brings enum: a shell may have had the client
# ignore them, and a daemon that inherits that cannot be stopped.
DEFAULT_SIGNALS = (1, 2, 3, 13, 15)
# What is said where the last daemon had a window.
AFTER_WINDOW = {
    _where.OPEN: "The window was lost: starting the daemon with a new one...",
    _where.CLOSED: "The window was closed: starting the daemon without one"
    " (`browse connect` opens it again)...",
}


def ensure(path: str, *, replacing: bool = False) -> endpoint.Daemon:
    """Return the living daemon of this state file, starting it if there is none."""
    seconds = budget_seconds()
    if os.environ.get("BROWSE_NO_AUTOSTART") == "1" and not replacing:
        return _started_elsewhere(path, seconds)
    folder.prepare(path)
    with locks.starting(path, seconds) as lock:
        for _ in range(MAX_STARTS):
            daemon = settle.settled(path, seconds) or _start(path, seconds, lock)
            if daemon is not None:
                return daemon
            lock.sign()
    raise Failure(
        _exit.UNREACHABLE,
        f"{MAX_STARTS} daemons in a row ended as soon as they were ready.",
        f"Their log: {_where.beside(path, _where.DAEMON_LOG)}",
    )


def keep_window(daemon: endpoint.Daemon | None) -> None:
    """Have the next daemon start with a window if the one that it replaces has one."""
    if daemon is not None and daemon.headed:
        os.environ["BROWSE_HEADED"] = "1"


def _started_elsewhere(path: str, seconds: float) -> endpoint.Daemon:
    """Return a daemon that another process is starting; start none from here."""
    if os.path.lexists(_where.start_lock(path)):
        with locks.starting(path, seconds):
            daemon = settle.settled(path, seconds)
        if daemon is not None:
            return daemon
    raise Failure(
        _exit.UNREACHABLE,
        "No daemon is running, and BROWSE_NO_AUTOSTART=1 forbids starting one from here.",
        "Run the first command where that is not set, or unset it.",
    )


def _in_ci() -> bool:
    return os.environ.get("CI", "").strip().lower() not in ("", "0", "false")


def budget_seconds() -> float:
    """Return how long a start may take, from `BROWSE_START_TIMEOUT` in milliseconds."""
    word = os.environ.get("BROWSE_START_TIMEOUT", "")
    if not word:
        return (CI_BUDGET_MS if _in_ci() else BUDGET_MS) / 1000
    if not (word.isascii() and word.isdigit() and 0 < len(word) < 9 and int(word)):
        raise Failure(
            _exit.UNREACHABLE,
            f"BROWSE_START_TIMEOUT is {word!r}, which is no number of milliseconds.",
            f"Set it to a whole number such as {BUDGET_MS}, or unset it.",
        )
    return int(word) / 1000


def _start(path: str, seconds: float, lock: locks.StartLock) -> endpoint.Daemon | None:
    """Start a daemon; None if it found another one, or was told to end before we could look."""
    window = _where.window_note(_where.beside(path, _where.WINDOW_NOTE)).partition(" ")[0]
    wire.say(AFTER_WINDOW.get(window, "Starting the daemon..."))
    log = _open_log(_where.beside(path, _where.DAEMON_LOG))
    begun = os.fstat(log).st_size
    try:
        ready = _spawn(path, log)
        try:
            _await_ready(ready, path, begun, seconds, lock.sign)
        finally:
            os.close(ready)
    finally:
        os.close(log)
    return endpoint.living(path)


def _open_log(name: str) -> int:
    try:
        with contextlib.suppress(FileNotFoundError):
            if os.lstat(name).st_size > ROTATE_BYTES:
                os.replace(name, name + ".1")
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | locks.NO_LINK
        return os.open(name, flags, 0o600)
    except OSError as exc:
        raise Failure(
            _exit.UNREACHABLE,
            f"Cannot write the daemon's log {name}: {exc.strerror}.",
            "Remove what is there, or choose another place with BROWSE_STATE_FILE=<path>.",
        ) from exc


def _spawn(path: str, log: int) -> int:
    """Start the daemon in a session of its own; return the end of the pipe that it reports on."""
    ready, report = os.pipe()
    try:
        _keep_only(report)
        environment = {**os.environ, "BROWSE_STATE_FILE": path, "BROWSE_READY_FD": str(report)}
        here = os.getcwd()
        os.chdir(_project(path))
        try:
            _launch(environment, log, report)
        finally:
            os.chdir(here)
    except OSError as exc:
        os.close(ready)
        raise Failure(
            _exit.UNREACHABLE,
            f"Cannot start the daemon: {exc.strerror} ({COMMAND[0]}).",
            "Type `browse doctor` to see what is missing.",
        ) from exc
    finally:
        os.close(report)
    return ready


def _launch(environment: dict[str, str], log: int, report: int) -> None:
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, log, 1),
        (os.POSIX_SPAWN_DUP2, log, 2),
    ]
    try:
        os.posix_spawn(
            COMMAND[0], COMMAND, environment, file_actions=actions,
            setsid=True, setsigmask=(), setsigdef=DEFAULT_SIGNALS,
        )  # fmt: skip
    except NotImplementedError:  # a C library that cannot give the child its own session
        import subprocess  # ten milliseconds, so only here

        subprocess.Popen(
            COMMAND, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            pass_fds=[report], start_new_session=True,
        )  # fmt: skip


def _keep_only(report: int) -> None:
    """Let the child inherit only this descriptor, not a lock or pipe of the shell."""
    try:
        fds = [int(name) for name in os.listdir("/dev/fd")]
    except OSError:  # no /proc is mounted
        fds = list(range(256))
    for fd in fds:
        if fd > wire.STDERR:
            with contextlib.suppress(OSError):  # not open, as the one that the listing used
                os.set_inheritable(fd, fd == report)


def _project(path: str) -> str:
    place = os.path.dirname(path)
    if os.path.basename(place) == _where.STATE_DIR:
        return os.path.dirname(place)
    return _where.project_root(os.getcwd())


def _await_ready(
    ready: int, path: str, begun: int, seconds: float, on_step: Callable[[], None]
) -> None:
    """Read what the daemon reports until it serves; the time limit is for each report."""
    deadline = time.monotonic() + seconds
    report = b""
    while report not in (READY, TAKEN):
        left = max(0.0, deadline - time.monotonic())  # reports that have arrived are read anyway
        if not select.select([ready], [], [], left)[0]:
            raise Failure(
                _exit.UNREACHABLE,
                f"The daemon did not answer within {seconds:g} s; it was left to go on starting.",
                "Run the command again, or allow more time with BROWSE_START_TIMEOUT=<ms>.",
                f"Its log: {_where.beside(path, _where.DAEMON_LOG)}",
            )
        piece = os.read(ready, MAX_REPORT_BYTES)
        if not piece or len(report) > MAX_REPORT_BYTES:
            raise _failed(report) if report.startswith(b"error ") else _died(path, begun)
        report += piece
        while report.startswith(STEP):
            report = report.removeprefix(STEP)
            deadline = time.monotonic() + seconds
            on_step()


def _failed(report: bytes) -> Failure:
    first, _, text = report.decode("utf-8", "replace").partition("\n")
    word = first.removeprefix("error ")
    code = int(word) if word.isdigit() and 0 < int(word) < 256 else _exit.UNREACHABLE
    return Failure(code, *(text.strip() or "The daemon could not start.").splitlines())


def _died(path: str, begun: int) -> Failure:
    name = _where.beside(path, _where.DAEMON_LOG)
    with open(name, "rb") as log:
        log.seek(max(begun, os.path.getsize(name) - TAIL_BYTES))
        words = log.read().decode("utf-8", "replace").splitlines()[-TAIL_LINES:]
    return Failure(
        _exit.UNREACHABLE,
        "The daemon ended before it was ready." + (" Its last words:" if words else ""),
        *(f"  {line}" for line in words),
        f"Its log: {name}",
    )
