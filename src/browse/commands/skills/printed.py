"""What a script prints, passed on to its caller while it runs: in envelopes, up to a limit."""

import asyncio
from collections.abc import Awaitable, Callable

from browse.core.tasks import spawn
from browse.registry.results import PageText

SOURCE = "script"
# What comes within this time is sent together: each part has its own envelope.
TOGETHER_S = 0.5


class Printed:
    """Collects what a script prints, and sends whole lines of it if it has `emit`."""

    def __init__(self, limit: int, emit: Callable[[PageText], Awaitable[None]] | None) -> None:
        self.left_out = 0
        self.limit = limit
        self._emit = emit
        self._all: list[str] = []
        self._count = 0
        self._waiting = ""
        self._sending: asyncio.Task[None] | None = None
        self._over = asyncio.Event()

    @property
    def text(self) -> str:
        return "".join(self._all)

    async def take(self, piece: str) -> None:
        """Take what was printed; what is beyond the limit is only counted."""
        kept = piece[: self.limit - self._count]
        self._count += len(kept)
        self.left_out += len(piece) - len(kept)
        if not kept:
            return
        self._all.append(kept)
        self._waiting += kept
        if self._emit and (self._sending is None or self._sending.done()):
            self._sending = spawn(self._send(self._emit), name="send what a script prints")

    async def finish(self) -> str:
        """Wait until all has been sent that is being sent; return the rest."""
        self._over.set()
        if self._sending:
            await self._sending
        rest, self._waiting = self._waiting, ""
        return rest

    async def close(self) -> None:
        """End without sending more."""
        if self._sending:
            self._sending.cancel()
            await asyncio.gather(self._sending, return_exceptions=True)

    async def _send(self, emit: Callable[[PageText], Awaitable[None]]) -> None:
        while not self._over.is_set():
            try:
                await asyncio.wait_for(self._over.wait(), TOGETHER_S)
            except TimeoutError:
                lines, end, rest = self._waiting.rpartition("\n")
                if not end:
                    return
                self._waiting = rest
                await emit(PageText(lines, SOURCE))
                if not self._waiting:
                    return
