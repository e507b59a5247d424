"""Processes that a test starts: whatever becomes of the test, none is left behind."""

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any

import psutil


@contextmanager
def owned(process: subprocess.Popen[Any]) -> Iterator[subprocess.Popen[Any]]:
    """Give a process to the block; after it, the process is over, its pipes closed, it is reaped.

    `Popen` as a context manager waits for one that still runs, and so a test that fails would
    hang until its time is up, or leave it to a later test to be warned of.
    """
    try:
        yield process
    finally:
        end(process)


@contextmanager
def running(argv: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program for the length of a block."""
    with owned(subprocess.Popen(argv, **options)) as process:
        yield process


def end(process: subprocess.Popen[Any]) -> None:
    """End a process that may still run, and with it the group that it leads, if it leads one."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            if os.getpgid(process.pid) == process.pid:
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        _close(pipe)


def children() -> list[psutil.Process]:
    """List the processes that this one has started and not taken leave of.

    To have none is the usual case, and known by one call to the system where it has `waitid`.
    """
    if hasattr(os, "waitid"):
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return []
    return psutil.Process().children()


def _close(pipe: IO[Any] | None) -> None:
    if pipe:
        with suppress(BrokenPipeError):  # words that nobody reads any more
            pipe.close()
