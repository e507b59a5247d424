"""The steps that wait for a person, and how those of the last minutes ended."""

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from browse.core.errors import BrowseError, Code
from browse.dispatch.call import Call
from browse.egress.pipeline import Outgoing

KEPT_S = 600.0
MAX_WAITING = 20
MAX_KEPT = 100
CODE_CHARS = 4


@dataclass(slots=True)
class Held:
    """One step: the exact call, what it would act on, and what became of it.

    `line` and `host` are our words, safe for a log; `page` is in the words of the page and of the
    caller. `hash` stands for all of it.
    """

    call: Call
    line: str
    host: str
    page: str
    hash: str
    id: str = ""
    until: float = 0.0
    state: Literal["waiting", "running", "done", "denied"] = "waiting"
    reason: str = ""
    output: Outgoing | None = None
    error: BrowseError | None = None
    told: bool = False
    decided: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def key(self) -> tuple[Any, ...]:
        """What makes two calls the same, whatever the page is like by then."""
        call = self.call
        return call.caller.holder, call.session, call.tab_id, self.words, call.stdin

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the call; in which form the reply is wanted makes no other step of it."""
        return tuple(word for word in self.call.words if word != "--json")

    @property
    def code(self) -> str:
        """What the person types who has read it."""
        return self.hash[:CODE_CHARS]

    @property
    def title(self) -> str:
        return f"{self.line} on {self.host}" if self.host else self.line

    def facts(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "step": self.line,
            "host": self.host,
            "hash": self.hash,
            "tab": self.call.tab_id,
            "client": self.call.caller.holder,
            "state": self.state,
        }


class Steps:
    """Keeps steps for ten minutes each: until they are decided, and then their outcome."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._steps: dict[str, Held] = {}

    def waiting(self) -> list[Held]:
        self._expire()
        return [held for held in self._steps.values() if held.state == "waiting"]

    def add(self, held: Held) -> Held:
        """Keep a step; the same step that waits already is that one."""
        self._expire()
        for other in [it for it in self._steps.values() if it.key == held.key]:
            if other.hash == held.hash and other.state in ("waiting", "running", "denied"):
                return other
            if other.state == "waiting":
                self.drop(other)  # asked for again on a page that is another by now
        if len(self.waiting()) >= MAX_WAITING:
            raise BrowseError(
                Code.NEEDS_CONFIRMATION,
                f"{MAX_WAITING} steps wait for a person already; this one was not added.",
                hint="ask the person to look: browse confirm --list",
            )
        held.id = secrets.token_hex(3)
        held.until = self._clock() + KEPT_S
        self._steps[held.id] = held
        for old in list(self._steps.values())[:-MAX_KEPT]:
            if old.state in ("done", "denied"):
                self.drop(old)
        return held

    def untold(self, key: tuple[Any, ...]) -> Held | None:
        """Find a step that was done and whose caller has not heard of it yet."""
        self._expire()
        return next((it for it in self._steps.values() if it.key == key and _untold(it)), None)

    def known(self, id: str) -> Held:
        """Find a step, whatever became of it."""
        self._expire()
        if held := self._steps.get(id):
            return held
        waiting = ", ".join(it.id for it in self.waiting())
        raise BrowseError(
            Code.STEP_UNKNOWN,
            f"No step {id[:12]!r} is known; a step is kept for {KEPT_S / 60:.0f} minutes.",
            hint=f"waiting: {waiting or 'none'}; the agent asks again by typing its command",
        )

    def find(self, id: str) -> Held:
        """Find a step that waits."""
        held = self.known(id)
        if held.state == "waiting":
            return held
        raise BrowseError(
            Code.STEP_UNKNOWN,
            f"Step {id} does not wait any more: it is {held.state}.",
            hint="browse confirm --list",
        )

    def end(self, held: Held, output: Outgoing | None, error: BrowseError | None) -> None:
        """Keep how a step ended, for whoever asked for it."""
        held.state, held.output, held.error = "done", output, error
        held.until = self._clock() + KEPT_S
        held.decided.set()
        if error and error.code is Code.STEP_CHANGED:
            self.drop(held)  # it can be asked for anew at once

    def deny(self, held: Held, reason: str) -> None:
        held.state, held.reason = "denied", reason
        held.until = self._clock() + KEPT_S
        held.decided.set()

    def drop(self, held: Held) -> None:
        self._steps.pop(held.id, None)
        held.decided.set()

    def clear(self, holder: str = "") -> None:
        """Forget all steps, or those of one caller."""
        for held in list(self._steps.values()):
            if holder in ("", held.call.caller.holder):
                self.drop(held)

    def _expire(self) -> None:
        now = self._clock()
        for held in [it for it in self._steps.values() if it.until <= now]:
            if held.state != "running":
                self.drop(held)


def _untold(held: Held) -> bool:
    return held.state == "done" and not held.told
