"""Programs that the daemon starts: each in a process group of its own, none outlives the daemon.

Between the daemon and a program stands a supervisor (`supervisor.py`), which ends the group when it
is told to, when the program has ended, and when the daemon is gone, however that came about.
"""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Literal

import msgspec

from browse.core.supervisor import LAST_S, Supervisor
from browse.core.tasks import spawn

CHUNK_BYTES = 64 * 1024
# For the last words of a program that has ended: a process that it left may hold them up.
DRAIN_S = 2.0
# How much longer than its grace a group may take to end before it is killed from here.
END_S = LAST_S + 2.0
AT_ONCE = b"!"
FAILED = "failed "
_ROOT = str(Path(__file__).parents[2])
# Imported, not run as a file: only what is imported is compiled once for all.
_RUN = "import sys; sys.path.append(sys.argv[1]); from {0} import {1}; {1}(sys.argv[2:]).run()"
_STDERR = {"apart": subprocess.PIPE, "merged": subprocess.STDOUT, "dropped": subprocess.DEVNULL}


class Launch(msgspec.Struct, frozen=True):
    """What to start, and how.

    `stderr` is read apart from stdout, merged into it, or dropped. `grace_s` is the time to end
    well; `max_line_bytes` is how long a line that is read may be. `options` are the supervisor's.
    """

    argv: Sequence[str]
    folder: Path | None = None
    environ: Mapping[str, str] | None = None
    stdin: bool = False
    stderr: Literal["apart", "merged", "dropped"] = "dropped"
    grace_s: float = 1.0
    max_line_bytes: int = 64 * 1024
    supervisor: type[Supervisor] = Supervisor
    options: Sequence[str] = ()


class Child:
    """A program that was started.

    `ended` is done when it has ended: with its exit code, negative for a signal; with `failed` and
    the reason if it could not be started; with "" if its supervisor was killed.
    """

    def __init__(self, launch: Launch, process: subprocess.Popen[bytes], hold: int) -> None:
        self.stdout = asyncio.StreamReader(launch.max_line_bytes)
        self.stderr = asyncio.StreamReader(launch.max_line_bytes)
        self._launch = launch
        self._process = process
        self._hold: int | None = hold
        self._status = asyncio.StreamReader()
        self._stdin: asyncio.StreamWriter | None = None
        self._pipes: list[asyncio.BaseTransport] = []
        self.ended = spawn(self._watch(), name="watch a program")

    @classmethod
    async def start(cls, launch: Launch) -> "Child":
        """Start a program; raise OSError where not even its supervisor can be started."""
        starting = spawn(cls._started(launch), name="start a program")
        try:
            started = await asyncio.shield(starting)
        except asyncio.CancelledError:
            if isinstance(started := await starting, Child):
                await started.kill()
            raise
        if isinstance(started, OSError):
            raise started
        return started

    @classmethod
    async def _started(cls, launch: Launch) -> "Child | OSError":
        try:
            process, status, hold = await asyncio.to_thread(_start, launch)
        except OSError as exc:
            return exc
        self = cls(launch, process, hold)
        await self._read(status, self._status)
        if process.stdout:
            await self._read(process.stdout, self.stdout)
        if process.stderr:
            await self._read(process.stderr, self.stderr)
        if process.stdin:
            await self._write(process.stdin)
        return self

    @property
    def stdin(self) -> asyncio.StreamWriter:
        if self._stdin is None:
            raise OSError("it takes nothing on stdin")
        return self._stdin

    async def exchange(self, question: bytes, *, max_bytes: int) -> bytes:
        """Write all of stdin, and read all of stdout; raise ValueError if that is too much."""
        asking = spawn(_feed(self.stdin, question), name="ask a program")
        try:
            answer = bytearray()
            while chunk := await self.stdout.read(CHUNK_BYTES):
                answer += chunk
                if len(answer) > max_bytes:
                    raise ValueError(f"more than {max_bytes:,} bytes")
            return bytes(answer)
        finally:
            asking.cancel()

    async def stop(self) -> None:
        """End it and all that it started; it is asked first. What it said can still be read."""
        self._release()
        await self._see_ended(self._launch.grace_s + END_S)

    async def end(self) -> None:
        """Stop it, and close its pipes."""
        await self.stop()
        self._close()

    async def kill(self) -> None:
        """End it and all that it started at once, and close its pipes."""
        if self._hold is not None:
            with suppress(BrokenPipeError):  # it has ended by itself
                os.write(self._hold, AT_ONCE)
        self._release()
        await self._see_ended(END_S)
        self._close()

    async def _see_ended(self, limit_s: float) -> None:
        await asyncio.wait({self.ended}, timeout=limit_s)
        if not self.ended.done():
            self._kill_group()
            await asyncio.wait({self.ended}, timeout=END_S)

    def _close(self) -> None:
        for pipe in self._pipes:
            pipe.close()

    async def _watch(self) -> str:
        how = await self._status.readline()
        if not how:
            self._kill_group()  # its supervisor was killed and could end nothing
        self._release()
        await asyncio.to_thread(self._process.wait)
        return how.decode("utf-8", "replace").strip()

    def _release(self) -> None:
        if self._hold is not None:
            os.close(self._hold)
            self._hold = None

    def _kill_group(self) -> None:
        with suppress(ProcessLookupError, PermissionError):  # the whole group is gone already
            os.killpg(self._process.pid, signal.SIGKILL)

    async def _read(self, file: IO[bytes], reader: asyncio.StreamReader) -> None:
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), file
        )
        self._pipes.append(transport)

    async def _write(self, file: IO[bytes]) -> None:
        loop = asyncio.get_running_loop()
        protocol = asyncio.StreamReaderProtocol(asyncio.StreamReader())
        transport, _ = await loop.connect_write_pipe(lambda: protocol, file)
        self._stdin = asyncio.StreamWriter(transport, protocol, None, loop)
        self._pipes.append(transport)


def described(how: str) -> str:
    """Describe how a program ended."""
    if how.startswith(FAILED):
        return f"could not be started: {how.removeprefix(FAILED)}"
    if not how:
        return "was killed"
    code = int(how)
    return f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"


async def _feed(stdin: asyncio.StreamWriter, question: bytes) -> None:
    stdin.write(question)
    with suppress(ConnectionError):  # it may answer without reading all of it
        await stdin.drain()
    stdin.close()


def _start(launch: Launch) -> tuple[subprocess.Popen[bytes], IO[bytes], int]:
    status, status_end = os.pipe()
    held, hold = os.pipe()
    run = _RUN.format(launch.supervisor.__module__, launch.supervisor.__name__)
    own = ["--status", str(status_end), "--hold", str(held), "--grace", str(launch.grace_s)]
    words = [_ROOT, *own, *launch.options, "--", *launch.argv]
    try:
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", run, *words],
            stdin=subprocess.PIPE if launch.stdin else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=_STDERR[launch.stderr],
            cwd=launch.folder,
            env=launch.environ,
            pass_fds=(status_end, held),
            start_new_session=True,
        )
    except OSError:
        os.close(status)
        os.close(hold)
        raise
    finally:
        os.close(status_end)
        os.close(held)
    return process, os.fdopen(status, "rb"), hold
