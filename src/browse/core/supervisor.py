"""Runs a program in one process group with itself, and ends the group in time.

A process of its own between the daemon and each program that it starts. It lives as long as
somebody holds the other end of `--hold`: whatever becomes of the daemon, nothing of the group
outlives it. How the program ended goes to the descriptor of `--status`: its exit code, negative for
a signal, or `failed` and why it could not be started. With `--reap yes`, what left the group is
ended too, where the kernel tells (Linux).
"""

import _thread
import os
import sys
import time

try:
    import _signal as signals  # type: ignore[import-not-found]  # what `signal` wraps, 8 ms cheaper
except ImportError:  # an interpreter that has no such module
    import signal as signals

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ctypes

_SUBREAPER = 36  # of prctl
# After the end of the group was asked for by SIGKILL, and nothing of it should be left.
LAST_S = 1.0
# Python ignores two of them, and what it starts would go on to ignore them.
_TO_DEFAULT = (signals.SIGPIPE, signals.SIGXFSZ, signals.SIGTERM)


class Supervisor:
    """The words before `--` are options, each with a value; those after it are the program."""

    def __init__(self, argv: "list[str]") -> None:
        self.status = 1
        self.hold = 0
        self.grace_s = 1.0
        self.reaps = False
        self._child = 0
        at = argv.index("--")
        for name, value in zip(argv[0:at:2], argv[1:at:2], strict=True):
            self.set(name, value)
        self.program = argv[at + 1 :]

    def set(self, name: str, value: str) -> None:
        """Take an option."""
        match name:
            case "--status":
                self.status = int(value)
            case "--hold":
                self.hold = int(value)
            case "--grace":
                self.grace_s = float(value)
            case "--reap":
                self.reaps = value == "yes"

    def confine(self) -> None:
        """Give up rights, in the process that becomes the program."""

    def become(self) -> None:
        """Turn this process, which has given up what it should, into the program."""
        os.execvp(self.program[0], self.program)  # noqa: S606 - no shell is meant

    def sweep(self) -> None:
        """End what is not in the group, after the program has ended."""
        while self.reaps and (children := _children()):
            for child in children:
                kill(child)
            os.waitpid(-1, 0)

    def run(self) -> None:
        """Run the program to its end; never comes back."""
        if self.reaps and sys.platform == "linux":
            libc().prctl(_SUBREAPER, 1, 0, 0, 0)  # what the program leaves behind comes to us
        signals.signal(signals.SIGTERM, lambda *_: None)  # it is meant for the program
        os.unsetenv("AUTH_TOKEN")  # the daemon's own; no other program has a use for it
        # Held back until the program can take it: one that comes too early would be lost.
        signals.pthread_sigmask(signals.SIG_BLOCK, {signals.SIGTERM})
        self._child = os.fork()
        if not self._child:
            self._become()
        signals.pthread_sigmask(signals.SIG_UNBLOCK, {signals.SIGTERM})
        self._let_go()
        _thread.start_new_thread(self._end_when_left_alone, ())
        _, status = os.waitpid(self._child, 0)
        self._child = 0  # the number may be another process's from now on
        try:
            os.write(self.status, b"%d\n" % os.waitstatus_to_exitcode(status))
        finally:  # also when the daemon is gone and nobody reads it
            self.sweep()
            os.killpg(0, signals.SIGKILL)

    def _become(self) -> None:
        """Turn this process into the program."""
        os.set_inheritable(self.status, False)
        os.set_inheritable(self.hold, False)
        try:
            for number in _TO_DEFAULT:
                signals.signal(number, signals.SIG_DFL)
            signals.pthread_sigmask(signals.SIG_UNBLOCK, {signals.SIGTERM})
            self.confine()
            self.become()
        except OSError as exc:
            os.write(self.status, f"failed {exc.strerror}\n".encode())
        finally:
            os._exit(126)

    def _let_go(self) -> None:
        """Hold none of the program's pipes, so that their ends are seen."""
        null = os.open(os.devnull, os.O_RDWR)
        for fd in {0, 1, 2} - {self.status, self.hold}:
            os.dup2(null, fd)

    def _end_when_left_alone(self) -> None:
        at_once = False
        while os.read(self.hold, 64):
            at_once = True
        if not at_once:
            os.killpg(0, signals.SIGTERM)
            time.sleep(self.grace_s)
        if self._child:
            kill(self._child)  # that wakes the main thread, which ends the rest
        time.sleep(LAST_S)
        os.killpg(0, signals.SIGKILL)


def _children() -> "list[int]":
    try:
        with open(f"/proc/self/task/{os.getpid()}/children") as file:  # noqa: PTH123 - pathlib is slow
            return [int(word) for word in file.read().split()]
    except OSError:  # a kernel that does not tell
        return []


def libc() -> "ctypes.CDLL":
    """Return the C library; most programs need none of it, and do not pay for it."""
    import ctypes

    return ctypes.CDLL(None, use_errno=True)


def kill(pid: int) -> None:
    """Kill a process that may have ended by itself."""
    try:  # noqa: SIM105 - contextlib is too slow to import here
        os.kill(pid, signals.SIGKILL)
    except ProcessLookupError:
        pass


if __name__ == "__main__":
    Supervisor(sys.argv[1:]).run()
