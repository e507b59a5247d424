"""Runs a skill's script to its end: its output, bounded, and its end, certain."""

import asyncio
import codecs
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from browse.core.children import CHUNK_BYTES, DRAIN_S, FAILED, Child, Launch
from browse.core.errors import BrowseError, Code
from browse.core.lines import Lines, words
from browse.core.tasks import spawn
from browse.skills.launcher import Launcher

MAX_OUTPUT_BYTES = 1_048_576
MAX_LAST_LINES = 40

Hear = Callable[[str], Awaitable[None]]


class Plan(msgspec.Struct, frozen=True):
    """What to start: the launcher's options, the program, its folder and its variables."""

    options: Sequence[str]
    program: Sequence[str]
    folder: Path
    environ: Mapping[str, str]
    supervisor: type[Launcher] = Launcher


class Ended(msgspec.Struct):
    """How a script ended. `code` is None when it was ended by us; negative for a signal."""

    code: int | None = None
    timed_out: bool = False
    too_much: bool = False
    output: bytearray = msgspec.field(default_factory=bytearray)
    log: deque[str] = msgspec.field(default_factory=lambda: deque(maxlen=MAX_LAST_LINES))

    @property
    def exit(self) -> int:
        """The exit code as a shell tells it."""
        if self.timed_out or self.code is None:
            return 124 if self.timed_out else 1
        return 128 - self.code if self.code < 0 else self.code


async def run(plan: Plan, *, limit_s: float, hear: Hear, by_line: bool = True) -> Ended:
    """Run a script to its end or to its limit; each line of its stderr is heard as it comes.

    Not `by_line`, what it writes there is heard as it is, in pieces. However this is left, nothing
    of the script is.
    """
    launch = Launch(
        plan.program,
        plan.folder,
        plan.environ,
        stderr="apart",
        supervisor=plan.supervisor,
        options=plan.options,
    )
    try:
        child = await Child.start(launch)
    except OSError as exc:
        raise _not_started(plan, exc.strerror or "") from exc
    try:
        return await _Script(plan, child).follow(limit_s, hear, by_line=by_line)
    finally:
        await child.end()


def _not_started(plan: Plan, why: str) -> BrowseError:
    return BrowseError(
        Code.SKILL_FAILED,
        f"The script in {plan.folder} cannot be started: {why}.",
        hint="is its folder still there, and are its arguments short enough?",
    )


class _Script:
    def __init__(self, plan: Plan, child: Child) -> None:
        self._plan = plan
        self._child = child
        self._ended = Ended()
        self._full = asyncio.Event()

    async def follow(self, limit_s: float, hear: Hear, *, by_line: bool) -> Ended:
        listen = self._listen if by_line else self._listen_to_all
        readers = [
            spawn(self._collect(), name="read a skill's output"),
            spawn(listen(hear), name="hear a skill"),
        ]
        full = spawn(self._full.wait(), name="watch a skill's output")
        ended = self._child.ended
        try:
            await asyncio.wait({ended, full}, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
            stopped = not ended.done()
            self._ended.timed_out = stopped and not full.done()
            await self._child.stop()
            await asyncio.wait(readers, timeout=DRAIN_S)
        finally:
            for task in (*readers, full):
                task.cancel()
            await asyncio.gather(*readers, full, return_exceptions=True)
        for reader in readers:
            if not reader.cancelled() and (problem := reader.exception()):
                raise problem
        if not stopped and (how := ended.result()):
            if how.startswith(FAILED):
                raise _not_started(self._plan, how.removeprefix(FAILED))
            self._ended.code = int(how)
        return self._ended

    async def _collect(self) -> None:
        while chunk := await self._child.stdout.read(CHUNK_BYTES):
            self._ended.output += chunk
            if len(self._ended.output) > MAX_OUTPUT_BYTES:
                self._ended.too_much = True
                self._full.set()
                return

    async def _listen(self, hear: Hear) -> None:
        lines = Lines()
        while chunk := await self._child.stderr.read(CHUNK_BYTES):
            await self._hear(lines.feed(chunk), hear)
        await self._hear(lines.rest(), hear)

    async def _listen_to_all(self, hear: Hear) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while chunk := await self._child.stderr.read(CHUNK_BYTES):
            if text := decoder.decode(chunk):
                await hear(text)

    async def _hear(self, lines: list[bytes], hear: Hear) -> None:
        for line in map(words, lines):
            self._ended.log.append(line)
            await hear(line)
