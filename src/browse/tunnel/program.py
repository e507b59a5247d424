"""A program that keeps a tunnel open: its lines, how it ended, and ending it."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence

from browse.core.children import CHUNK_BYTES, DRAIN_S, Child, Launch
from browse.core.lines import Lines, words
from browse.core.tasks import spawn

MAX_LAST_LINES = 8
GRACE_S = 3.0

Hear = Callable[[str], bool]


class TunnelProgram:
    """A program that runs; `ended` is done when it has ended and its last words were heard."""

    def __init__(self, child: Child, hear: Hear) -> None:
        self.last: deque[str] = deque(maxlen=MAX_LAST_LINES)
        self._child = child
        self._hear = hear
        self._hearing = spawn(self._listen(), name="hear the tunnel's program")
        self.ended = spawn(self._watch(), name="watch the tunnel's program")

    @classmethod
    async def start(cls, argv: Sequence[str], hear: Hear) -> "TunnelProgram":
        """Start a program; each line it prints is heard, until `hear` has heard enough."""
        return cls(await Child.start(Launch(argv, stderr="merged", grace_s=GRACE_S)), hear)

    async def end(self) -> None:
        """End the program and all that it started; it is asked first."""
        await self._child.stop()
        await asyncio.wait({self.ended})

    async def _listen(self) -> None:
        lines, enough = Lines(), False
        while chunk := await self._child.stdout.read(CHUNK_BYTES):
            whole = lines.feed(chunk)
            # A program may print without end: once enough was heard, a chunk costs next to nothing.
            for line in map(words, whole[-MAX_LAST_LINES:] if enough else whole):
                self.last.append(line)
                enough = enough or self._hear(line)

    async def _watch(self) -> str:
        how = await self._child.ended
        await asyncio.wait({self._hearing}, timeout=DRAIN_S)
        self._hearing.cancel()
        await self._child.end()
        return how
