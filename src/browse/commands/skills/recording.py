"""`skill record`, `approve` and `discard`: make a skill from the steps of a tab.

A skill is staged, tested, and installed by one rename; if its test fails, nothing is left.
"""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

from browse.commands.skills import (
    AROUND_S,
    SKILL,
    InProject,
    Name,
    decisions,
    installed_skills,
    tier_of,
)
from browse.commands.skills.running import TEST_S, tested
from browse.core.errors import BrowseError
from browse.core.paths import Paths
from browse.core.scopes import Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.dispatch.services import JournalService
from browse.flow.journal import FlowJournal
from browse.flow.steps import Step
from browse.registry.params import Doc, whole
from browse.registry.results import Text, from_page
from browse.registry.spec import Lane, command, declared
from browse.registry.table import CommandTable
from browse.skills import staging
from browse.skills.installed import Tier, read_skill
from browse.skills.recording.choose import choose
from browse.skills.recording.codify import RecordedSkill, codify

Number = Annotated[int, whole(1, 1_000_000)]
DEADLINE_S = TEST_S + AROUND_S


@command(
    family=SKILL,
    scope=Scope.ROOT,
    lane=Lane.FREE,
    deadline=DEADLINE_S,
    mutates=lambda values: not values["stage"],
)
async def skill_record(
    ctx: Ctx,
    name: Name,
    *,
    from_: Annotated[Number | None, Doc("Start with this step of the tab's journal.")] = None,
    stage: Annotated[bool, Doc("Stop before the skill is installed.")] = False,
    project: InProject = False,
    journal: JournalService,
) -> Text:
    """Write a skill from the last steps in the tab, from the opening of the page on.

    It is installed if its test passes; with --stage, only after `skill approve`.

    Examples:
        browse skill record price-list
        browse skill record price-list --from 4 --stage
    """
    tier = tier_of(project=project)
    recording = await _recorded(ctx, journal, name, from_)
    paths = Paths.of(ctx.settings)
    staged = await asyncio.to_thread(staging.stage, paths, name, recording.files)
    try:
        passed = await tested(ctx, read_skill(staged, tier))
        place = staged if stage else await _commit(ctx, staged, tier)
    except BaseException:
        staging.discard(staged)
        raise
    facts = {"skill": name, "tier": tier, "folder": str(place), "staged": stage}
    return _told(facts, recording, passed)


@command(family=SKILL, scope=Scope.ROOT, lane=Lane.FREE, deadline=DEADLINE_S, mutates=True)
async def skill_approve(ctx: Ctx, name: Name, *, project: InProject = False) -> Text:
    """Test a staged skill and install it. Its runs then do not wait while automation is on.

    Examples:
        browse skill approve price-list
    """
    tier = tier_of(project=project)
    staged = staging.staged(Paths.of(ctx.settings), name)
    passed = await tested(ctx, read_skill(staged, tier))
    place = await _commit(ctx, staged, tier)
    return Text(
        f'Made "{name}" (tier {tier}) → {place}\n{_next(name)}',
        {"skill": name, "tier": tier, "folder": str(place), "passed": passed},
    )


@command(family=SKILL, scope=Scope.ROOT, lane=Lane.FREE, destroys=True)
async def skill_discard(ctx: Ctx, name: Name) -> Text:
    """Delete a staged skill.

    Examples:
        browse skill discard price-list
    """
    staged = staging.staged(Paths.of(ctx.settings), name)
    await asyncio.to_thread(staging.discard, staged)
    return Text(f'Discarded "{name}": nothing of it is left', {"skill": name})


async def _recorded(ctx: Ctx, journal: FlowJournal, name: str, since: int | None) -> RecordedSkill:
    journal.insist()
    tab = ctx.call.tab_id or (await (await ctx.tabs()).current(ctx.call.caller)).id
    await journal.settled(tab)
    table = CommandTable(declared())
    chosen = choose(journal.steps(tab), table, since)
    pages = {step.number: journal.page_of(tab, step.number) for step in chosen.steps}
    return await asyncio.to_thread(codify, name, chosen, pages.get, table)


async def _commit(ctx: Ctx, staged: Path, tier: Tier) -> Path:
    return await asyncio.to_thread(_install, ctx, staged, tier)


def _install(ctx: Ctx, staged: Path, tier: Tier) -> Path:
    place = staging.commit(staged, installed_skills(ctx).roots[tier], tier)
    with suppress(BrowseError):  # in a folder that others may change: its runs wait
        decisions(ctx).approve(read_skill(place, tier))
    return place


def _told(made: dict[str, Any], recording: RecordedSkill, passed: int) -> Text:
    """DriftReport how each step was used. Names of elements are page words."""
    state = "Staged" if made["staged"] else "Made"
    rows = [_row(step, recording) for step in recording.steps]
    given = [{"required": it.default is None, **from_page(name=it.name)} for it in recording.given]
    left = [
        {"journalStep": it.number, "command": it.command, "reason": it.reason}
        for it in recording.left_out
    ]
    lines = [
        f'{state} "{made["skill"]}" (tier {made["tier"]}) → {made["folder"]}',
        *(
            f"Left out: step {it['journalStep']} of the tab ({it['command']}): {it['reason']}"
            for it in left
        ),
        f"{counted(passed, 'test')} passed.",
        _next(made["skill"], staged=made["staged"]),
    ]
    facts = {**made, "steps": rows, "args": given, "leftOut": left}
    named = [f"{it.name} (required)" if it.default is None else it.name for it in recording.given]
    page = [*map(_line, rows), f"Arguments: {', '.join(named) or 'none'}"]
    return Text(
        "\n".join(lines), {**facts, "passed": passed}, page="\n".join(page), source="recording"
    )


def _row(step: Step, recording: RecordedSkill) -> dict[str, Any]:
    row: dict[str, Any] = {"step": step.number, "command": step.command}
    it = next((it for it in recording.readings if it.step.number == step.number), None)
    if it is None:
        return row
    why = {"why": it.why} if it.why else {}
    return {**row, "how": "parser" if it.parsed else "live", **why, **from_page(gives=it.key)}


def _line(row: dict[str, Any]) -> str:
    line = f"{row['step']}. {row['command']}"
    if "page" not in row:
        return line
    how = "by a parser, tested on the page that was kept" if row["how"] == "parser" else "live"
    return f"{line} → {row['page']['gives']} ({': '.join([how, *filter(None, [row.get('why')])])})"


def _next(name: str, *, staged: bool = False) -> str:
    if staged:
        return (
            f"Next: look at it, then `browse skill approve {name}` or `browse skill discard {name}`"
        )
    return f"Next: `browse skill run {name}`, `browse skill check {name}`"
