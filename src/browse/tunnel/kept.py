"""The daemon's end of a program that a keeper runs: its lines, its end, and ending it."""

import asyncio
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import IO

from browse.core.lines import Lines, words
from browse.core.tasks import spawn
from browse.tunnel import keeper

CHUNK_BYTES = 64 * 1024
MAX_LAST_LINES = 8
# After its end: for the last of its words, which a process that it left behind may hold up.
DRAIN_S = 2.0
END_S = keeper.GRACE_S + 2.0

Hear = Callable[[str], bool]


class Kept:
    """A program that runs. `ended` is done when it has ended: `exit 1`, `signal 9`, or ""."""

    def __init__(
        self, child: subprocess.Popen[bytes], status: "_Pipe", output: "_Pipe", hear: Hear
    ) -> None:
        self.last: deque[str] = deque(maxlen=MAX_LAST_LINES)
        self._child = child
        self._status = status
        self._output = output
        self._hear = hear
        self._hearing = spawn(self._listen(), name="hear the tunnel's program")
        self.ended = spawn(self._watch(), name="watch the tunnel's program")

    @classmethod
    async def start(cls, argv: Sequence[str], hear: Hear) -> "Kept":
        """Start a program in a group of its own.

        Each whole line that it prints is heard, until `hear` says that it has heard enough.
        """
        child = await asyncio.to_thread(_start, argv)
        status, output = await _Pipe.of(child.stdout), await _Pipe.of(child.stderr)
        return cls(child, status, output, hear)

    async def end(self) -> None:
        """End the program and all that it started; it is asked first."""
        if self._child.stdin:
            self._child.stdin.close()
        await asyncio.wait({self.ended}, timeout=END_S)
        if not self.ended.done():
            self._kill()
            await asyncio.wait({self.ended}, timeout=END_S)

    async def _listen(self) -> None:
        lines, enough = Lines(), False
        while chunk := await self._output.reader.read(CHUNK_BYTES):
            whole = lines.feed(chunk)
            # A program may print without end: once enough was heard, a chunk costs next to nothing.
            for line in map(words, whole[-MAX_LAST_LINES:] if enough else whole):
                self.last.append(line)
                enough = enough or self._hear(line)

    async def _watch(self) -> str:
        how = await self._status.reader.readline()
        if not how:
            self._kill()  # its keeper was killed and could end nothing
        await asyncio.wait({self._hearing}, timeout=DRAIN_S)
        self._hearing.cancel()
        self._status.close()
        self._output.close()
        if self._child.stdin:
            self._child.stdin.close()
        await asyncio.to_thread(self._child.wait)
        return how.decode("utf-8", "replace").strip()

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):  # the whole group is gone already
            os.killpg(self._child.pid, signal.SIGKILL)


class _Pipe:
    def __init__(self, reader: asyncio.StreamReader, transport: asyncio.ReadTransport) -> None:
        self.reader = reader
        self.close = transport.close

    @classmethod
    async def of(cls, file: IO[bytes] | None) -> "_Pipe":
        reader = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), file
        )
        return cls(reader, transport)


def _start(argv: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-I", "-S", keeper.__file__, *argv],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
