"""`skill new`, `rm`, `restore` and `upgrade`."""

import asyncio

from browse.commands.skills.asked import Asked, shelf_of
from browse.core.errors import BrowseError, Code, Usage
from browse.core.files import private_folder, write_private
from browse.core.paths import Paths
from browse.dispatch.context import Ctx
from browse.registry.results import Text
from browse.skills import staging, template, trash
from browse.skills.shelf import Shelf, Skill, Tier, read_skill


async def new(ctx: Ctx, asked: Asked) -> Text:
    """Make a skill that works as it is, to be changed."""
    return await asyncio.to_thread(_new, Paths.of(ctx.settings), shelf_of(ctx), asked)


def _new(paths: Paths, skills: Shelf, asked: Asked) -> Text:
    tier = Tier.PROJECT if asked.in_project else Tier.GLOBAL
    staged = staging.stage(paths, asked.name, template.files(asked.name, asked.host.lower()))
    try:
        read_skill(staged, tier)
        folder = staging.commit(staged, skills.roots[tier], tier)
    except BrowseError:
        staging.discard(staged)
        raise
    shadows = skills.find(asked.name).shadows
    over = f" It goes before the one of tier {shadows[-1]}." if shadows else ""
    return Text(
        f'Made "{asked.name}" (tier {tier}) → {folder}{over}\n'
        f"Next: change script.py, then `browse skill test {asked.name}` "
        f"and `browse skill run {asked.name}`",
        {"skill": asked.name, "tier": tier, "folder": str(folder), "shadows": list(shadows)},
    )


async def remove(ctx: Ctx, asked: Asked) -> Text:
    """Take a skill out of its tier; it can be had back."""
    skills, tier = shelf_of(ctx), _tier(asked)
    place = await asyncio.to_thread(trash.bury, skills.roots[tier], tier, asked.name)
    return Text(
        f'Tombstoned "{asked.name}" (tier {tier}) → {place}',
        {"skill": asked.name, "tier": tier, "tombstone": place.name},
    )


async def restore(ctx: Ctx, asked: Asked) -> Text:
    """Put a removed skill back."""
    skills, tier, which = shelf_of(ctx), _tier(asked), "".join(asked.words)
    place = await asyncio.to_thread(trash.dig_up, skills.roots[tier], tier, asked.name, which)
    return Text(
        f'Restored "{asked.name}" (tier {tier}) from {place.name}',
        {"skill": asked.name, "tier": tier, "tombstone": place.name},
    )


async def upgrade(ctx: Ctx, asked: Asked) -> Text:
    """Give a skill, or all of them, the SDK of this version."""
    return await asyncio.to_thread(_upgrade, shelf_of(ctx), asked.name)


def _upgrade(skills: Shelf, name: str) -> Text:
    wanted = [skills.find(name)] if name else [s for s in skills.every() if isinstance(s, Skill)]
    if name and wanted[0].tier is Tier.BUNDLED:
        raise Usage(
            f'skill upgrade: "{name}" comes with browse', hint="it has the SDK of this version"
        )
    sdk = template.SDK.read_bytes()
    changed = [each for each in wanted if each.tier is not Tier.BUNDLED and _give(each, sdk)]
    lines = [f'Upgraded "{each.name}" (tier {each.tier})' for each in changed]
    return Text(
        "\n".join(lines) or "Every skill has the SDK of this version.",
        {"upgraded": [each.name for each in changed]},
    )


def _give(skill: Skill, sdk: bytes) -> bool:
    path = skill.folder / template.LIBRARY
    if path.is_file() and path.read_bytes() == sdk:
        return False
    if path.parent.is_symlink():
        raise BrowseError(
            Code.SKILL_INVALID,
            f"{path.parent} is a link; nothing was written there.",
            hint="put a folder in its place",
        )
    private_folder(path.parent)
    write_private(path, sdk)
    return True


def _tier(asked: Asked) -> Tier:
    return Tier.GLOBAL if asked.in_global else Tier.PROJECT
