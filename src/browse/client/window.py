"""`connect` and `disconnect` when no daemon runs, and `connect --supervise`.

A supervisor waits for the daemon to end, and starts a new one with a window if the last was lost.
"""

import contextlib
import os
import select
import signal
import time

from browse import _exit, _where
from browse.client import endpoint, main, recover, start, wire
from browse.client.wire import Failure

# Seconds to wait before each new window; as many as are tried within a time.
BACKOFF_SECONDS = (1.0, 2.0, 4.0, 8.0, 30.0)
WITHIN_SECONDS = 300.0
# How often it is looked whether somebody has typed `disconnect`; the daemon's end is an event.
LOOK_SECONDS = 2.0
NOT_HEADED = "Not in headed mode — nothing to disconnect."
FORGOTTEN = "Disconnected: the lost window is not opened again."


def answer(call: main.CommandLine, path: str) -> int:
    """Send `connect` or `disconnect`; a daemon that is started for it starts with a window."""
    daemon = endpoint.living(path)
    if call.name == "disconnect":
        return _forget(call, path) if daemon is None else main.send(call, daemon)
    if daemon is None or daemon.outdated:
        os.environ["BROWSE_HEADED"] = "1"  # but `--cdp` and its settings win
        daemon = recover.ready(path, daemon)
    code = main.send(call, daemon)
    if code or not ("--supervise" in call.words or os.environ.get("BROWSE_SUPERVISE") == "1"):
        return code
    return _supervise(path)


def with_display(words: list[str]) -> list[str]:
    """Add the display of this terminal to the words of `connect`: the daemon may know another."""
    named = any(word.partition("=")[0] == "--display" for word in words)
    if named or words[0] != "connect" or not (name := os.environ.get("DISPLAY", "")):
        return words
    cookies = os.environ.get("XAUTHORITY", "")
    return [*words, f"--display={name}", *([f"--xauthority={cookies}"] if cookies else [])]


def _forget(call: main.CommandLine, path: str) -> int:
    """Answer `disconnect` without a daemon: the next one starts without a window."""
    note = _where.beside(path, _where.WINDOW_NOTE)
    lost = _where.window_note(note).startswith(_where.OPEN)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(note)
    text = FORGOTTEN if lost else NOT_HEADED
    if "--json" in call.words:
        text = f'{{"disconnected":{"true" if lost else "false"},"mode":"launched","notes":[]}}'
    wire.put(f"{text}\n".encode())
    return _exit.OK


def _supervise(path: str) -> int:
    """Stay until the window is closed on purpose; open a lost one again."""
    note = _where.beside(path, _where.WINDOW_NOTE)
    wire.say("Supervising the window; Ctrl-C closes it.")
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    lost: list[float] = []
    try:
        while (daemon := endpoint.living(path)) is not None:
            if not _ended(daemon, note):
                return _say_end("The window was disconnected.")
            if not _where.window_note(note).startswith(_where.OPEN):
                return _say_end("The window was closed.")
            _wait(lost)
            start.ensure(path)
        return _say_end("The daemon has ended.")
    except KeyboardInterrupt:
        if daemon := endpoint.living(path):
            recover.end_politely(daemon)
        return _say_end("The window is closed.")


def _ended(daemon: endpoint.Daemon, note: str) -> bool:
    """Wait for the daemon's end; False if its window was given up before."""
    try:
        fd = os.pidfd_open(daemon.pid)
    except (AttributeError, OSError):  # not on this system, or it has just ended
        fd = -1
    try:
        while daemon.lives():
            if not os.path.lexists(note):
                return not daemon.lives()
            if fd >= 0:
                select.select([fd], [], [], LOOK_SECONDS)
            else:
                time.sleep(LOOK_SECONDS)
        return True
    finally:
        if fd >= 0:
            os.close(fd)


def _wait(lost: list[float]) -> None:
    """Wait longer each time; raise if the window was lost too often."""
    now = time.monotonic()
    lost[:] = [*(at for at in lost if now - at < WITHIN_SECONDS), now]
    if len(lost) > len(BACKOFF_SECONDS):
        raise Failure(
            _exit.FAILED,
            f"The window was lost {len(lost)} times within {WITHIN_SECONDS / 60:g} minutes.",
            "Type `browse doctor` to see what is wrong, or `browse disconnect` to go on without.",
        )
    seconds = BACKOFF_SECONDS[len(lost) - 1]
    wire.say(f"The window was lost: opening a new one in {seconds:g} s...")
    time.sleep(seconds)


def _say_end(text: str) -> int:
    wire.say(text)
    return _exit.OK
