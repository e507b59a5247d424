"""`skill list` and `skill show`."""

import asyncio
from typing import Any

import msgspec

from browse.commands.skills.asked import Asked, shelf_of
from browse.dispatch.context import Ctx
from browse.registry.results import Text
from browse.skills import shelf
from browse.skills.shelf import Shelf, Skill

# Columns of the list: name, tier, host, description.
WIDTHS = (30, 8, 28, 40)


async def listed(ctx: Ctx, _: Asked) -> Text:
    """List the skills, each with the tier that it comes from."""
    return await asyncio.to_thread(_list, shelf_of(ctx))


def _list(skills: Shelf) -> Text:
    found = skills.every()
    good = [each for each in found if isinstance(each, Skill)]
    broken = [each for each in found if not isinstance(each, Skill)]
    lines = [_row("NAME", "TIER", "HOST", "DESC"), *map(_line, good)] if good else []
    lines += [f'"{each.name}" ({each.tier}) cannot be used: {each.reason}' for each in broken]
    lines = lines or ["No browser-skills found.", "Make one: browse skill new <name> --host <host>"]
    return Text(
        "\n".join(lines),
        {
            "skills": [_facts(each) for each in good],
            "broken": [
                {"name": each.name, "tier": each.tier, "reason": each.reason} for each in broken
            ],
        },
    )


def _line(skill: Skill) -> str:
    about = skill.about
    return _row(skill.name, skill.tier, about.host, " ".join(about.description.split()))


def _row(*cells: str) -> str:
    shown = [cell[:width].ljust(width) for cell, width in zip(cells[1:], WIDTHS[1:], strict=True)]
    return " ".join([cells[0].ljust(WIDTHS[0]), *shown]).rstrip()


def _facts(skill: Skill) -> dict[str, Any]:
    facts = {"name": skill.name, "tier": skill.tier, "folder": str(skill.folder)}
    return {**msgspec.to_builtins(skill.about), **facts, "shadows": list(skill.shadows)}


async def shown(ctx: Ctx, asked: Asked) -> Text:
    """Show the SKILL.md of a skill, below a line that says where it is."""
    return await asyncio.to_thread(_show, shelf_of(ctx), asked.name)


def _show(skills: Shelf, name: str) -> Text:
    skill = skills.find(name)
    text = shelf.manifest(skill)
    above = f"# {skill.tier}: {skill.folder}"
    return Text(f"{above}\n{text}", {**_facts(skill), "text": text})
