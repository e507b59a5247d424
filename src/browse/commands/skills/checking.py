"""`skill check`: whether the pages of skills have changed."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any

import msgspec

from browse.browser.driver_errors import PageUnreachable
from browse.browser.tabs.tab import Tab
from browse.commands.skills import SKILL, Args, Name, installed_skills
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.flow.kept_words import placed, valued
from browse.flow.steps import HIDDEN, Step
from browse.guard import urls
from browse.guard.files import Roots
from browse.registry.params import Doc, Surroundings
from browse.registry.results import Text, from_page
from browse.registry.spec import Lane, command, declared
from browse.registry.table import CommandTable
from browse.skills import arguments, checking
from browse.skills.checking import DriftReport, Finding, Freshness, Ways
from browse.skills.installed import Broken, Skill
from browse.skills.recording import places
from browse.skills.recording.choose import FRAME, unfit
from browse.skills.recording.codify import FLOW, Flow

DEADLINE_S = 300.0
MAX_BYTES = 8 * 1024 * 1024
CODES = {Freshness.DRIFTED: Code.SKILL_DRIFTED, Freshness.BROKEN: Code.SKILL_BROKEN}


@command(family=SKILL, scope=Scope.ROOT, lane=Lane.FREE, deadline=DEADLINE_S)
async def skill_check(
    ctx: Ctx,
    name: Name | None = None,
    *,
    all_: Annotated[bool, Doc("Check every skill.")] = False,
    run: Annotated[bool, Doc("Run the steps as well, in a new tab.")] = False,
    arg: Args = (),
) -> Text:
    """Check whether the page of a skill has changed since it was recorded.

    Reports fresh, drifted or broken; for a broken one, the step and the closest element. If the
    site does not answer, nothing is known.

    Examples:
        browse skill check price-list
        browse skill check --all
    """
    if all_ == bool(name) or (all_ and run):
        raise Usage(
            "skill check: give one name, or --all without --run",
            hint="`browse skill list` names them",
        )
    if all_ or name is None:
        return await _all(ctx)
    skill = installed_skills(ctx).find(name)
    report = await _report(ctx, skill, arg if run else None)
    said = _told([(skill, report)])
    if report.verdict is Freshness.FRESH:
        return said
    if ctx.json:
        await ctx.emit(said)
    raise _error(skill, report)


async def _all(ctx: Ctx) -> Text:
    found = [
        (
            it,
            await _report(ctx, it, None)
            if isinstance(it, Skill)
            else _only(Freshness.BROKEN, "its SKILL.md cannot be used: see `browse skill show`"),
        )
        for it in installed_skills(ctx).every()
    ]
    said = _told(found)
    bad = [it for it in found if it[1].verdict in CODES]
    if not bad:
        return said
    await ctx.emit(said)
    worst = max((it[1].verdict for it in bad), key=list(Freshness).index)
    raise BrowseError(
        CODES[worst],
        f"{len(bad)} of {len(found)} skills are not fresh.",
        hint=f"look at one: browse skill check {bad[0][0].label}",
    )


async def _report(ctx: Ctx, skill: Skill, args: Sequence[str] | None) -> DriftReport:
    """Check a skill's page; with arguments, run its steps as well."""
    acts = args is not None
    try:
        flow, fixture = await asyncio.to_thread(_kept, skill)
    except (BrowseError, OSError) as exc:
        why = exc.message if isinstance(exc, BrowseError) else str(exc.strerror)
        return _only(Freshness.BROKEN, f"its files cannot be used: {why}")
    values = _defaults(skill) if args is None else arguments.check(skill, args)
    address = values.get("url") or (flow.url if flow else "")
    if not address:
        return _only(Freshness.UNKNOWN, "it has no address to look at: no `url` with a default")
    async with _tab(ctx, seen=acts) as tab:
        try:
            await _open(ctx, tab, address)
            if flow:
                ways = _ways(ctx, tab, flow, values, acts=acts)
                return await checking.of_flow(tab, flow, CommandTable(declared()), ways)
            if fixture:
                return await checking.of_page(tab, fixture)
        except BrowseError as exc:
            if isinstance(exc, PageUnreachable | _SiteFails) or exc.code is Code.NAVIGATION_TIMEOUT:
                what = f"its page cannot be reached now: {exc.message.rstrip('.')}"
                return DriftReport([Finding(Freshness.UNKNOWN, what, unreached=True)])
            return _only(Freshness.BROKEN, f"its page cannot be looked at: {exc.message}", exc.page)
    return _only(Freshness.UNKNOWN, "it has neither recorded steps nor a page to compare with")


class _SiteFails(BrowseError):
    """The server has a problem of its own, which says nothing about the page."""


@asynccontextmanager
async def _tab(ctx: Ctx, *, seen: bool) -> AsyncIterator[Tab]:
    """Open a tab for a check: one that commands can act in, else one that is not listed."""
    tabs, caller = await ctx.tabs(), ctx.call.caller
    before = await tabs.current(caller)
    if not seen:
        async with tabs.aside(before) as aside:
            yield aside
        return
    tab = await tabs.open(caller)
    try:
        yield tab
    finally:
        await tabs.close(tab)
        tabs.switch(caller, before)


def _ways(ctx: Ctx, tab: Tab, flow: Flow, values: dict[str, str], *, acts: bool) -> Ways:
    framed = any(step.command == FRAME for step in flow.steps)

    async def do(step: Step) -> None:
        if framed and step.command == "wait" and not step.targets:
            return  # it may wait for an element in a frame, which is not chosen here
        found = {name: places.selector(it) for name, it in step.targets.items()}
        words = placed(step.words, step.targets, found)
        words = valued(words, values.get(flow.secrets.get(step.number, "")))
        inner = ctx.call.inner((step.command, *words), within="skill", tab_id=tab.id)
        if error := (await ctx.run(inner)).error:
            raise error

    return Ways(lambda url: _open(ctx, tab, url), do if acts else None)


def _defaults(skill: Skill) -> dict[str, str]:
    return {arg.name: arg.default for arg in skill.about.args if arg.default is not None}


def _only(verdict: Freshness, what: str, page: str = "") -> DriftReport:
    return DriftReport([Finding(verdict, what, page=page)])


async def _open(ctx: Ctx, tab: Tab, address: str) -> None:
    if HIDDEN in address:
        raise BrowseError(
            Code.JOURNAL,
            "A secret in its address was not kept.",
            hint="give the address with --run --arg url=…",
        )
    around = Surroundings("/", Roots(()), sites=ctx.browser.sites)
    url = urls.check_url(address, cwd=around.cwd, roots=around.roots)
    await around.admit(url)
    status = await tab.open(url)
    if status and status >= 400:
        kind = _SiteFails if status >= 500 else BrowseError
        raise kind(
            Code.NAVIGATION_FAILED,
            f"It answers with status {status}.",
            hint="look with `browse goto`",
        )


def _kept(skill: Skill) -> tuple[Flow | None, str]:
    """Return the recorded steps, or the address of the one page that the tests use."""
    try:
        raw = _read(skill.folder / FLOW)
    except FileNotFoundError:
        pages = sorted((skill.folder / "fixtures").glob("*.html"))
        return None, _read(pages[0]).decode("utf-8", "replace") if pages else ""
    return _trusted_no_further(_decoded(raw)), ""


def _decoded(raw: bytes) -> Flow:
    try:
        flow = msgspec.json.decode(raw, type=Flow)
    except (msgspec.DecodeError, UnicodeDecodeError):
        flow = Flow("", ())
    if flow.steps:
        return flow
    raise BrowseError(
        Code.SKILL_INVALID, f"{FLOW} cannot be read.", hint="record it again, or remove that file"
    )


def _trusted_no_further(flow: Flow) -> Flow:
    """Raise if a step is not allowed for skills: the file is not trusted, but a check is ours."""
    table = CommandTable(declared())
    for step in flow.steps:
        if not _is_fit(step, table):
            raise BrowseError(
                Code.SKILL_INVALID,
                f"step {step.number} of {FLOW} is not one that a skill may do.",
                hint="record it again, or remove that file",
            )
    return flow


def _is_fit(step: Step, table: CommandTable) -> bool:
    try:
        return not unfit(step, table)
    except BrowseError:
        return False  # no such command


def _read(path: Path) -> bytes:
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW)) as file:
        return file.read(MAX_BYTES)


def _told(found: Sequence[tuple[Skill | Broken, DriftReport]]) -> Text:
    lines = [_line(skill, report) for skill, report in found]
    rows = [_facts(skill, report) for skill, report in found]
    return Text("\n".join(lines) or "There are no skills.", {"skills": rows})


def _line(skill: Skill | Broken, report: DriftReport) -> str:
    details = [str(it) for it in report.findings]
    if report.likeness is not None and not details:
        details.append(f"{report.likeness:.0%} alike")
    if report.looked_at:
        details.append(f"{counted(report.looked_at, 'step')} looked at")
    if report.beyond:
        details.append(f"{checking.steps_in_words(report.beyond)} not looked at")
    return f"{skill.label}: {report.verdict} ({'; '.join(details)})"


def _facts(skill: Skill | Broken, report: DriftReport) -> dict[str, Any]:
    return {
        "skill": skill.label,
        "tier": skill.tier,
        "verdict": report.verdict,
        "likeness": report.likeness,
        "lookedAt": report.looked_at,
        "beyond": report.beyond,
        "findings": [
            {
                "verdict": it.verdict,
                "step": it.step or None,
                "command": it.command or None,
                "what": it.what,
                **from_page(detail=it.page),
            }
            for it in report.findings
        ],
    }


def _error(skill: Skill, report: DriftReport) -> BrowseError:
    code = CODES.get(report.verdict, Code.SKILL_INVALID)
    page = "\n".join(it.page for it in report.findings if it.page)
    if any(it.unreached for it in report.findings):
        hint = "check again when the site answers; the skill may be as good as before"
    elif report.verdict is Freshness.UNKNOWN:
        hint = f"run it instead: browse skill run {skill.name}"
    else:
        hint = f"change {skill.script}, or record it again under another name"
    return BrowseError(code, f"{_line(skill, report)}.", hint=hint, page=page)
