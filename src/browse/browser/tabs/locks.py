"""Locks: one command at a time on a tab, in order; or one command on the whole browser."""

import asyncio
import math
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class TabLock:
    """A first-come-first-served lock that knows its holder."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._holder = ""
        self._since = 0.0

    @asynccontextmanager
    async def hold(self, command: str) -> AsyncIterator[None]:
        async with self._lock:
            self._holder, self._since = command, time.monotonic()
            try:
                yield
            finally:
                self._holder = ""

    def holder(self) -> str:
        """Describe the holder, such as "`wait` for 12 s"; "" if the lock is free."""
        return (
            f"`{self._holder}` for {time.monotonic() - self._since:.0f} s" if self._holder else ""
        )


class BrowserLock:
    """Lets commands on tabs run in parallel, and a command on the whole browser alone."""

    def __init__(self) -> None:
        self._door = asyncio.Lock()
        self._inside = 0
        self._freed = -math.inf
        self._empty = asyncio.Event()
        self._empty.set()

    @property
    def is_held(self) -> bool:
        """Whether a command runs on a tab, or alone."""
        return self._inside > 0 or self._door.locked()

    def idle_s(self) -> float:
        """Return how long ago a command on a tab has ended."""
        return time.monotonic() - self._freed

    @asynccontextmanager
    async def shared(self) -> AsyncIterator[None]:
        async with self._door:
            self._inside += 1
            self._empty.clear()
        try:
            yield
        finally:
            self._inside -= 1
            self._freed = time.monotonic()
            if not self._inside:
                self._empty.set()

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        async with self._door:
            await self._empty.wait()
            yield
