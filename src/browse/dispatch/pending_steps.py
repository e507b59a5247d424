"""The steps that wait for a person, and the outcome of recent ones."""

import asyncio
import secrets
import time
from collections.abc import Callable
from typing import Any, Literal

import msgspec

from browse.core.errors import BrowseError, Code
from browse.dispatch.call import Call
from browse.egress.pipeline import Outgoing

KEPT_S = 600.0
MAX_WAITING = 20
MAX_KEPT = 100
CODE_CHARS = 4
FORMATS = ("--json", "--raw")


class PendingStep(msgspec.Struct):
    """One step: the exact call, what it would act on, and its outcome.

    `line` and `host` are our words, safe for a log; `page` has words of the page and of the caller.
    `hash` covers all of it.
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
    reported: bool = False
    decided: asyncio.Event = msgspec.field(default_factory=asyncio.Event)

    @property
    def key(self) -> tuple[Any, ...]:
        """What makes two calls the same, even if the page has changed."""
        call = self.call
        return call.caller.holder, call.session, call.tab_id, self.words, call.stdin

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the call, without the flags that only format the reply."""
        return tuple(word for word in self.call.words if word not in FORMATS)

    @property
    def code(self) -> str:
        """The code that the person types after reading the step."""
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


class PendingSteps:
    """Keeps each step, and then its outcome, for ten minutes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._steps: dict[str, PendingStep] = {}

    def waiting(self) -> list[PendingStep]:
        self._expire()
        return [held for held in self._steps.values() if held.state == "waiting"]

    def add(self, held: PendingStep) -> PendingStep:
        """Add a step; return the existing one if the same step waits already."""
        self._expire()
        for other in [it for it in self._steps.values() if it.key == held.key]:
            if other.hash == held.hash and other.state in ("waiting", "running", "denied"):
                return other
            if other.state == "waiting":
                self.drop(other)  # the same call again, but the page has changed
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

    def unreported(self, key: tuple[Any, ...]) -> PendingStep | None:
        """Return a finished step whose caller has not got its reply yet."""
        self._expire()
        return next(
            (it for it in self._steps.values() if it.key == key and _is_unreported(it)), None
        )

    def find_any(self, id: str) -> PendingStep:
        """Return a step in any state."""
        self._expire()
        if held := self._steps.get(id):
            return held
        waiting = ", ".join(it.id for it in self.waiting())
        raise BrowseError(
            Code.STEP_UNKNOWN,
            f"No step {id[:12]!r} is known; a step is kept for {KEPT_S / 60:.0f} minutes.",
            hint=f"waiting: {waiting or 'none'}; the agent asks again by typing its command",
        )

    def find(self, id: str) -> PendingStep:
        """Return a step that waits."""
        held = self.find_any(id)
        if held.state == "waiting":
            return held
        raise BrowseError(
            Code.STEP_UNKNOWN,
            f"Step {id} does not wait any more: it is {held.state}.",
            hint="browse confirm --list",
        )

    def end(self, held: PendingStep, output: Outgoing | None, error: BrowseError | None) -> None:
        """Record the outcome of a step, for its caller."""
        held.state, held.output, held.error = "done", output, error
        held.until = self._clock() + KEPT_S
        held.decided.set()
        if error and error.code is Code.STEP_CHANGED:
            self.drop(held)  # the caller can ask again at once

    def deny(self, held: PendingStep, reason: str) -> None:
        held.state, held.reason = "denied", reason
        held.until = self._clock() + KEPT_S
        held.decided.set()

    def drop(self, held: PendingStep) -> None:
        self._steps.pop(held.id, None)
        held.decided.set()

    def clear(self, holder: str = "") -> None:
        """Drop all steps, or those of one caller."""
        for held in list(self._steps.values()):
            if holder in ("", held.call.caller.holder):
                self.drop(held)

    def _expire(self) -> None:
        now = self._clock()
        for held in [it for it in self._steps.values() if it.until <= now]:
            if held.state != "running":
                self.drop(held)


def _is_unreported(held: PendingStep) -> bool:
    return held.state == "done" and not held.reported
