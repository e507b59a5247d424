"""Files of lines that grow while the daemon lives: bounded, private, written beside the event loop.

Lines wait in memory for at most a second. A file that was deleted is made anew; a disk that cannot
be written to is told to the daemon's log once, and never to whoever added a line.
"""

import asyncio
import logging
import os
from contextlib import suppress
from pathlib import Path

from browse.core.tasks import spawn

log = logging.getLogger(__name__)
FLUSH_S = 1.0
MAX_FILE_BYTES = 5 * 1024 * 1024
MAX_WAITING_CHARS = 2 * 1024 * 1024
_APPEND = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)


class Journal:
    """Appends lines to a file; when it is full, it becomes `<name>.1` and a new one begins."""

    def __init__(self, path: Path, *, max_bytes: int = MAX_FILE_BYTES) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._waiting: list[str] = []
        self._chars = 0
        self._skipped = 0
        self._failing = False
        self._ending = asyncio.Event()
        self._writing: asyncio.Task[None] | None = None

    def add(self, line: str) -> None:
        """Write a line soon; more than can wait until then is counted and left out."""
        if self._chars + len(line) > MAX_WAITING_CHARS:
            self._skipped += 1
            return
        self._waiting.append(line)
        self._chars += len(line)
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

    def _take(self) -> bytes:
        lines, self._waiting, self._chars = self._waiting, [], 0
        if self._skipped:
            lines.append(f"({self._skipped} more were not written: too many at once)")
            self._skipped = 0
        text = "".join(line.replace("\r", "\\r").replace("\n", "\\n") + "\n" for line in lines)
        return text.encode("utf-8", "replace")

    def _append(self, data: bytes) -> None:
        if not data:
            return
        try:
            self._make_room(len(data))
            fd = os.open(self._path, _APPEND, 0o600)
            with os.fdopen(fd, "ab") as file:
                file.write(data)
        except OSError as exc:
            if not self._failing:
                log.warning("cannot write %s: %s", self._path.name, exc.strerror)
            self._failing = True
        else:
            self._failing = False

    def _make_room(self, more: int) -> None:
        try:
            size = self._path.stat().st_size
        except FileNotFoundError:
            return
        if size and size + more > self._max_bytes:
            self._path.replace(self._path.with_name(f"{self._path.name}.1"))
