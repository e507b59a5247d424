"""Recordings: running until stopped, until the tab or browser is gone, or until the time limit.

The data is in a private folder until it is saved; a failed save can be tried again.
"""

import asyncio
import shutil
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from browse.core.errors import BrowseError, Code
from browse.core.tasks import spawn
from browse.guard.files import WritePath, write_output

LIMIT_S = 1800.0
DROP_S = 2.0
TIME_UP = f"the limit of {LIMIT_S / 60:.0f} minutes"


class Recording(ABC):
    """One recording: its folder, its duration, and what ended it if not the user."""

    kind: ClassVar[str]
    start_with: ClassVar[str]
    stop_with: ClassVar[str]

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ended_by = ""
        self._began = time.monotonic()
        self._took: float | None = None
        self._beginning: asyncio.Task[None] | None = None
        self._ending: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._dropped = False

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._began if self._took is None else self._took

    @property
    @abstractmethod
    def file(self) -> Path:
        """The path of the finished file."""

    @abstractmethod
    async def _begin(self) -> None: ...

    @abstractmethod
    async def _finish(self) -> None: ...

    async def begin(self) -> None:
        """Begin recording, even if the caller is cancelled meanwhile."""
        self._timer = asyncio.get_running_loop().call_later(LIMIT_S, self.end, TIME_UP)
        self._beginning = spawn(self._begin(), name=f"begin the {self.kind}")
        await asyncio.shield(self._beginning)

    def end(self, reason: str = "") -> asyncio.Task[None]:
        """End the recording; only the first call counts, with its reason."""
        if self._ending is None:
            self.ended_by, self._took = reason, self.seconds
            work = _do_nothing() if self._dropped else self._end()
            self._ending = spawn(work, name=f"end the {self.kind}")
        return self._ending

    async def _end(self) -> None:
        if self._beginning:
            await asyncio.wait([self._beginning])
        await self._finish()

    async def drop(self) -> None:
        """Abort the recording and delete its data; nothing is written from here on."""
        self._dropped = True
        under_way = {task for task in (self._beginning, self._ending, *self._stop_tasks()) if task}
        if under_way:
            _, late = await asyncio.wait(under_way, timeout=DROP_S)
            for task in late:
                task.cancel()
        self.discard()

    def _stop_tasks(self) -> list[asyncio.Task[None] | None]:
        """Stop the background tasks of the recording, and return them."""
        return []

    def discard(self) -> None:
        if self._timer:
            self._timer.cancel()
        shutil.rmtree(self.folder, ignore_errors=True)


async def _do_nothing() -> None:
    """End a recording that was aborted."""


R = TypeVar("R", bound=Recording)


class Recorder(Generic[R]):
    """Makes recordings of one kind, one at a time."""

    def __init__(self, make: Callable[..., R], kind: type[R]) -> None:
        self.current: R | None = None
        self._make = make
        self.kind = kind
        self._lock = asyncio.Lock()

    async def start(self, *about: object) -> R:
        """Start a recording; raise if there is one already."""
        async with self._lock:
            self.require_none()
            self.current = recording = self._make(*about)
            try:
                await recording.begin()
            except Exception:
                self._drop(recording)
                raise
            return recording

    def require_none(self) -> None:
        """Raise if there is a recording that is running or not saved yet."""
        if self.current:
            raise BrowseError(
                Code.RECORDING,
                f"A {self.kind.kind} already exists, of {self.current.seconds:.0f} s.",
                hint=f"save it first: `{self.kind.stop_with}`",
            )

    async def save(self, place: Callable[[R], WritePath]) -> tuple[R, int]:
        """End the recording if it is still running, save the file, and return its size."""
        async with self._lock:
            recording = self.current
            if recording is None:
                raise BrowseError(
                    Code.RECORDING,
                    f"No {self.kind.kind} is being recorded.",
                    hint=f"start one with `{self.kind.start_with}`",
                )
            try:
                await asyncio.shield(recording.end())
            except Exception:
                self._drop(recording)
                raise
            size = await asyncio.to_thread(_publish, recording.file, place(recording))
            self._drop(recording)
            return recording, size

    async def abort(self) -> None:
        """Abort the current recording, running or not yet saved."""
        if recording := self.current:
            self.current = None
            await recording.drop()

    def _drop(self, recording: R) -> None:
        recording.discard()
        self.current = None


def _publish(source: Path, path: WritePath) -> int:
    with source.open("rb") as file:
        return write_output(path, file)
