"""Taking leave of child processes that asyncio started, whatever they did with their pipes."""

import asyncio
from asyncio.subprocess import Process
from contextlib import suppress

CHUNK_BYTES = 64 * 1024
REAP_S = 5.0


async def reap(child: Process, *, limit_s: float = REAP_S) -> None:
    """Wait for the end of a child that was killed.

    `Process.wait` alone may wait for ever. It comes back once the pipes have ended as well, and one
    does not end while nobody reads it (asyncio stops reading when too much waits already), nor
    while a process that has left the child's group holds it.
    """
    try:
        # Not `asyncio.timeout`: in a task that was cancelled, that of Python 3.11.2 does not tell.
        await asyncio.wait_for(_end(child), limit_s)
    except OSError:  # which a TimeoutError is
        # There is no public way to let go. Without this one, its pipes stay open for longer.
        with suppress(AttributeError):
            child._transport.close()  # type: ignore[attr-defined]


async def _end(child: Process) -> None:
    while child.stdout and await child.stdout.read(CHUNK_BYTES):
        pass
    await child.wait()
