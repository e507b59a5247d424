"""`skill record`, `approve` and `discard`: what was done by hand becomes a skill.

Staged, tested, and put into place by one rename; what fails its test leaves nothing.
"""

import asyncio
from pathlib import Path
from typing import Any

from browse.commands.skills.asked import Asked, shelf_of
from browse.commands.skills.running import tested
from browse.core.paths import Paths
from browse.dispatch.context import Ctx
from browse.flow.steps import Step
from browse.registry.results import Text, from_page
from browse.registry.spec import declared
from browse.registry.table import Table
from browse.skills import staging
from browse.skills.recording.choose import choose
from browse.skills.recording.codify import Recording, codify
from browse.skills.shelf import Tier, read_skill


async def record(ctx: Ctx, asked: Asked) -> Text:
    """Write the last stretch of what was done in the tab as a skill, and test it."""
    recording = await _recorded(ctx, asked)
    paths = Paths.of(ctx.settings)
    staged = await asyncio.to_thread(staging.stage, paths, asked.name, recording.files)
    try:
        passed = await tested(ctx, read_skill(staged, _tier(asked)))
        place = staged if asked.stage else await _commit(ctx, staged, _tier(asked))
    except BaseException:
        staging.discard(staged)
        raise
    return _told(asked, recording, place, passed)


async def approve(ctx: Ctx, asked: Asked) -> Text:
    """Test a staged skill as it is now, and put it into place."""
    staged = staging.staged(Paths.of(ctx.settings), asked.name)
    passed = await tested(ctx, read_skill(staged, _tier(asked)))
    place = await _commit(ctx, staged, _tier(asked))
    return Text(
        f'Made "{asked.name}" (tier {_tier(asked)}) → {place}\n{_next(asked.name)}',
        {"skill": asked.name, "tier": _tier(asked), "folder": str(place), "passed": passed},
    )


async def discard(ctx: Ctx, asked: Asked) -> Text:
    """Leave nothing of a staged skill."""
    staged = staging.staged(Paths.of(ctx.settings), asked.name)
    await asyncio.to_thread(staging.discard, staged)
    return Text(f'Discarded "{asked.name}": nothing of it is left', {"skill": asked.name})


async def _recorded(ctx: Ctx, asked: Asked) -> Recording:
    journal = ctx.parts.journal
    journal.insist()
    tab = ctx.call.tab_id or (await (await ctx.tabs()).current(ctx.call.caller)).id
    await journal.settled(tab)
    table = Table(declared())
    stretch = choose(journal.steps(tab), table, asked.since)
    pages = {step.number: journal.page_of(tab, step.number) for step in stretch.steps}
    return await asyncio.to_thread(codify, asked.name, stretch, pages.get, table)


async def _commit(ctx: Ctx, staged: Path, tier: Tier) -> Path:
    return await asyncio.to_thread(staging.commit, staged, shelf_of(ctx).roots[tier], tier)


def _tier(asked: Asked) -> Tier:
    return Tier.PROJECT if asked.in_project else Tier.GLOBAL


def _told(asked: Asked, recording: Recording, place: Path, passed: int) -> Text:
    """Say what became of the steps. What things are called comes from the page."""
    state = "Staged" if asked.stage else "Made"
    rows = [_row(step, recording) for step in recording.steps]
    given = [{"required": it.default is None, **from_page(name=it.name)} for it in recording.given]
    left = [
        {"journalStep": it.number, "command": it.command, "reason": it.reason}
        for it in recording.left_out
    ]
    lines = [
        f'{state} "{asked.name}" (tier {_tier(asked)}) → {place}',
        *(
            f"Left out: step {it['journalStep']} of the tab ({it['command']}): {it['reason']}"
            for it in left
        ),
        f"{passed} tests passed.",
        _next(asked.name, staged=asked.stage),
    ]
    facts: dict[str, Any] = {"skill": asked.name, "tier": _tier(asked), "folder": str(place)}
    facts |= {"staged": asked.stage, "steps": rows, "args": given, "leftOut": left}
    named = [f"{it.name} (required)" if it.default is None else it.name for it in recording.given]
    page = [*map(_line, rows), f"Arguments: {', '.join(named) or 'none'}"]
    return Text(
        "\n".join(lines), {**facts, "passed": passed}, page="\n".join(page), source="recording"
    )


def _row(step: Step, recording: Recording) -> dict[str, Any]:
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
