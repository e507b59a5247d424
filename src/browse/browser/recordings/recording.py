"""A recording is under way until somebody ends it, its subject goes, or the time is up.

What it has is in a private folder until it is saved; a save that fails can be tried again.
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
    """One recording: its folder, how long it took, and what ended it if nobody did."""

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
        """Where the finished file is."""

    @abstractmethod
    async def _begin(self) -> None: ...

    @abstractmethod
    async def _finish(self) -> None: ...

    async def begin(self) -> None:
        """Begin it; when the caller is cut off meanwhile, it begins all the same."""
        self._timer = asyncio.get_running_loop().call_later(LIMIT_S, self.end, TIME_UP)
        self._beginning = spawn(self._begin(), name=f"begin the {self.kind}")
        await asyncio.shield(self._beginning)

    def end(self, reason: str = "") -> asyncio.Task[None]:
        """End it, once; the first reason is kept."""
        if self._ending is None:
            self.ended_by, self._took = reason, self.seconds
            work = _nothing() if self._dropped else self._end()
            self._ending = spawn(work, name=f"end the {self.kind}")
        return self._ending

    async def _end(self) -> None:
        if self._beginning:
            await asyncio.wait([self._beginning])
        await self._finish()

    async def drop(self) -> None:
        """Give it up: from here on nothing is written, whatever becomes of its subject."""
        self._dropped = True
        under_way = {task for task in (self._beginning, self._ending, *self._quit()) if task}
        if under_way:
            _, late = await asyncio.wait(under_way, timeout=DROP_S)
            for task in late:
                task.cancel()
        self.discard()

    def _quit(self) -> list[asyncio.Task[None] | None]:
        """Tell what else works for it to come to an end, and list it."""
        return []

    def discard(self) -> None:
        if self._timer:
            self._timer.cancel()
        shutil.rmtree(self.folder, ignore_errors=True)


async def _nothing() -> None:
    """End what was given up already."""


R = TypeVar("R", bound=Recording)


class Recorder(Generic[R]):
    """Makes recordings of one kind, one at a time."""

    def __init__(self, make: Callable[..., R], kind: type[R]) -> None:
        self.current: R | None = None
        self._make = make
        self.kind = kind
        self._lock = asyncio.Lock()

    async def start(self, *about: object) -> R:
        """Start one; there must be none."""
        async with self._lock:
            if self.current:
                raise BrowseError(
                    Code.RECORDING,
                    f"A {self.kind.kind} is there already, of {self.current.seconds:.0f} s.",
                    hint=f"save it first: `{self.kind.stop_with}`",
                )
            self.current = recording = self._make(*about)
            try:
                await recording.begin()
            except Exception:
                self._drop(recording)
                raise
            return recording

    async def save(self, place: Callable[[R], WritePath]) -> tuple[R, int]:
        """End it if nothing else did, put the file where it belongs, and tell its size."""
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

    async def abandon(self) -> None:
        """Give up what is being recorded, or waits to be saved: nobody will ask for it."""
        if recording := self.current:
            self.current = None
            await recording.drop()

    def _drop(self, recording: R) -> None:
        recording.discard()
        self.current = None


def _publish(source: Path, path: WritePath) -> int:
    with source.open("rb") as file:
        return write_output(path, file)
