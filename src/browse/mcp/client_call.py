"""One command as a process of its own: a fork of this one, which has the client loaded.

So a command does what it does in a shell: it starts a daemon where none runs, sends the words once,
and is cancelled by its end. It has no terminal, so it cannot answer a question to a person.
"""

import contextlib
import ctypes
import gc
import os
import signal
import sys
from collections.abc import Mapping

from browse.client import main as client
from browse.mcp.runs import Run, RunOutcome

CHUNK_BYTES = 262_144
MAX_FD = 256
_DEATH_SIGNAL = 1  # of prctl
_ENDING = (signal.SIGTERM, signal.SIGINT)
_LIBC = ctypes.CDLL(None)  # here, so that the forks have it


class ClientCall:
    """A running command: its pipes, and what it has printed.

    Raises OSError when the machine has no room for one more process.
    """

    def __init__(self, run: Run, env: Mapping[str, str]) -> None:
        with contextlib.ExitStack() as if_it_fails:
            stdin, self._input = _pipe(if_it_fails)
            self.out, stdout = _pipe(if_it_fails)
            self.err, stderr = _pipe(if_it_fails)
            self._left = memoryview(run.stdin.encode("utf-8", "replace"))
            self._said: dict[int, list[bytes]] = {self.out: [], self.err: []}
            self._open = {self.out, self.err}
            self.pid = _fork()
            if_it_fails.pop_all()
        if not self.pid:
            _become((stdin, stdout, stderr), run, env)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        for fd in (stdin, stdout, stderr):
            os.close(fd)
        os.set_blocking(self._input, False)
        if not self._left:
            self._end_input()

    @property
    def input(self) -> int | None:
        """The pipe that takes more of its stdin, if there is more."""
        return self._input if self._left else None

    @property
    def has_ended(self) -> bool:
        return not self._open

    def feed(self) -> None:
        """Pass on as much of its stdin as it takes."""
        try:
            self._left = self._left[os.write(self._input, self._left[:CHUNK_BYTES]) :]
        except BlockingIOError:
            return
        except OSError:  # it reads no more
            self._left = self._left[:0]
        if not self._left:
            self._end_input()

    def take(self, fd: int) -> bool:
        """Keep what it printed; return whether there may be more."""
        data = os.read(fd, CHUNK_BYTES)
        if data:
            self._said[fd].append(data)
            return True
        os.close(fd)
        self._open.discard(fd)
        return False

    def outcome(self) -> RunOutcome:
        """Return how it ended; both its outputs have."""
        status = os.waitpid(self.pid, 0)[1]
        code = os.waitstatus_to_exitcode(status)
        out, err = (
            b"".join(self._said[fd]).decode("utf-8", "replace") for fd in (self.out, self.err)
        )
        return RunOutcome(code if code >= 0 else 128 - code, out, err)

    def cancel(self) -> None:
        """End it; the daemon ends the command when its caller is gone."""
        with contextlib.suppress(ProcessLookupError):  # it has ended, and waits to be asked how
            os.kill(self.pid, signal.SIGTERM)

    def _end_input(self) -> None:
        if self._input >= 0:
            os.close(self._input)
            self._input = -1


def _pipe(on_exit: contextlib.ExitStack) -> tuple[int, int]:
    """Open a pipe that is closed at the exit."""
    ends = os.pipe()
    for fd in ends:
        on_exit.callback(os.close, fd)
    return ends


def _fork() -> int:
    """Fork, with the signals that end held back: a new process forgets those that come early."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        return os.fork()
    except OSError:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        raise


def _become(fds: tuple[int, int, int], run: Run, env: Mapping[str, str]) -> None:
    """Be the client of this command; never return."""
    code = 1
    try:
        for number, fd in enumerate(fds):
            os.dup2(fd, number)
        os.closerange(3, MAX_FD)
        gc.disable()  # to collect would copy the memory that it shares with the server
        for number in (*_ENDING, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        os.setsid()
        _end_with_parent()
        os.environ.update(env)
        sys.argv[1:] = list(run.words)
        code = client.main()
    finally:
        os._exit(code)


def _end_with_parent() -> None:
    """Have the system end us with the server, however that ends, where it can (Linux)."""
    if sys.platform == "linux":
        _LIBC.prctl(_DEATH_SIGNAL, int(signal.SIGTERM), 0, 0, 0)
