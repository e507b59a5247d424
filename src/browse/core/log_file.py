"""Files of lines that grow while the daemon lives: bounded, private, written beside the event loop.

Lines wait in memory for at most a second. A file that was deleted is made anew; a disk that cannot
be written to is reported in the daemon's log once, and never to whoever added a line.
"""

import asyncio
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from browse.core.controls import visible
from browse.core.growing import alone, append
from browse.core.tasks import spawn

log = logging.getLogger(__name__)
FLUSH_S = 1.0
MAX_FILE_BYTES = 5 * 1024 * 1024
MAX_WAITING_CHARS = 2 * 1024 * 1024
# What a line counts for that is not made yet.
LATE_LINE_CHARS = 1_000


# A line, or what returns it: called when the line is written, beside the event loop.
Line = str | Callable[[], str]


class LogFile:
    """Appends lines to a file; when it is full, it becomes `<name>.1` and a new one begins.

    As many full ones are kept as `generations` says: `.1` is the youngest. `wanted` is asked before
    each batch of lines, and `clean` takes out what must not be written, at the last moment: more
    may be known by then. Both are called beside the event loop.
    """

    def __init__(
        self,
        path: Path,
        *,
        max_bytes: int = MAX_FILE_BYTES,
        generations: int = 1,
        clean: Callable[[str], str] = str,
        wanted: Callable[[], bool] = lambda: True,
    ) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._generations = generations
        self._clean = clean
        self._wanted = wanted
        self._waiting: list[Line] = []
        self._chars = 0
        self._skipped = 0
        self._failing = False
        self._ending = asyncio.Event()
        self._writing: asyncio.Task[None] | None = None

    @property
    def waiting(self) -> int:
        """How many lines wait to be written."""
        return len(self._waiting)

    def add(self, line: Line) -> None:
        """Write a line soon; more than can wait until then is counted and left out."""
        chars = len(line) if isinstance(line, str) else LATE_LINE_CHARS
        if self._chars + chars > MAX_WAITING_CHARS:
            self._skipped += 1
            return
        self._waiting.append(line)
        self._chars += chars
        if self._writing is None:
            self._writing = spawn(self._write_soon(), name=f"write {self._path.name}")

    async def close(self) -> None:
        """Write what waits still."""
        self._ending.set()
        if self._writing:
            await self._writing

    async def _write_soon(self) -> None:
        try:
            while self._waiting:
                with suppress(TimeoutError):  # the usual case: nothing ends meanwhile
                    await asyncio.wait_for(self._ending.wait(), FLUSH_S)
                await asyncio.to_thread(self._append, self._take())
        finally:
            self._writing = None

    def _take(self) -> list[Line]:
        lines, self._waiting, self._chars = self._waiting, [], 0
        if self._skipped:
            lines.append(f"({self._skipped} more were not written: too many at once)")
            self._skipped = 0
        return lines

    def _append(self, lines: list[Line]) -> None:
        if not lines or not self._wanted():
            return
        text = "".join(_one_line(line if isinstance(line, str) else line()) for line in lines)
        try:
            self._write(self._clean(text).encode("utf-8", "replace"))
        except OSError as exc:
            if not self._failing:
                log.warning("cannot write %s: %s", self._path.name, exc.strerror)
            self._failing = True
        else:
            self._failing = False

    def _write(self, data: bytes) -> None:
        with alone(self._path) as fd:
            size = os.fstat(fd).st_size
            if not size or size + len(data) <= self._max_bytes:
                append(fd, data)
                return
            self._move_aside()
        with alone(self._path) as fd:
            append(fd, data)

    def _move_aside(self) -> None:
        names = [self._path, *aged(self._path, self._generations)]
        for young, old in reversed(list(pairwise(names))):
            with suppress(FileNotFoundError):  # the first times, there are not so many yet
                young.replace(old)


def _one_line(text: str) -> str:
    return visible(text.replace("\r", "\\r").replace("\n", "\\n")) + "\n"


def aged(path: Path, generations: int) -> list[Path]:
    """Name the full files of a journal, the youngest first."""
    return [path.with_name(f"{path.name}.{age}") for age in range(1, generations + 1)]
