"""The journal of the steps in tabs: in memory, and in a file of this project.

Steps are separate for each tab and client. Commands do not wait for it: what a page looks
like after a step is read once the caller has the reply. It holds no secrets (`kept_words.py`).
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

import msgspec

from browse.auth.caller import Caller
from browse.browser.elements import fingerprints
from browse.browser.elements.fingerprints import ElementFingerprint
from browse.browser.page import shapes
from browse.browser.tabs.tab import Tab
from browse.core.clock import stamp
from browse.core.controls import encode_json
from browse.core.errors import BrowseError, Code
from browse.core.log_file import LogFile
from browse.core.scopes import Scope
from browse.core.tasks import spawn
from browse.core.text import well_formed
from browse.flow.kept_words import kept_words
from browse.flow.pages import MAX_HTML_CHARS, Pages
from browse.flow.result_shape import shape_of
from browse.flow.step_store import Key, StepStore
from browse.flow.steps import Mark, Step, Target
from browse.guard.secrets import redacted_url, scrubbed
from browse.registry.bind import Bound
from browse.registry.results import PageText, Result
from browse.registry.spec import Group

# How long after a reply the page is read; sooner if the next command begins.
LOOK_S = 0.02
LOOKING_S = 3.0
# In a chain the next command waits for this, so only shorter pages are kept.
MAX_HURRIED_CHARS = 100_000
EXTRACTING = (Group.READING, Group.INSPECTION)


class Look(Protocol):
    """Reads what a page looks like."""

    async def __call__(self, tab: Tab, /, *, most_html: int) -> shapes.Sketch: ...


class Visit(msgspec.Struct):
    """A command that runs in a tab: since when, how the page looked, what it found there."""

    tab: Tab
    key: Key
    turn: int
    before: Mark
    ts: str = msgspec.field(default_factory=stamp)
    began: float = msgspec.field(default_factory=time.monotonic)
    # The elements that the command found, by the word that it found them by.
    found: dict[str, ElementFingerprint] = msgspec.field(default_factory=dict)


class FinishedCommand(msgspec.Struct, frozen=True):
    """How a command ended: its words and result, or the code of its error."""

    bound: Bound
    result: Result | None
    error: str = ""
    typed_secret: bool = False

    @property
    def extracts(self) -> bool:
        return isinstance(self.result, PageText) and self.bound.spec.group in EXTRACTING

    @property
    def only_asks(self) -> bool:
        """Whether the page is as it was, unless it changed by itself: `wait` waits for that."""
        spec = self.bound.spec
        if self.bound.is_acting:
            return False
        return spec.scope is Scope.READ and spec.group is not Group.NAVIGATION


class FlowJournal:
    """Keeps steps; without a file to write them to, it keeps none."""

    def __init__(self, file: LogFile | None, look: Look = fingerprints.of_page) -> None:
        self._file = file
        self._ask = look
        self._run = stamp()
        self._store = StepStore()
        self._turns: dict[int, int] = {}
        self._pages = Pages()
        self._waiting: dict[int, tuple[asyncio.TimerHandle, _PendingReading]] = {}
        self._looking: set[asyncio.Task[None]] = set()

    def insist(self) -> None:
        """Raise if the journal is off."""
        if self._file is None:
            raise BrowseError(
                Code.JOURNAL,
                "What is done in tabs is not kept: BROWSE_JOURNAL is off.",
                hint="unset BROWSE_JOURNAL, `browse restart`, and go through the task again;"
                " `browse replay --file <path>` takes an older journal",
            )

    def steps(self, tab_id: int, client: str = "") -> list[Step]:
        """List the steps of a tab, oldest first: the owner's, or those of a client."""
        return self._store.steps((client, tab_id))

    def page_of(self, tab_id: int, number: int, client: str = "") -> str | None:
        """Return the HTML of the page that a step read; None when it is not kept (any more)."""
        return self._pages.get((client, tab_id), number)

    @asynccontextmanager
    async def visit(self, tab: Tab, caller: Caller) -> AsyncIterator[Visit | None]:
        """Follow a command that runs in a tab; yields None if its step is not kept (skills)."""
        if self._file is None or caller.is_program:
            yield None
            return
        if tab.id in self._waiting and not self._spared(tab.id):
            self._look_now(tab.id, MAX_HURRIED_CHARS)
            await asyncio.sleep(0)  # the question is sent before this command does anything
        turn = self._turns[tab.id] = self._turns.get(tab.id, 0) + 1
        key = client_of(caller), tab.id
        yield Visit(tab, key, turn, self._before(key, _address(tab)))

    def add(self, visit: Visit, done: FinishedCommand) -> None:
        """Keep the step of a command that has ended, and schedule reading the page."""
        if not visit.before.sketch:
            visit.before = self._before(visit.key, visit.before.url)  # it may be known by now
        step = _step(visit, done, self._store.number(visit.key), self._run)
        self._store.add(visit.key, step)
        markup = done.extracts and not done.error
        look = _PendingReading(visit, step, markup, only_asks=done.only_asks)
        if self._turns.get(visit.tab.id) != visit.turn or visit.tab.closed:
            self._write(step)  # the next command has changed the page already
            return
        # A new page is read right away: that loads our scripts, for the next command too.
        delay = 0 if done.bound.spec.group is Group.NAVIGATION else LOOK_S
        timer = asyncio.get_running_loop().call_later(delay, self._look_now, visit.tab.id)
        self._waiting[visit.tab.id] = timer, look

    def add_part(self, visit: Visit, done: FinishedCommand) -> None:
        """Keep a step of a command that stands for several; `add` keeps the last of them."""
        step = _step(visit, done, self._store.number(visit.key), self._run)
        self._store.add(visit.key, step)
        self._write(step)

    async def settled(self, tab_id: int) -> None:
        """Wait until the steps of a tab are complete, with how the page looked afterwards."""
        if tab_id in self._waiting:
            self._look_now(tab_id)
        await asyncio.gather(*self._looking, return_exceptions=True)

    async def close(self) -> None:
        """Write the steps that are still waiting."""
        for timer, look in self._waiting.values():
            timer.cancel()
            self._write(look.step)
        self._waiting.clear()
        for task in self._looking:
            task.cancel()
        await asyncio.gather(*self._looking, return_exceptions=True)
        if self._file:
            await self._file.close()

    def _before(self, key: Key, url: str) -> Mark:
        last = self._store.last(key)
        return last if last.url == url else Mark(url)

    def _spared(self, tab_id: int) -> bool:
        """Complete a step without a look at the page, if its command only asked for something.

        The next command of a chain would wait for the look, which finds what is known already.
        """
        timer, look = self._waiting[tab_id]
        before = look.visit.before
        known = before.sketch and before.url == look.step.after.url
        if look.markup or not look.only_asks or not known:
            return False
        timer.cancel()
        del self._waiting[tab_id]
        step = msgspec.structs.replace(look.step, after=before)
        self._store.complete(look.visit.key, step)
        self._write(step)
        return True

    def _look_now(self, tab_id: int, most: int = MAX_HTML_CHARS) -> None:
        timer, look = self._waiting.pop(tab_id)
        timer.cancel()
        task = spawn(self._look(look, most), name=f"tab {tab_id}: how it looks after a step")
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

    async def _look(self, look: "_PendingReading", most: int) -> None:
        tab, step = look.visit.tab, look.step
        try:
            async with asyncio.timeout(LOOKING_S):
                seen = await self._ask(tab, most_html=most if look.markup else 0)
                step = self._seen(look, seen)
                if seen.html:
                    await self._pages.add(look.visit.key, step.number, seen.html)
        except (BrowseError, TimeoutError):
            pass  # the tab was closed, or its page is busy: the step is kept without it
        finally:
            self._write(step)

    def _seen(self, look: "_PendingReading", seen: shapes.Sketch) -> Step:
        mark = Mark(_address(look.visit.tab), scrubbed(well_formed(seen.title)), seen.sketch)
        before = look.visit.before
        # Where nothing has changed, one copy of the sketch is enough.
        step = msgspec.structs.replace(look.step, after=before if before == mark else mark)
        self._store.complete(look.visit.key, step)
        return step

    def _write(self, step: Step) -> None:
        if self._file:
            self._file.add(encode_json(step).decode())


class _PendingReading(msgspec.Struct, frozen=True):
    """A pending reading of the page, for a step."""

    visit: Visit
    step: Step
    markup: bool
    only_asks: bool


def client_of(caller: Caller) -> str:
    """Return the client that a caller's steps belong to; "" for the owner and all their agents."""
    return caller.owner


def _address(tab: Tab) -> str:
    return redacted_url(well_formed(tab.url))


def _step(visit: Visit, done: FinishedCommand, number: int, run: str) -> Step:
    targets = _targets(done.bound, visit.found)
    # A command that failed may have been about to type into a secret field.
    hushed = done.typed_secret or bool(done.error)
    secret = hushed or any(target.secret for target in targets.values())
    return Step(
        number,
        visit.ts,
        visit.tab.id,
        done.bound.spec.command,
        client=visit.key[0],
        run=run,
        words=kept_words(done.bound, secret=secret),
        targets=targets,
        before=visit.before,
        after=Mark(_address(visit.tab)),
        shape=shape_of(done.bound, done.result),
        ms=round((time.monotonic() - visit.began) * 1000),
        error=done.error,
    )


def _targets(bound: Bound, elements: dict[str, ElementFingerprint]) -> dict[str, Target]:
    """Map each parameter to the element found for it; a word that occurs twice means the first."""
    found: dict[str, Target] = {}
    seen: set[str] = set()
    for arg, word, _ in bound.given:
        it = elements.get(word)
        if it and word not in seen:
            seen.add(word)
            css = it.css if scrubbed(it.css) == it.css else ""
            found[arg.name] = Target(
                scrubbed(word), it.role, scrubbed(it.name), it.tag, css, it.frame, it.secret
            )
    return found
