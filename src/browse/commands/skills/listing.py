"""`skill list` and `skill show`."""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

from browse.commands.skills import SKILL, Name, decisions, installed_skills
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.results import Text, from_page
from browse.registry.spec import Lane, command
from browse.skills import installed, runtimes
from browse.skills.installed import InstalledSkills, Skill, Tier
from browse.skills.trust import Trust

# Columns of the list before the description: name, tier, host.
WIDTHS = (30, 8, 28)
MAX_REASON_CHARS = 300
# What whoever wrote a skill says about it.
PROSE = ("description", "triggers", "args", "version", "source")
TrustOf = Callable[[Skill], Trust]


@command(family=SKILL, scope=Scope.ROOT, lane=Lane.FREE)
async def skill_list(ctx: Ctx) -> Text:
    """List the skills, each with its tier and the phrases that ask for it.

    Examples:
        browse skill list
        browse skill
    """
    return await asyncio.to_thread(_list, installed_skills(ctx), decisions(ctx).trust_of)


def _list(skills: InstalledSkills, trust_of: TrustOf) -> Text:
    found = skills.every()
    good = [(each, trust_of(each)) for each in found if isinstance(each, Skill)]
    broken = [each for each in found if not isinstance(each, Skill)]
    lines = [_row("NAME", "TIER", "HOST", "DESC")] if good else []
    lines += [line for each, trust in good for line in _lines(each, trust)]
    lines += [f'"{each.label}" ({each.tier}) cannot be used (below)' for each in broken]
    lines = lines or ["No browser-skills found.", "Make one: browse skill new <name> --host <host>"]
    facts = {
        "skills": [_facts(each, trust) for each, trust in good],
        "broken": [
            {"tier": each.tier, **from_page(name=each.name, reason=each.reason)} for each in broken
        ],
    }
    strange = [each for each, _ in good if each.tier is not Tier.BUNDLED]
    page = [line for each in strange for line in (_said(each, each.name), *_asked(each))]
    page += [f"{each.name}: {each.reason[:MAX_REASON_CHARS]}" for each in broken]
    return Text("\n".join(lines), facts, page="\n".join(page), source="skills")


def _lines(skill: Skill, trust: Trust) -> Iterator[str]:
    """Tell about a skill; the prose of one that is not ours stands below, as page words."""
    bundled = skill.tier is Tier.BUNDLED
    yield _row(skill.name, skill.tier, skill.about.host, _said(skill) if bundled else "(below)")
    yield from _asked(skill) if bundled else ()
    if trust is Trust.GIVEN:
        yield "  trusted: runs without the sandbox"
    if needs := runtimes.missing(skill):
        yield f"  cannot run: {needs}"
    yield from (f"  {remark}" for remark in remarks(skill, trust))


def _said(skill: Skill, name: str = "") -> str:
    return " ".join(([f"{name}:"] if name else []) + skill.about.description.split())


def _asked(skill: Skill) -> list[str]:
    asked = "; ".join(" ".join(words.split()) for words in skill.about.triggers)
    return [f"  triggers: {asked}"] if asked else []


def remarks(skill: Skill, trust: Trust) -> list[str]:
    """Say what a caller may not expect: another skill is hidden, trust is asked for or ended."""
    found = []
    if skill.shadows:
        tiers = " and ".join(skill.shadows)
        found.append(f'this "{skill.name}" is the {skill.tier} one; it hides that of tier {tiers}')
    if trust in (Trust.ASKED, Trust.CHANGED):
        found.append(
            f"{trust}: it runs in the sandbox. "
            f"Read it, then type in a terminal: browse skill trust {skill.name}"
        )
    return found


def _row(*cells: str) -> str:
    name, *others, description = cells
    shown = [cell[:width].ljust(width) for cell, width in zip(others, WIDTHS[1:], strict=True)]
    return " ".join([name.ljust(WIDTHS[0]), *shown, description]).rstrip()


def _facts(skill: Skill, trust: Trust) -> dict[str, Any]:
    return {
        "name": skill.name,
        "tier": skill.tier,
        "host": skill.about.host,
        "folder": str(skill.folder),
        "trust": trust,
        "shadows": list(skill.shadows),
        "missing": runtimes.missing(skill),
        **from_page(**{word: getattr(skill.about, word) for word in PROSE}),
    }


@command(family=SKILL, scope=Scope.ROOT, lane=Lane.FREE)
async def skill_show(ctx: Ctx, name: Name) -> Text:
    """Show where a skill is, whether it is trusted, and its SKILL.md.

    Examples:
        browse skill show hackernews-frontpage
    """
    return await asyncio.to_thread(_show, installed_skills(ctx), decisions(ctx).trust_of, name)


def _show(skills: InstalledSkills, trust_of: TrustOf, name: str) -> Text:
    skill = skills.find(name)
    text, trust = installed.manifest(skill), trust_of(skill)
    above = [f"# {skill.tier}: {skill.folder} ({trust})"]
    above += [f"# {remark}" for remark in remarks(skill, trust)]
    facts = _facts(skill, trust)
    facts["page"]["text"] = text
    if skill.tier is Tier.BUNDLED:
        return Text("\n".join([*above, text]), facts)
    return Text("\n".join(above), facts, page=text, source=f"skill {skill.name}")
