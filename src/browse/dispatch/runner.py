"""Runs a call: find, bind, gates, lane, handler, egress. Every way to end passes here."""

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import Protocol

from browse.auth.caller import ROOT
from browse.browser.session import Session
from browse.browser.tab import Tab
from browse.browser.tabs import Tabs
from browse.core.errors import BrowseError, Code, Usage
from browse.core.paths import temp_folder
from browse.core.settings import Settings
from browse.dispatch.acting import act
from browse.dispatch.audit import Row, recorded
from browse.dispatch.call import Call
from browse.dispatch.context import Ctx, Life, Step
from browse.dispatch.gates import GATES
from browse.egress.pipeline import Outgoing, Wants, joined, render, render_error
from browse.guard.files import Roots
from browse.registry.bind import Bound, bind
from browse.registry.params import Surroundings
from browse.registry.results import Result
from browse.registry.spec import Lane
from browse.registry.table import Table

log = logging.getLogger(__name__)


class Sink(Protocol):
    """Where a command's output goes as it comes."""

    async def out(self, words: Outgoing) -> None: ...

    async def err(self, words: Outgoing) -> None: ...


class Kept:
    """A sink that keeps what it gets, for replies that are sent in one piece."""

    def __init__(self) -> None:
        self.output: list[Outgoing] = []
        self.errors: list[Outgoing] = []

    async def out(self, words: Outgoing) -> None:
        self.output.append(words)

    async def err(self, words: Outgoing) -> None:
        self.errors.append(words)


class Runner:
    """The one way to run a command."""

    def __init__(
        self,
        table: Table,
        settings: Settings,
        session: Session,
        life: Life,
        *,
        project: str,
        audit: Callable[[str], None],
    ) -> None:
        self.table = table
        self._settings = settings
        self._session = session
        self._life = life
        self._project = project
        self._audit = audit

    async def run(self, call: Call, sink: Sink) -> BrowseError | None:
        """Run a call to its end; the error, if any, has been sent to the sink already."""
        with recorded(call, self._audit) as row:
            row.error = await self._run(call, sink, row)
            return row.error

    async def _run(self, call: Call, sink: Sink, row: Row) -> BrowseError | None:
        wants = Wants(json="--json" in call.words)
        try:
            bound = row.bound = self._bind(call)
            call = _aimed(call, bound)
            wants = self._wants(bound, call)
            result = await self._perform(bound, call, sink, wants, row)
        except BrowseError as exc:
            error = await self._session.account_for(exc)
            await sink.err(render_error(error, wants))
            return error
        except Exception:  # the one place where a defect becomes a message
            error = _defect()
            log.exception("%s in %r", error.message, call.words[:1])
            await sink.err(render_error(error, wants))
            return error
        await sink.out(render(result, wants))
        return None

    @property
    def ending(self) -> bool:
        """Tell whether the daemon is on its way out and takes no more commands."""
        return self._life.ending

    def farewell(self) -> BrowseError:
        """Say why the daemon ends, to a command that is cut off by it."""
        return self._session.farewell()

    def _bind(self, call: Call) -> Bound:
        if not call.words:
            raise Usage("no command was given", hint="run `browse help` for the list")
        spec, rest = self.table.split(call.words)
        if spec.name in call.within:
            raise Usage(
                f"'{spec.name}' cannot run inside itself", hint="list the commands themselves"
            )
        bound = bind(spec, rest, self._surroundings(call))
        for gate in GATES:
            gate(bound, call.caller)
        return bound

    def _surroundings(self, call: Call) -> Surroundings:
        return Surroundings(call.cwd, Roots.of(str(temp_folder()), self._project))

    def _wants(self, bound: Bound, call: Call) -> Wants:
        limit = bound.values["max_chars"]
        return Wants(
            bound.wants_json,
            self._settings.max_chars if limit is None else limit,
            bound.values["after"],
            marked=call.caller.name != ROOT.name,
        )

    async def _perform(
        self, bound: Bound, call: Call, sink: Sink, wants: Wants, row: Row
    ) -> Result:
        async def emit(result: Result) -> None:
            await sink.out(render(result, wants))

        row.ctx = ctx = Ctx(
            call, self._settings, self._session, self._life, bound.wants_json, emit, self._step
        )
        ctx.anyway = bool(bound.values.get("anyway"))
        if bound.lane is not Lane.FREE:
            await self._session.tabs()  # a cold start has a limit of its own
        limit = bound.deadline_s()
        try:
            async with asyncio.timeout(limit) as clock:
                await bound.admit(self._surroundings(call))
                async with self._lane(bound, call, ctx):
                    positional, named = bound.call()
                    run = partial(bound.spec.handler, ctx, *positional, **named)
                    return await (act(ctx, run, bound.values) if bound.spec.acts else run())
        except TimeoutError as exc:
            if not clock.expired():
                raise  # somebody else's clock, which somebody forgot to handle
            raise _too_slow(bound, limit, ctx) from exc

    @asynccontextmanager
    async def _lane(self, bound: Bound, call: Call, ctx: Ctx) -> AsyncIterator[None]:
        if bound.lane is Lane.FREE:
            yield
            return
        tabs = await self._session.tabs()
        if bound.lane is Lane.BROWSER:
            async with tabs.lock.alone():
                yield
            return
        tab = await self._tab(tabs, call)
        ctx.queued_for = tab
        async with tabs.lock.shared(), _held(tab, bound.spec.name):
            ctx.queued_for, ctx.held = None, tab
            yield

    async def _tab(self, tabs: Tabs, call: Call) -> Tab:
        if call.tab_id is None:
            return await tabs.current(call.caller.name)
        return tabs.find(call.tab_id)

    async def tab_of(self, call: Call) -> int:
        """Tell on which tab a call will act; 0 when it cannot be said (it fails by itself)."""
        try:
            call = _aimed(call, self._bind(call))
            tab = await self._tab(await self._session.tabs(), call)
        except BrowseError:
            return 0
        return tab.id

    async def _step(self, call: Call) -> Step:
        """Run an inner command and keep its output."""
        kept = Kept()
        error = await self.run(call, kept)
        return Step(joined(kept.errors or kept.output), error)


@asynccontextmanager
async def _held(tab: Tab, command: str) -> AsyncIterator[None]:
    """Hold a tab's lock for a command; if that is cut off, free the tab for the next one."""
    async with tab.lock.hold(command):
        try:
            yield
        except asyncio.CancelledError:
            await tab.unstick()
            raise


def _aimed(call: Call, bound: Bound) -> Call:
    """Let `--tab-id` win over the tab that came with the call.

    Commands without a tab of their own (`closetab`, `chain`) find it there.
    """
    flag = bound.values["tab_id"]
    return call if flag is None else replace(call, tab_id=flag)


def _too_slow(bound: Bound, limit: float | None, ctx: Ctx) -> BrowseError:
    queued = ctx.queued_for
    if queued and (holder := queued.lock.holder()):
        return BrowseError(
            Code.TAB_BUSY,
            f"Tab {queued.id} is busy with {holder}; '{bound.spec.name}' did not run.",
            hint="wait for it, use another tab (`browse newtab`), or end it with `browse closetab`",
        )
    return BrowseError(
        Code.TIMEOUT,
        f"'{bound.spec.name}' did not finish within {limit:.0f} s and was ended.",
        hint="the page may be stuck: `browse reload`, or `browse tabs` for another tab",
    )


def _defect() -> BrowseError:
    incident = secrets.token_hex(4)
    return BrowseError(
        Code.INTERNAL,
        f"Something in browse itself failed (incident {incident}).",
        hint=f"the details are in browse-daemon.log under {incident}; please report them",
    )
