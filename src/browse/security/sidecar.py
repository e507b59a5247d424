"""The daemon's end of a sidecar: a process with a model, started on first need, asked in turn.

It never holds a command up: until its model is loaded it has no say, and it has two seconds for an
answer. One that hangs, dies or answers anything else is ended with all that it started and started
anew, three times at most. It lives no longer than the daemon.
"""

import asyncio
import logging
import math
from collections.abc import Sequence
from contextlib import suppress
from typing import Literal

import msgspec

from browse.core.children import Child, Launch, described
from browse.core.sidecar_messages import (
    MAX_LINE_BYTES,
    MAX_TEXT_CHARS,
    SidecarAnswer,
    SidecarQuestion,
)
from browse.core.tasks import spawn
from browse.core.text import cut_at_line, well_formed

LIMIT_S = 2.0
LOAD_LIMIT_S = 120.0
MAX_RESTARTS = 3
State = Literal["not started", "loading", "ready", "off"]
_log = logging.getLogger(__name__)


class _Refused(Exception):
    """It is well, and says that its model cannot be used."""


class Sidecar:
    """A process that weighs texts; `state` tells how far it is, `loading` is done when it is up."""

    def __init__(
        self,
        name: str,
        argv: Sequence[str],
        *,
        limit_s: float = LIMIT_S,
        load_limit_s: float = LOAD_LIMIT_S,
    ) -> None:
        self.state: State = "not started"
        self._name = name
        self._argv = argv
        self._limit_s = limit_s
        self._load_limit_s = load_limit_s
        self._starts = 0
        self._asked = 0
        self._child: Child | None = None
        self.loading: asyncio.Task[None] | None = None
        self._turn = asyncio.Lock()

    @property
    def is_ready(self) -> bool:
        return self.state == "ready"

    async def ask(self, text: str) -> float | None:
        """Ask how much a text is like an attack; None while it has no say."""
        if self.state == "not started":
            self.start()
        if not self.is_ready:
            return None
        try:
            async with asyncio.timeout(self._limit_s):
                await self._turn.acquire()
        except TimeoutError:  # others asked before, which is no fault of its own
            return None
        try:
            # It may have been given up meanwhile, and load anew.
            return await self._weighed(text, self._limit_s) if self.is_ready else None
        except _Refused:
            return None
        except (OSError, TimeoutError, ValueError) as exc:
            await self._give_up(exc)
            return None
        finally:
            self._turn.release()

    def start(self) -> None:
        """Start it in the background."""
        self.state = "loading"
        self._starts += 1
        self.loading = spawn(self._load(), name=f"load {self._name}")

    async def close(self) -> None:
        """End it for good."""
        self.state = "off"
        if self.loading:
            self.loading.cancel()
            await asyncio.wait({self.loading})
        await self._end()

    async def _load(self) -> None:
        try:
            launch = Launch(self._argv, stdin=True, max_line_bytes=MAX_LINE_BYTES)
            self._child = await Child.start(launch)
            await self._weighed("", self._load_limit_s)
        except _Refused as exc:
            self.state = "off"
            _log.warning("%s is not used: %s", self._name, exc)
            await self._end()
        except (OSError, TimeoutError, ValueError) as exc:
            await self._give_up(exc)
        else:
            self.state = "ready"

    async def _weighed(self, text: str, limit_s: float) -> float:
        child = self._child
        if child is None:
            raise OSError("it does not run")
        self._asked += 1
        question = SidecarQuestion(
            self._asked, "scan", cut_at_line(well_formed(text), MAX_TEXT_CHARS)
        )
        async with asyncio.timeout(limit_s):
            child.stdin.write(msgspec.json.encode(question) + b"\n")
            with suppress(ConnectionError):  # it has ended: its last lines, or their end, say more
                await child.stdin.drain()
            return _understood(await self._answer(child, question.id))

    async def _answer(self, child: Child, number: int) -> SidecarAnswer:
        while line := await child.stdout.readline():
            try:
                answer = msgspec.json.decode(line, type=SidecarAnswer)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                # It may repeat words of the page, which do not belong into a log.
                raise ValueError("it answers no question of ours") from None
            # An earlier number belongs to a command that was given up meanwhile.
            if answer.id >= number:
                return answer
        raise OSError(f"it {described(await child.ended)}")

    async def _give_up(self, why: Exception) -> None:
        """End it; it comes back at the next question, unless it did so too often."""
        if self._starts <= MAX_RESTARTS:
            self.state = "not started"
        else:
            self.state = "off"
            what = "it takes too long" if isinstance(why, TimeoutError) else why
            _log.warning("%s is off after %d starts: %s", self._name, self._starts, what)
        await self._end()

    async def _end(self) -> None:
        child, self._child = self._child, None
        if child:
            await child.kill()


def _understood(answer: SidecarAnswer) -> float:
    if not answer.ok:
        raise _Refused(answer.error[:500])
    confidence = answer.confidence
    if confidence is None or not math.isfinite(confidence) or not 0 <= confidence <= 1:
        raise ValueError("its confidence is not from 0 to 1")
    return confidence
