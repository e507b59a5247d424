"""Runs a program for the daemon, in one process group with it, and ends the group in time.

A program of its own: `python keeper.py <program> [words]`. It lives as long as somebody holds the
other end of its stdin: whatever becomes of the daemon, nothing of the group outlives it. What the
program prints goes to stderr; on stdout stands how it ended.
"""

import os
import signal
import subprocess
import sys
import threading

GRACE_S = 3.0


def main(argv: list[str]) -> None:
    # A handler, not SIG_IGN: that would be inherited by the program.
    signal.signal(signal.SIGTERM, lambda *_: None)
    os.unsetenv("AUTH_TOKEN")  # the daemon's own; no other program has a use for it
    try:
        child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=2, stderr=2)
    except OSError as exc:
        _tell(f"failed {exc.strerror}")
        return
    told = threading.Event()
    threading.Thread(target=_end_when_left_alone, args=(told,), daemon=True).start()
    code = child.wait()
    _tell(f"exit {code}" if code >= 0 else f"signal {-code}")
    told.set()
    _end(told)


def _end_when_left_alone(told: threading.Event) -> None:
    while os.read(0, 4096):
        pass
    _end(told)


def _end(told: threading.Event) -> None:
    """Ask the group to end; kill it once it is told how the program ended, or it had its time."""
    os.killpg(0, signal.SIGTERM)
    told.wait(GRACE_S)
    os.killpg(0, signal.SIGKILL)  # this process as well


def _tell(how: str) -> None:
    os.write(1, how.encode("utf-8", "replace") + b"\n")


if __name__ == "__main__":
    main(sys.argv[1:])
