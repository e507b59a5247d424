"""Run clients as forks of a process that has loaded the client: much cheaper than to start each.

Each is a process of its own, with its words, folder, environment and files, and runs the same
`main` to its end. A test of how the client starts uses `Project.start`.
"""

import atexit
import functools
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO

SOURCES = Path(__file__).parents[2] / "src"
STATUS_BYTES = 4
# What a client gets: stdin, stdout, stderr, its call, and where its end is told.
FILES = 5


class Parent:
    """The process that forks, for one process that runs tests; it ends with that."""

    def __init__(self) -> None:
        self._control, theirs = socket.socketpair()
        with theirs:
            subprocess.run(
                [sys.executable, "-I", "-S", __file__, str(SOURCES)],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                check=True,
            )
        atexit.register(self._control.close)

    def run(
        self, words: list[str], folder: Path, env: dict[str, str], timeout: float
    ) -> tuple[int, bytes, bytes]:
        """Run a client to its end; return its exit code, its output and its errors."""
        with ExitStack() as stack:
            out, err, call = (stack.enter_context(tempfile.TemporaryFile()) for _ in range(3))
            call.write(json.dumps([words, str(folder), env]).encode())
            call.seek(0)
            told, theirs = socket.socketpair()
            with told:
                with theirs, Path(os.devnull).open("rb") as nothing:
                    files: list[IO[bytes] | socket.socket] = [nothing, out, err, call, theirs]
                    socket.send_fds(self._control, [b"+"], [it.fileno() for it in files])
                told.settimeout(timeout)
                status = told.recv(STATUS_BYTES)
            assert status, "the process that forks clients is gone"
            out.seek(0)
            err.seek(0)
            code = os.waitstatus_to_exitcode(int.from_bytes(status, "big"))
            return code, out.read(), err.read()


@functools.cache
def parent() -> Parent:
    return Parent()


def serve(control: socket.socket) -> None:
    """Fork a client for every call, and tell how it ended, until whoever asks is gone."""
    from browse.client.main import main  # here, so that the forks have it

    running: dict[int, int] = {}

    def tell(*_: object) -> None:
        with suppress(ChildProcessError):  # there is none, or only those that ended just now
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                told = running.pop(ended[0])
                with suppress(BrokenPipeError):  # whoever asked has given up
                    os.write(told, ended[1].to_bytes(STATUS_BYTES, "big"))
                os.close(told)

    signal.signal(signal.SIGCHLD, tell)
    while files := socket.recv_fds(control, 1, FILES)[1]:
        for fd in files:
            os.set_inheritable(fd, False)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
        pid = os.fork()
        if not pid:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
            control.close()
            become(files)
            os._exit(main())
        running[pid] = files.pop()
        for fd in files:
            os.close(fd)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])


def become(files: list[int]) -> None:
    """Take the files, the words, the folder and the environment of a call."""
    with os.fdopen(files[3], "rb") as call:
        sys.argv[1:], folder, env = json.load(call)
    for number in range(3):
        os.dup2(files[number], number)
        os.close(files[number])
    os.close(files[4])
    os.environ.clear()
    os.environ.update(env)
    os.chdir(folder)


if __name__ == "__main__":
    sys.path.insert(0, sys.argv.pop())
    if os.fork() == 0:  # so that a test which looks at its own children does not find it
        serve(socket.socket(fileno=os.dup(0)))
