"""Run a call: find, bind, gates, lane, handler, egress. Every call ends here."""

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from traceback import format_exc
from typing import Protocol

from msgspec.structs import replace

from browse.browser.tabs import lost_frames
from browse.browser.tabs.not_yours import not_yours, refuse_if_held, refuse_internal
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import Scope, Surface
from browse.core.tasks import spawn
from browse.dispatch.acting import act
from browse.dispatch.audit import AuditRow, recorded, untyped
from browse.dispatch.call import Call
from browse.dispatch.context import Ctx, InnerResult
from browse.dispatch.gates import GATES
from browse.dispatch.known_address import remember_shown, url_if_known
from browse.dispatch.parts import Parts
from browse.dispatch.shown_refs import shown_refs
from browse.egress.pipeline import Outgoing, Wants, joined, render, render_error, render_notes
from browse.flow.journal import FinishedCommand
from browse.guard.files import Roots
from browse.notes.host import page_host
from browse.registry.bind import Bound, bind
from browse.registry.params import SESSION, Surroundings
from browse.registry.results import Result, SkillOutput, Text
from browse.registry.spec import Lane
from browse.registry.table import CommandTable
from browse.registry.table_on_use import TableOnUse
from browse.view.failure_streaks import FailureStreaks
from browse.view.held_tabs import HeldTabs

log = logging.getLogger(__name__)
# Refusals that occur before the handler, so they are counted here, with the facts of the error.
COUNTED = {Code.METHOD_REFUSED: "cdp_method_denied"}


class Sink(Protocol):
    """Receives the output of a command while it runs."""

    async def out(self, words: Outgoing) -> None: ...

    async def err(self, words: Outgoing) -> None: ...


class KeptOutput:
    """A sink that collects the output, for replies that are sent in one piece."""

    def __init__(self) -> None:
        self.output: list[Outgoing] = []
        self.errors: list[Outgoing] = []

    async def out(self, words: Outgoing) -> None:
        self.output.append(words)

    async def err(self, words: Outgoing) -> None:
        self.errors.append(words)


class Runner:
    """Runs commands; there is no other way to run one."""

    def __init__(self, table: CommandTable | TableOnUse, parts: Parts) -> None:
        self.table = table
        self.parts = parts
        self._browser = parts.browser
        self._streaks = FailureStreaks()
        self._held_tabs = HeldTabs(parts.holds, parts.browser)

    async def run(self, call: Call, sink: Sink) -> BrowseError | None:
        """Run a call to its end; the error, if any, has been sent to the sink already."""
        with recorded(call, self.parts.audit, self.parts.activity) as row:
            row.error = await self._run(call, sink, row)
            self.parts.screening.note_command(call, row.error)
            if row.bound and row.error is None:
                self._streaks.note(call.caller, row.bound, None)
            self._remember(row)
            return row.error

    async def _run(self, call: Call, sink: Sink, row: AuditRow) -> BrowseError | None:
        wants = Wants(json="--json" in call.words, long=self._long(call))
        try:
            bound = self._bind(call)
            await self.parts.canary_guard.check(call, bound)
            row.begin(bound)
            call = _aimed(call, bound)
            wants = self._wants(bound, call)
            row.result = result = await self._perform(bound, call, sink, wants, row)
            warned = row.ctx.warned_lines if row.ctx else set
            result = await self.parts.screening.pass_on(result, warned)
        except BrowseError as exc:
            if event := COUNTED.get(exc.code):
                self.parts.telemetry.add(event, **exc.facts)
            error = await self._explained(exc, row)
            await sink.err(render_error(error, wants))
            return error
        except Exception:  # the only place where a defect becomes a message
            error = _defect()
            log.error("%s in %r\n%s", error.message, call.words[:1], untyped(format_exc(), row))
            await sink.err(render_error(error, wants))
            return error
        if isinstance(result, SkillOutput) and result.warning and not wants.json:
            await sink.err(render(Text(result.warning), Wants()))
        if notes := render_notes(result, wants):
            await sink.err(notes)
        reply = self._rendered(result, wants, call, row.ctx)
        if row.ctx and row.ctx.held and row.ctx.taken.refs:
            row.ctx.held.refs.seen_by(call.caller.holder, row.ctx.taken, shown_refs(reply))
        await sink.out(reply)
        if not wants.json and (nudge := await self._nudge(call, row.ctx)):
            await sink.err(render(Text(f"({nudge})"), Wants()))
        return None

    async def _explained(self, exc: BrowseError, row: AuditRow) -> BrowseError:
        """Return the error as the caller gets it: of what was lost, and how often in a row."""
        error = await self._browser.explain_closed_tab(await _seen_from_here(exc, row))
        if row.bound and row.ctx:
            self._streaks.note(row.call.caller, row.bound, error)
        return error

    async def _nudge(self, call: Call, ctx: Ctx | None) -> str:
        """Suggest a skill for what an agent of the owner does on a host again and again."""
        if call.within or not ctx or not ctx.held or not call.caller.is_owner:
            return ""
        return await self.parts.prompts.count(page_host(ctx.held.url))

    def _remember(self, row: AuditRow) -> None:
        """Add the command to the journal, after the caller got the reply.

        One that was refused for its words has done nothing, and is no step.
        """
        if row.bound and row.ctx and row.ctx.visit and not isinstance(row.error, Usage):
            failed = row.error.code.value if row.error else ""
            secret = row.ctx.typed_secret
            last = FinishedCommand(row.bound, row.result, failed, secret)
            if row.ctx.steps:
                around = self._surroundings(row.call)
                *before, bound = (bind(row.bound.spec, it, around) for it in row.ctx.steps)
                last = FinishedCommand(bound, row.result, failed, secret)
                for each in before:
                    self.parts.journal.add_part(row.ctx.visit, FinishedCommand(each, None))
            self.parts.journal.add(row.ctx.visit, last)

    @property
    def ending(self) -> bool:
        """Whether the daemon is stopping and accepts no more commands."""
        return self.parts.life.ending

    def check_alive(self) -> None:
        """Check whether the browser has ended without a report of it."""
        self._browser.check_alive()

    def ending_error(self) -> BrowseError:
        """Build the error for a command that is cut off because the daemon ends."""
        return self._browser.ending_error()

    def _bind(self, call: Call) -> Bound:
        if not call.words:
            raise Usage("no command was given", hint="run `browse help` for the list")
        call.check_size()
        spec, rest = self.table.split(call.words)
        if spec.command in call.within:
            raise Usage(
                f"'{spec.command}' cannot run inside itself", hint="list the commands themselves"
            )
        around = self._surroundings(call)
        bound = bind(spec, rest, around)
        if call.session and not bound.values["session"]:
            bound.values["session"] = SESSION.parse(call.session, around)
        for gate in GATES:
            gate(bound, call.caller)
        return bound

    def _surroundings(self, call: Call) -> Surroundings:
        sites = self._browser.sites
        if call.caller.surface is not Surface.LOCAL:
            return Surroundings("/", Roots(()), sites=sites, remote=True)
        mine = self.parts.files.of(call.caller)
        return Surroundings(
            call.cwd,
            mine.reads,
            sites=sites,
            writes=mine.writes,
            journals=self.parts.files.journals(call.caller),
        )

    def _wants(self, bound: Bound, call: Call) -> Wants:
        limit = bound.values["max_chars"]
        raw = bound.values["raw"] and call.caller.is_owner and not call.at_terminal
        usual = 0 if raw else self.parts.settings.max_chars
        return Wants(
            bound.wants_json,
            usual if limit is None else limit,
            bound.values["after"],
            marked=call.caller.reads_as_agent,
            reveal=bound.values["reveal"],
            raw=raw,
            long=self._long(call),
        )

    def _long(self, call: Call) -> bool:
        """Decide the form of the markers: agents elsewhere and skills were told of the long one."""
        form = self.parts.settings.envelope
        return form == "long" or (form != "short" and not call.caller.is_owner)

    def _rendered(self, result: Result, wants: Wants, call: Call, ctx: Ctx | None) -> Outgoing:
        """Turn a result into a reply that names the tab's address if that is new to the caller."""
        tab, caller = ctx.held if ctx else None, call.caller.holder
        reply = render(result, replace(wants, here=url_if_known(tab, caller, result)))
        if not wants.json:
            remember_shown(tab, caller, result)
        return reply

    async def _perform(
        self, bound: Bound, call: Call, sink: Sink, wants: Wants, row: AuditRow
    ) -> Result:
        async def emit(result: Result) -> None:
            result = await self.parts.screening.pass_on(result, ctx.warned_lines)
            await sink.out(self._rendered(result, wants, call, row.ctx))

        async def note(words: Text) -> None:
            await sink.err(render(words, Wants()))

        row.ctx = ctx = Ctx(
            call, self.parts.settings, self.parts.browser, bound.wants_json, emit, note,
            self._step, self.parts.files,
        )  # fmt: skip
        ctx.anyway = bool(bound.values.get("anyway"))
        if bound.spec.acts:
            ctx.timeout_ms = bound.values["timeout"]
        ctx.reveal = bound.values["reveal"]
        ctx.after = bound.values["after"]
        ctx.room, ctx.room_of_data = wants.room, wants.room_of_data
        if bound.lane is not Lane.FREE:
            await self._browser.tabs(call.session)  # a cold start has its own time limit
        limit = bound.deadline_s(self.parts.settings.navigation_timeout / 1000)
        try:
            # The time for loading pages begins when the tab is free.
            async with asyncio.timeout(bound.deadline_s()) as clock:
                await bound.admit(self._surroundings(call))
                await self._check_named_tabs(bound, call)
                async with self._lane(bound, call, ctx):
                    _extend(clock, by_s=(limit or 0.0) - (bound.deadline_s() or 0.0))
                    if done := await self.parts.automation.check(bound, call, ctx.held):
                        ctx.visit = None  # nothing was done in this call
                        return done
                    positional, named = bound.call()
                    services = self.parts.services(bound.spec)
                    run = partial(bound.spec.handler, ctx, *positional, **named, **services)
                    return await (act(ctx, run, bound.values) if bound.spec.acts else run())
        except TimeoutError as exc:
            if not clock.expired():
                raise  # a timeout of other code that was not handled there
            raise _too_slow(bound, limit, ctx) from exc

    @asynccontextmanager
    async def _lane(self, bound: Bound, call: Call, ctx: Ctx) -> AsyncIterator[None]:
        if self.parts.holds.is_watching:
            self.parts.holds.check_watch(bound, await self._browser.tabs(call.session))
        if bound.lane is Lane.FREE:
            await self._check_held(bound, call)
            yield
            return
        tabs = await self._browser.tabs(call.session)
        begun = time.monotonic()
        if bound.lane is Lane.BROWSER:
            async with tabs.lock.alone():
                ctx.queued_s = time.monotonic() - begun
                await self._check_held(bound, call)
                yield
            return
        tab = await self._tab(tabs, call)
        if not call.caller.may_use(tab.owner):
            raise not_yours()
        ctx.queued_for = tab
        async with tabs.lock.shared(), _held(tab, bound.spec.name):
            if not call.caller.may_use(tab.owner):
                raise not_yours()  # the tab got another owner while the command waited
            if not bound.spec.navigates:
                refuse_internal(tab.url)
            ctx.found(tab, waited_s=time.monotonic() - begun)
            await self._check_held(bound, call, tab)
            call.notes.extend(
                tabs.deeds.add(call.caller, bound.spec.name, tab.id, changes=bound.is_acting)
            )
            tab.refs.begin(call.caller.holder)
            if not call.caller.is_owner:
                await tabs.narrow_files(tab, self._surroundings(call).roots)
            async with self.parts.journal.visit(tab, call.caller) as ctx.visit:
                yield
            ctx.taken = tab.refs.taken()

    async def _check_held(self, bound: Bound, call: Call, tab: Tab | None = None) -> None:
        caller, session = call.caller, call.session
        await self._held_tabs.check(bound, caller, session=session, tab_id=call.tab_id, tab=tab)

    async def _check_named_tabs(self, bound: Bound, call: Call) -> None:
        """Raise if the words name a tab that the caller may not use."""
        ids = bound.tab_ids if call.tab_id is None else [*bound.tab_ids, call.tab_id]
        writes = Scope.WRITE in bound.scopes
        if not ids or (call.caller.is_owner and not writes):
            return
        tabs = await self._browser.tabs(call.session)
        if tabs.others and not call.caller.is_owner and any(map(tabs.others.has, ids)):
            raise not_yours()
        for tab in tabs.all():  # the command itself reports an unknown tab
            if tab.id in ids and not call.caller.may_use(tab.owner):
                raise not_yours()
            if tab.id in ids and writes and call.caller.is_owner:
                refuse_if_held(tabs.leases, tab.id, call.caller)

    async def _tab(self, tabs: Tabs, call: Call) -> Tab:
        if call.tab_id is None:
            return await tabs.current(call.caller)
        return tabs.find(call.tab_id)

    async def tab_of(self, call: Call) -> int:
        """Return the tab that a call will act on; 0 if it is unknown (then the call fails)."""
        try:
            call = _aimed(call, self._bind(call))
            tab = await self._tab(await self._browser.tabs(call.session), call)
        except BrowseError:
            return 0
        return tab.id

    async def _step(self, call: Call) -> InnerResult:
        """Run an inner command and collect its output."""
        kept = KeptOutput()
        error = await self.run(call, kept)
        return InnerResult(joined(kept.errors if error else kept.output), error)


@asynccontextmanager
async def _held(tab: Tab, command: str) -> AsyncIterator[None]:
    """Hold a tab's lock for a command; if it is cancelled, free the tab for the next one."""
    async with tab.lock.hold(command):
        try:
            yield
        except asyncio.CancelledError:
            # In its own task: in a cancelled one, timeouts of Python 3.11.2 fail.
            await spawn(tab.unstick(), name=f"tab {tab.id}: free it")
            raise


def _aimed(call: Call, bound: Bound) -> Call:
    """Replace the tab and the session of a call by `--tab-id` and `--session`.

    Commands without a tab of their own (`closetab`, `chain`) read them from the call.
    """
    flag = bound.values["tab_id"]
    session = bound.values["session"] or ""
    return replace(call, tab_id=call.tab_id if flag is None else flag, session=session)


async def _seen_from_here(error: BrowseError, row: AuditRow) -> BrowseError:
    """Find out whether only a frame was lost while the command ran, or the whole tab."""
    if row.ctx is None or row.ctx.held is None:
        return error
    return await lost_frames.explain_failure(error, row.ctx.held, row.ctx.inside)


def _extend(clock: asyncio.Timeout, *, by_s: float) -> None:
    ends = clock.when()
    clock.reschedule(ends if ends is None else ends + by_s)


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
