"""Automation: while it is on, a step that changes something waits for a person's confirmation.

A pending step has not run. Confirming runs exactly that step, if the page and the element are still
the same. The mode is stored in a file, so that a restart does not end it. The PIN is kept in memory
only: from any hash of it in a file, four digits would be guessed in minutes.
"""

import asyncio
import hashlib
import hmac
import json
import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec.structs import replace

from browse.browser.elements import confirm_target
from browse.browser.tabs.tab import Tab
from browse.core.clock import stamp
from browse.core.errors import BrowseError, Code, Usage
from browse.core.files import private_folder, write_private
from browse.core.text import well_formed
from browse.dispatch.activity import Activity
from browse.dispatch.call import Call
from browse.dispatch.pending_steps import PendingStep, PendingSteps
from browse.guard.files import ReadPath
from browse.guard.hosts import host_of
from browse.guard.secrets import MASK, hidden
from browse.registry.bind import Bound
from browse.registry.params import SECRET, Selector
from browse.registry.results import Relayed, inline_url

log = logging.getLogger(__name__)
SELECTOR = get_args(Selector)[1]
MAX_LINE_CHARS = 200
MAX_SHOWN_CHARS = 2_000
MIN_PIN_CHARS = 4
MAX_PIN_CHARS = 128
MAX_WRONG = 5
LOCKED_S = 600.0


class Mode(msgspec.Struct, frozen=True):
    """Automation is on: since when, and whether with a PIN."""

    since: str
    pin: bool = False


class Automation:
    """Holds steps until a person confirms them."""

    def __init__(
        self,
        file: Path,
        activity: Activity,
        *,
        codified: Callable[[Bound], bool] = lambda _: False,
        look: confirm_target.IdentifyTargets = confirm_target.identify_targets,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.steps = PendingSteps(clock)
        self.mode: Mode | None = None
        self._pin = ""
        self._file = file
        self._activity = activity
        self._codified = codified
        self._look = look
        self._clock = clock
        self._wrong = 0
        self._locked_until = 0.0

    def load(self) -> None:
        """Read the mode that the last daemon of this project stored."""
        try:
            self.mode = msgspec.json.decode(self._file.read_bytes(), type=Mode)
        except FileNotFoundError:
            return
        except (OSError, msgspec.DecodeError) as exc:
            log.warning("%s cannot be read, so automation is taken to be on: %s", self._file, exc)
            self.mode = Mode(stamp())

    async def begin(self, pin: str = "") -> bool:
        """Turn automation on, or set a PIN; return whether that changed anything."""
        if pin and not MIN_PIN_CHARS <= len(pin) <= MAX_PIN_CHARS:
            raise Usage(
                f"a PIN has {MIN_PIN_CHARS} to {MAX_PIN_CHARS} characters", hint="choose another"
            )
        if self._pin and pin:
            raise Usage(
                "automation is on with a PIN already", hint="browse automate end, and begin anew"
            )
        if self.mode and not pin:
            return False
        since = self.mode.since if self.mode else stamp()
        mode = Mode(since, bool(pin))
        await asyncio.to_thread(_write, self._file, mode)
        self.mode, self._pin = mode, pin
        return True

    async def end(self) -> bool:
        """Turn automation off and drop the pending steps; return whether it was on."""
        was, self.mode, self._pin = self.mode is not None, None, ""
        await asyncio.to_thread(self._file.unlink, missing_ok=True)
        self.steps.clear()
        return was

    async def check(self, bound: Bound, call: Call, tab: Tab | None) -> Relayed | None:
        """Pass or hold a command, or return the reply of the step that was confirmed meanwhile.

        Commands inside a confirmed step pass, and so do the commands of a skill: its whole run was
        the step. The run of a codified skill passes: the owner approved what it does.
        """
        if self.mode is None or not bound.mutates or call.caller.is_program:
            return None
        if await asyncio.to_thread(self._codified, bound):
            return None
        if call.confirmed and call.within != self.steps.find_any(call.confirmed).call.within:
            return None
        if tab:
            call = replace(call, tab_id=tab.id)
        asked = PendingStep(call, _line(bound), "", "", "")
        if not call.confirmed and (done := self.steps.unreported(asked.key)):
            return outcome(done)
        await self._describe(asked, bound, tab)
        if call.confirmed:
            if asked.hash != self.steps.find_any(call.confirmed).hash:
                raise _changed(call.confirmed)
            return None
        held = self.steps.add(asked)
        if held is asked:
            self._publish(held, "asked")
        raise denied(held) if held.state == "denied" else needs_confirmation(held)

    async def _describe(self, held: PendingStep, bound: Bound, tab: Tab | None) -> None:
        targets = [str(value) for param, value in bound.pending if param is SELECTOR]
        anyway = bool(bound.values.get("anyway"))
        seen = (
            await self._look(tab, targets, anyway=anyway, keys=bound.spec.acts)
            if tab
            else confirm_target.ActionTargets("")
        )
        lines = [*seen.lines(), *_given(bound, held.call, secret=seen.secret)]
        held.host = inline_url(_host(seen.url), 100)
        held.page = "\n".join(lines)
        exact: list[Any] = [held.words, held.call.session, held.call.tab_id, seen]
        exact.append(hashlib.sha256(held.call.stdin).hexdigest())
        exact.append(await asyncio.to_thread(_digests, bound))
        held.hash = hashlib.sha256(msgspec.json.encode(exact)).hexdigest()[:16]

    @property
    def lost_its_pin(self) -> bool:
        """Whether the daemon that knew the PIN has ended."""
        return self.mode is not None and self.mode.pin and not self._pin

    def check_pin_known(self) -> None:
        """Raise if no answer can be right, because the PIN is not known any more."""
        if self.lost_its_pin:
            raise BrowseError(
                Code.NOT_CONFIRMED,
                "The PIN is not known any more: it ended with the daemon that it was told to.",
                hint="the person chooses a new one, in a terminal of their own: "
                "browse automate begin --pin",
            )

    def check_code(self, held: PendingStep, typed: bytes) -> None:
        """Raise unless the person typed the PIN, or the code shown for the step."""
        self.check_pin_known()
        word = typed.decode("utf-8", "replace").strip()
        if not word:
            raise BrowseError(
                Code.NOT_CONFIRMED,
                f"Only a person at a terminal can confirm step {held.id}.",
                hint=f"the person types `browse confirm {held.id}` in a terminal of their own",
            )
        if (left := self._locked_until - self._clock()) > 0:
            raise BrowseError(
                Code.NOT_CONFIRMED,
                f"Wrong words were typed {MAX_WRONG} times; nothing is confirmed for {left:.0f} s.",
                hint=f"wait, or drop the step: browse deny {held.id}",
            )
        wanted, word = (self._pin, word) if self._pin else (held.code, word.lower())
        if hmac.compare_digest(word.encode(), wanted.encode()):
            self._wrong = 0
            return
        self._wrong += 1
        if self._wrong >= MAX_WRONG:
            self._wrong, self._locked_until = 0, self._clock() + LOCKED_S
        raise BrowseError(
            Code.NOT_CONFIRMED,
            f"That is not {'the PIN' if self._pin else 'what was asked for'}. Nothing was done.",
            hint=f"try again: browse confirm {held.id}",
        )

    def publish_decision(self, held: PendingStep) -> None:
        """Publish how a step was decided."""
        self._publish(held, "denied" if held.state == "denied" else "confirmed")

    def _publish(self, held: PendingStep, state: str) -> None:
        words = ascii(held.title)[1:-1]
        self._activity.publish(
            "step", held.call.caller.holder, step=held.id, state=state, words=words
        )


def outcome(held: PendingStep) -> Relayed:
    """Return the reply of a finished step, once, or raise its error."""
    held.reported = True
    if held.error:
        raise held.error
    said = held.output
    if said is None:
        raise BrowseError(
            Code.STEP_UNKNOWN,
            f"Step {held.id} does not wait any more, and was not done.",
            hint="look at the page with `browse snapshot -i`, then ask for it again",
        )
    note = f"[step {held.id} was confirmed and done; this is its reply, nothing was done now]"
    return Relayed(f"{note}\n{said.text}", {**said.data, "confirmed": held.id})


def needs_confirmation(held: PendingStep) -> BrowseError:
    """Build the error for a step that waits, with what the person and the caller do now."""
    return BrowseError(
        Code.NEEDS_CONFIRMATION,
        f"Step {held.id} waits for a person and has not run: {held.title} (hash {held.hash}).",
        hint=f"ask the person to type, in a terminal of their own: browse confirm {held.id} "
        f"(or browse deny {held.id}); then type the same command again for its reply",
        page=held.page,
        facts=held.facts(),
    )


def denied(held: PendingStep) -> BrowseError:
    """Build the error for a step that a person denied."""
    why = f" They say: {held.reason}" if held.reason else ""
    return BrowseError(
        Code.DENIED,
        f"A person denied step {held.id}: {held.title}.{why}",
        hint="do not try to get the same done in another way; ask the person what they want",
        facts=held.facts() | {"reason": held.reason},
    )


def cut_off(held: PendingStep) -> BrowseError:
    """Build the error for a step that may have been done or not."""
    return BrowseError(
        Code.STEP_UNKNOWN,
        f"The command that confirmed step {held.id} was cut off while the step ran.",
        hint="it may have been done: look at the page with `browse snapshot -i`",
    )


def _changed(id: str) -> BrowseError:
    return BrowseError(
        Code.STEP_CHANGED,
        f"The page has changed since step {id} was asked for. Nothing was done.",
        hint="look again with `browse snapshot -i`, and ask for the step anew",
    )


def _line(bound: Bound) -> str:
    noted = [word for word in bound.noted if word != "--json"]
    words = " ".join([bound.spec.command, *noted])
    cut = words if len(words) <= MAX_LINE_CHARS else words[:MAX_LINE_CHARS] + "…"
    return "".join(char if char.isprintable() else "?" for char in well_formed(cut))


def _host(url: str) -> str:
    scheme, colon, _ = url.partition(":")
    return host_of(url) or scheme + colon


def _given(bound: Bound, call: Call, *, secret: bool) -> list[str]:
    """Return the words that the line leaves out, except those for secret fields and cookies."""
    shown = []
    for arg, word, value in bound.given:
        noted = arg.param.noted(word)
        if isinstance(value, ReadPath):
            shown.append(f"file: {value.typed}")
        elif not isinstance(value, str | dict):
            continue
        elif (arg.param is SECRET and not bound.spec.acts) or (secret and noted == MASK):
            shown.append(f"value: {hidden(word)}")
        elif noted != word or len(word) > 80:
            shown.append(f"value: {json.dumps(word, ensure_ascii=False)[:MAX_SHOWN_CHARS]}")
    if call.stdin and bound.spec.reads_stdin:
        shown.append("stdin: " + call.stdin.decode("utf-8", "replace")[:MAX_SHOWN_CHARS])
    return shown


def _digests(bound: Bound) -> list[str]:
    """Return digests of the files that the words name."""
    found = []
    for _, value in bound.pending:
        if isinstance(value, ReadPath):
            with value.open() as file:
                found.append(hashlib.file_digest(file, "sha256").hexdigest())
    return found


def _write(path: Path, mode: Mode) -> None:
    private_folder(path.parent)
    write_private(path, msgspec.json.encode(mode))
