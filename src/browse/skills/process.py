"""The daemon's end of a script that runs: its output, bounded, and its end, certain."""

import asyncio
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from browse.core.errors import BrowseError, Code
from browse.core.lines import Lines, words
from browse.core.tasks import spawn
from browse.skills import launcher

MAX_OUTPUT_BYTES = 1_048_576
CHUNK_BYTES = 64 * 1024
MAX_LAST_LINES = 40
# After the script's end: for the last of its words, which a process that it left may hold up.
DRAIN_S = 2.0
END_S = launcher.GRACE_S + 2.0
# Imported, not run as a file: only what is imported is compiled once for all.
_LAUNCH = "import sys; sys.path.append(sys.argv[1]); import launcher; launcher.main(sys.argv[2:])"
_HERE = Path(__file__).parent

Hear = Callable[[str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to start: the launcher's options, the program, its folder and its variables."""

    options: Sequence[str]
    program: Sequence[str]
    folder: Path
    environ: Mapping[str, str]


@dataclass(slots=True)
class Ended:
    """How a script ended. `code` is None when it was ended by us; negative for a signal."""

    code: int | None = None
    timed_out: bool = False
    too_much: bool = False
    output: bytearray = field(default_factory=bytearray)
    log: deque[str] = field(default_factory=lambda: deque(maxlen=MAX_LAST_LINES))

    @property
    def exit(self) -> int:
        """The exit code as a shell tells it."""
        if self.timed_out or self.code is None:
            return 124 if self.timed_out else 1
        return 128 - self.code if self.code < 0 else self.code


async def run(plan: Plan, *, limit_s: float, hear: Hear) -> Ended:
    """Run a script to its end or to its limit; each line of its stderr is heard as it comes.

    However this is left, nothing of the script is.
    """
    starting = spawn(asyncio.to_thread(_start, plan), name="start a skill")
    try:
        await asyncio.shield(starting)
        return await starting.result().follow(limit_s, hear)
    finally:
        await (await starting).end()  # also if we were cancelled while it started


class _Script:
    def __init__(self, child: subprocess.Popen[bytes], status: int) -> None:
        self._child = child
        self._status = os.fdopen(status, "rb")
        self._ended = Ended()
        self._full = asyncio.Event()
        self._pipes: list[asyncio.ReadTransport] = []

    async def follow(self, limit_s: float, hear: Hear) -> Ended:
        code = await self._pipe(self._status)
        output, errors = await self._pipe(self._child.stdout), await self._pipe(self._child.stderr)
        readers = [
            spawn(self._collect(output), name="read a skill's output"),
            spawn(self._listen(errors, hear), name="hear a skill"),
        ]
        how = spawn(self._wait(code), name="wait for a skill")
        full = spawn(self._full.wait(), name="watch a skill's output")
        try:
            await asyncio.wait({how, full}, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
            self._ended.timed_out = not how.done() and not full.done()
            await self._stop()
            await asyncio.wait(readers, timeout=DRAIN_S)
        finally:
            for task in (*readers, how, full):
                task.cancel()
            await asyncio.gather(*readers, how, full, return_exceptions=True)
        for reader in readers:
            if not reader.cancelled() and (problem := reader.exception()):
                raise problem
        return self._ended

    async def _stop(self) -> None:
        """End all that the script started, unless it has ended by itself."""
        if self._child.stdin and not self._child.stdin.closed:
            self._child.stdin.close()
            if not await self._gone():
                with suppress(ProcessLookupError, PermissionError):  # the whole group is gone
                    os.killpg(self._child.pid, signal.SIGKILL)
                await self._gone()

    async def end(self) -> None:
        """Leave no process and no pipe behind."""
        await self._stop()
        for pipe in self._pipes:
            pipe.close()
        if not self._pipes:  # it was ended before anybody listened
            for file in (self._status, self._child.stdout, self._child.stderr):
                if file:
                    file.close()

    async def _gone(self) -> bool:
        try:
            await asyncio.to_thread(self._child.wait, END_S)
        except subprocess.TimeoutExpired:
            return False
        return True

    async def _wait(self, code: asyncio.StreamReader) -> None:
        said = await code.readline()
        self._ended.code = int(said) if said else None

    async def _collect(self, output: asyncio.StreamReader) -> None:
        while chunk := await output.read(CHUNK_BYTES):
            self._ended.output += chunk
            if len(self._ended.output) > MAX_OUTPUT_BYTES:
                self._ended.too_much = True
                self._full.set()
                return

    async def _listen(self, errors: asyncio.StreamReader, hear: Hear) -> None:
        lines = Lines()
        while chunk := await errors.read(CHUNK_BYTES):
            await self._hear(lines.feed(chunk), hear)
        await self._hear(lines.rest(), hear)

    async def _hear(self, lines: list[bytes], hear: Hear) -> None:
        for line in map(words, lines):
            self._ended.log.append(line)
            await hear(line)

    async def _pipe(self, file: IO[bytes] | None) -> asyncio.StreamReader:
        reader = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), file
        )
        self._pipes.append(transport)
        return reader


def _start(plan: Plan) -> _Script:
    status, told = os.pipe()
    options = ["--status", str(told), *plan.options, "--", *plan.program]
    try:
        child = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _LAUNCH, str(_HERE), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=plan.folder,
            env=plan.environ,
            pass_fds=(told,),
            start_new_session=True,
        )
    except OSError as exc:
        os.close(status)
        raise BrowseError(
            Code.SKILL_FAILED,
            f"The script in {plan.folder} cannot be started: {exc.strerror}.",
            hint="is its folder still there, and are its arguments short enough?",
        ) from exc
    finally:
        os.close(told)
    return _Script(child, status)
