"""`skill check`: whether the pages of skills are still built as they were."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec

from browse.browser.tabs.tab import Tab
from browse.commands.skills.asked import Asked, shelf_of
from browse.core.errors import BrowseError, Code, Usage
from browse.dispatch.context import Ctx
from browse.flow.steps import HIDDEN, Step
from browse.flow.wording import placed, valued
from browse.guard import urls
from browse.guard.files import Roots
from browse.registry.params import Surroundings
from browse.registry.results import Text, from_page
from browse.registry.spec import declared
from browse.registry.table import Table
from browse.skills import arguments, checking
from browse.skills.checking import Finding, Report, Verdict, Ways
from browse.skills.recording import places
from browse.skills.recording.choose import FRAME, unfit
from browse.skills.recording.codify import FLOW, Flow
from browse.skills.shelf import Broken, Skill

DEADLINE_S = 300.0
MAX_BYTES = 8 * 1024 * 1024
CODES = {Verdict.DRIFTED: Code.SKILL_DRIFTED, Verdict.BROKEN: Code.SKILL_BROKEN}


async def check(ctx: Ctx, asked: Asked) -> Text:
    """Check one skill, or all of them."""
    if asked.all == bool(asked.name) or (asked.all and asked.run):
        raise Usage(
            "skill check: give one name, or --all without --run",
            hint="`browse skill list` names them",
        )
    if asked.all:
        return await _all(ctx, asked)
    skill = shelf_of(ctx).find(asked.name)
    report = await _report(ctx, skill, asked)
    said = _told([(skill, report)])
    if report.verdict is Verdict.FRESH:
        return said
    if ctx.json:
        await ctx.emit(said)
    raise _error(skill, report)


async def _all(ctx: Ctx, asked: Asked) -> Text:
    found = [
        (
            it,
            await _report(ctx, it, asked)
            if isinstance(it, Skill)
            else _only(Verdict.BROKEN, it.reason),
        )
        for it in shelf_of(ctx).every()
    ]
    said = _told(found)
    bad = [it for it in found if it[1].verdict in CODES]
    if not bad:
        return said
    await ctx.emit(said)
    worst = max((it[1].verdict for it in bad), key=list(Verdict).index)
    raise BrowseError(
        CODES[worst],
        f"{len(bad)} of {len(found)} skills are not fresh.",
        hint=f"look at one: browse skill check {bad[0][0].name}",
    )


async def _report(ctx: Ctx, skill: Skill, asked: Asked) -> Report:
    try:
        flow, fixture = await asyncio.to_thread(_kept, skill)
    except (BrowseError, OSError) as exc:
        why = exc.message if isinstance(exc, BrowseError) else str(exc.strerror)
        return _only(Verdict.BROKEN, f"its files cannot be used: {why}")
    values = arguments.check(skill, asked.args) if asked.run else _defaults(skill)
    address = values.get("url") or (flow.url if flow else "")
    if not address:
        return _only(Verdict.UNKNOWN, "it has no address to look at: no `url` with a default")
    async with _tab(ctx, seen=asked.run) as tab:
        try:
            await _open(ctx, tab, address)
            if flow:
                ways = _ways(ctx, tab, flow, values, acts=asked.run)
                return await checking.of_flow(tab, flow, Table(declared()), ways)
            if fixture:
                return await checking.of_page(tab, fixture)
        except BrowseError as exc:
            return _only(Verdict.BROKEN, f"its page cannot be looked at: {exc.message}", exc.page)
    return _only(Verdict.UNKNOWN, "it has neither recorded steps nor a page to compare with")


@asynccontextmanager
async def _tab(ctx: Ctx, *, seen: bool) -> AsyncIterator[Tab]:
    """Open a tab for a check: one that commands can act in, else one that nobody sees."""
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
            return  # what it waits for may be in a frame, which is not chosen here
        found = {name: places.selector(it) for name, it in step.targets.items()}
        words = placed(step.words, step.targets, found)
        words = valued(words, values.get(flow.secrets.get(step.number, "")))
        inner = ctx.call.inner((step.command, *words), within="skill", tab_id=tab.id)
        if error := (await ctx.run(inner)).error:
            raise error

    return Ways(lambda url: _open(ctx, tab, url), do if acts else None)


def _defaults(skill: Skill) -> dict[str, str]:
    return {arg.name: arg.default for arg in skill.about.args if arg.default is not None}


def _only(verdict: Verdict, what: str, page: str = "") -> Report:
    return Report([Finding(verdict, what, page=page)])


async def _open(ctx: Ctx, tab: Tab, address: str) -> None:
    if HIDDEN in address:
        raise BrowseError(
            Code.JOURNAL,
            "A secret in its address was not kept.",
            hint="give the address with --run --arg url=…",
        )
    around = Surroundings("/", Roots(()), sites=ctx.session.sites)
    url = urls.check_url(address, cwd=around.cwd, roots=around.roots)
    await around.admit(url)
    status = await tab.open(url.text)
    if status and status >= 400:
        raise BrowseError(
            Code.NAVIGATION_FAILED,
            f"It answers with status {status}.",
            hint="look with `browse goto`",
        )


def _kept(skill: Skill) -> tuple[Flow | None, str]:
    """Read what was recorded, and else the one page that the tests use."""
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
    """Refuse steps that a skill could not do: the file may be anybody's, and a check is ours."""
    known, table = {spec.name for spec in declared()}, Table(declared())
    for step in flow.steps:
        if step.command not in known or unfit(step, table):
            raise BrowseError(
                Code.SKILL_INVALID,
                f"step {step.number} of {FLOW} is not one that a skill may do.",
                hint="record it again, or remove that file",
            )
    return flow


def _read(path: Path) -> bytes:
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW)) as file:
        return file.read(MAX_BYTES)


def _told(found: Sequence[tuple[Skill | Broken, Report]]) -> Text:
    lines = [_line(skill, report) for skill, report in found]
    rows = [_facts(skill, report) for skill, report in found]
    return Text("\n".join(lines) or "There are no skills.", {"skills": rows})


def _line(skill: Skill | Broken, report: Report) -> str:
    told = [str(it) for it in report.findings]
    if report.likeness is not None and not told:
        told.append(f"{report.likeness:.0%} alike")
    if report.looked_at:
        told.append(f"{report.looked_at} steps looked at")
    if report.beyond:
        told.append(f"{checking.steps_in_words(report.beyond)} not looked at")
    return f"{skill.name}: {report.verdict} ({'; '.join(told)})"


def _facts(skill: Skill | Broken, report: Report) -> dict[str, Any]:
    return {
        "skill": skill.name,
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


def _error(skill: Skill, report: Report) -> BrowseError:
    code = CODES.get(report.verdict, Code.SKILL_INVALID)
    page = "\n".join(it.page for it in report.findings if it.page)
    if report.verdict is Verdict.UNKNOWN:
        hint = f"run it instead: browse skill run {skill.name}"
    else:
        hint = f"change {skill.script}, or record it again under another name"
    return BrowseError(code, f"{_line(skill, report)}.", hint=hint, page=page)
