"""Runs a call: find, bind, gates, lane, handler, egress. Every way to end passes here."""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from traceback import format_exc
from typing import Protocol

from browse.browser.tabs import lost_frames
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs, not_yours, refuse_if_held
from browse.core.errors import BrowseError, Code, Usage
from browse.core.paths import temp_folder
from browse.core.scopes import Scope, Surface
from browse.core.tasks import spawn
from browse.dispatch.acting import act
from browse.dispatch.audit import Row, recorded, untyped
from browse.dispatch.call import Call
from browse.dispatch.context import Ctx, Parts, Step
from browse.dispatch.gates import GATES
from browse.dispatch.outputs import Outputs
from browse.egress.pipeline import Outgoing, Wants, joined, render, render_error
from browse.flow.journal import Done
from browse.guard.files import Roots, WritePath
from browse.registry.bind import Bound, bind
from browse.registry.params import SESSION, Surroundings
from browse.registry.results import Result, Text
from browse.registry.spec import Lane
from browse.registry.table import Table

log = logging.getLogger(__name__)
STATE_FOLDER = ".gstack"
# Refusals that come before a handler could count them.
COUNTED = {Code.METHOD_REFUSED: "cdp_method_denied"}


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

    def __init__(self, table: Table, parts: Parts) -> None:
        self.table = table
        self.parts = parts
        self.outputs = Outputs()
        self._session = parts.session

    async def run(self, call: Call, sink: Sink) -> BrowseError | None:
        """Run a call to its end; the error, if any, has been sent to the sink already."""
        with recorded(call, self.parts.audit, self.parts.activity) as row:
            row.error = await self._run(call, sink, row)
            self._remember(row)
            return row.error

    async def _run(self, call: Call, sink: Sink, row: Row) -> BrowseError | None:
        wants = Wants(json="--json" in call.words)
        try:
            bound = self._bind(call)
            await self.parts.leaks.check(call, bound)
            row.begin(bound)
            call = _aimed(call, bound)
            wants = self._wants(bound, call)
            row.result = result = await self._perform(bound, call, sink, wants, row)
            result = await self.parts.screen.pass_on(result)
        except BrowseError as exc:
            if event := COUNTED.get(exc.code):
                self.parts.telemetry.add(event)
            error = await self._session.account_for(await _seen_from_here(exc, row))
            await sink.err(render_error(error, wants))
            return error
        except Exception:  # the one place where a defect becomes a message
            error = _defect()
            log.error("%s in %r\n%s", error.message, call.words[:1], untyped(format_exc(), row))
            await sink.err(render_error(error, wants))
            return error
        self.outputs.add(call.caller.name, _written(bound, row))
        await sink.out(render(result, wants))
        return None

    def _remember(self, row: Row) -> None:
        """Keep what was done in a tab, now that the caller has the reply."""
        if row.bound and row.ctx and row.ctx.visit:
            failed = row.error.code.value if row.error else ""
            done = Done(row.bound, row.result, failed, row.ctx.typed_secret)
            self.parts.journal.add(row.ctx.visit, done)

    @property
    def ending(self) -> bool:
        """Tell whether the daemon is on its way out and takes no more commands."""
        return self.parts.life.ending

    def notice_an_end(self) -> None:
        """See whether the browser has ended, though nobody has told us yet."""
        self._session.notice_an_end()

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
        around = self._surroundings(call)
        bound = bind(spec, rest, around)
        if call.session and not bound.values["session"]:
            bound.values["session"] = SESSION.parse(call.session, around)
        for gate in GATES:
            gate(bound, call.caller)
        return bound

    def _surroundings(self, call: Call) -> Surroundings:
        sites = self._session.sites
        if call.caller.surface is not Surface.LOCAL:
            return Surroundings("/", Roots(()), sites=sites, remote=True)
        usual = (str(temp_folder()), self.parts.project)
        mine = usual if call.caller.folders is None else call.caller.folders
        # Where the state files are, with the owner's token in one of them.
        closed = (STATE_FOLDER,) if call.caller.reads_as_agent else ()
        return Surroundings(call.cwd, replace(Roots.of(*mine), closed=closed), sites=sites)

    def _wants(self, bound: Bound, call: Call) -> Wants:
        limit = bound.values["max_chars"]
        return Wants(
            bound.wants_json,
            self.parts.settings.max_chars if limit is None else limit,
            bound.values["after"],
            marked=call.caller.reads_as_agent,
            reveal=bound.values["reveal"],
        )

    async def _perform(
        self, bound: Bound, call: Call, sink: Sink, wants: Wants, row: Row
    ) -> Result:
        async def emit(result: Result) -> None:
            await sink.out(render(await self.parts.screen.pass_on(result), wants))

        async def note(words: Text) -> None:
            await sink.err(render(words, Wants()))

        row.ctx = ctx = Ctx(call, self.parts, bound.wants_json, emit, note, self._step)
        ctx.anyway = bool(bound.values.get("anyway"))
        ctx.reveal = bound.values["reveal"]
        if bound.lane is not Lane.FREE:
            await self._session.tabs(call.session)  # a cold start has a limit of its own
        limit = bound.deadline_s()
        try:
            async with asyncio.timeout(limit) as clock:
                await bound.admit(self._surroundings(call))
                await self._check_named_tabs(bound, call)
                async with self._lane(bound, call, ctx):
                    if done := await self.parts.automation.check(bound, call, ctx.held):
                        ctx.visit = None  # nothing was done now
                        return done
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
        tabs = await self._session.tabs(call.session)
        begun = time.monotonic()
        if bound.lane is Lane.BROWSER:
            async with tabs.lock.alone():
                ctx.queued_s = time.monotonic() - begun
                yield
            return
        tab = await self._tab(tabs, call)
        if not call.caller.may_use(tab.owner):
            raise not_yours()
        ctx.queued_for = tab
        async with tabs.lock.shared(), _held(tab, bound.spec.name):
            if not call.caller.may_use(tab.owner):
                raise not_yours()  # it changed hands while the command waited
            ctx.queued_for, ctx.held, ctx.inside = None, tab, tab.chosen
            ctx.queued_s = time.monotonic() - begun
            async with self.parts.journal.visit(tab, call.caller) as ctx.visit:
                yield

    async def _check_named_tabs(self, bound: Bound, call: Call) -> None:
        """Refuse a tab that the words name and that is not the caller's to use."""
        ids = bound.tab_ids if call.tab_id is None else [*bound.tab_ids, call.tab_id]
        writes = Scope.WRITE in bound.scopes
        if not ids or (call.caller.is_owner and not writes):
            return
        tabs = await self._session.tabs(call.session)
        for tab in tabs.all():  # an unknown one is for the command to complain about
            if tab.id in ids and not call.caller.may_use(tab.owner):
                raise not_yours()
            if tab.id in ids and writes and call.caller.is_owner:
                refuse_if_held(tabs, tab.id, call.caller)

    async def _tab(self, tabs: Tabs, call: Call) -> Tab:
        if call.tab_id is None:
            return await tabs.current(call.caller)
        return tabs.find(call.tab_id)

    async def tab_of(self, call: Call) -> int:
        """Tell on which tab a call will act; 0 when it cannot be said (it fails by itself)."""
        try:
            call = _aimed(call, self._bind(call))
            tab = await self._tab(await self._session.tabs(call.session), call)
        except BrowseError:
            return 0
        return tab.id

    async def _step(self, call: Call) -> Step:
        """Run an inner command and keep its output."""
        kept = Kept()
        error = await self.run(call, kept)
        return Step(joined(kept.errors if error else kept.output), error)


@asynccontextmanager
async def _held(tab: Tab, command: str) -> AsyncIterator[None]:
    """Hold a tab's lock for a command; if that is cut off, free the tab for the next one."""
    async with tab.lock.hold(command):
        try:
            yield
        except asyncio.CancelledError:
            # In a task of its own: in one that was cancelled, time limits of Python 3.11.2 fail.
            await spawn(tab.unstick(), name=f"tab {tab.id}: free it")
            raise


def _aimed(call: Call, bound: Bound) -> Call:
    """Let `--tab-id` and `--session` win over what came with the call.

    Commands without a tab of their own (`closetab`, `chain`) find it there.
    """
    flag = bound.values["tab_id"]
    session = bound.values["session"] or ""
    return replace(call, tab_id=call.tab_id if flag is None else flag, session=session)


def _written(bound: Bound, row: Row) -> list[str]:
    """List the files that a command was to write: those named, and those in default places."""
    named = [value.real for _, value in bound.pending if isinstance(value, WritePath)]
    return [*named, *(path.real for path in row.ctx.placed)] if row.ctx else named


async def _seen_from_here(error: BrowseError, row: Row) -> BrowseError:
    """Tell a frame that went while the command ran from its whole tab: the driver does not."""
    if row.ctx is None or row.ctx.held is None:
        return error
    return await lost_frames.seen(error, row.ctx.held, row.ctx.inside)


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
