"""`skill new`, `rm`, `restore` and `upgrade`."""

import asyncio
from typing import Annotated

from browse.commands.skills import (
    SKILL,
    InHome,
    InProject,
    Name,
    decisions,
    installed_skills,
    tier_of,
)
from browse.core.errors import BrowseError, Code, Usage
from browse.core.files import private_folder, write_private
from browse.core.paths import Paths
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc
from browse.registry.results import Text
from browse.registry.spec import Lane, command
from browse.skills import contents, staging, template, trash
from browse.skills.installed import SCRIPT, InstalledSkills, Skill, Tier, read_skill
from browse.skills.trust import SkillDecisions, Trust


@command(family=SKILL, scope=Scope.ROOT, lane=Lane.FREE)
async def skill_new(
    ctx: Ctx,
    name: Name,
    *,
    host: Annotated[str, Doc("The site of the skill; default: any.")] = "*",
    project: InProject = False,
) -> Text:
    """Create a skill from a working template.

    Examples:
        browse skill new price-list --host shop.example.com
    """
    files = template.files(name, host.lower())
    return await asyncio.to_thread(_new, ctx, name, files, tier_of(project=project))


def _new(ctx: Ctx, name: str, files: dict[str, bytes], tier: Tier) -> Text:
    skills = installed_skills(ctx)
    staged = staging.stage(Paths.of(ctx.settings), name, files)
    try:
        read_skill(staged, tier)
        folder = staging.commit(staged, skills.roots[tier], tier)
    except BrowseError:
        staging.discard(staged)
        raise
    shadows = skills.find(name).shadows
    over = f" It goes before the one of tier {shadows[-1]}." if shadows else ""
    return Text(
        f'Made "{name}" (tier {tier}) → {folder}{over}\n'
        f"Next: change script.py, then `browse skill test {name}` "
        f"and `browse skill run {name}`",
        {"skill": name, "tier": tier, "folder": str(folder), "shadows": list(shadows)},
    )


@command(family=SKILL, scope=Scope.ROOT, lane=Lane.FREE, destroys=True)
async def skill_rm(ctx: Ctx, name: Name, *, global_: InHome = False) -> Text:
    """Remove a skill; `restore` brings it back.

    Examples:
        browse skill rm price-list --global
    """
    skills, tier = installed_skills(ctx), tier_of(project=not global_)
    place = await asyncio.to_thread(trash.remove, skills.roots[tier], tier, name)
    return Text(
        f'Tombstoned "{name}" (tier {tier}) → {place}',
        {"skill": name, "tier": tier, "tombstone": place.name},
    )


@command(family=SKILL, scope=Scope.ROOT, lane=Lane.FREE)
async def skill_restore(
    ctx: Ctx,
    name: Name,
    tombstone: Annotated[str, Doc("Which removed version; default: the newest.")] = "",
    *,
    global_: InHome = False,
) -> Text:
    """Restore a removed skill.

    Examples:
        browse skill restore price-list --global
    """
    skills, tier = installed_skills(ctx), tier_of(project=not global_)
    place = await asyncio.to_thread(trash.restore, skills.roots[tier], tier, name, tombstone)
    return Text(
        f'Restored "{name}" (tier {tier}) from {place.name}',
        {"skill": name, "tier": tier, "tombstone": place.name},
    )


@command(family=SKILL, scope=Scope.ROOT, lane=Lane.FREE)
async def skill_upgrade(ctx: Ctx, name: Name | None = None) -> Text:
    """Update the SDK of a skill, or of all skills, to this version.

    Examples:
        browse skill upgrade
        browse skill upgrade price-list
    """
    return await asyncio.to_thread(_upgrade, installed_skills(ctx), decisions(ctx), name)


def _upgrade(skills: InstalledSkills, decided: SkillDecisions, name: str | None) -> Text:
    wanted = [skills.find(name)] if name else [s for s in skills.every() if isinstance(s, Skill)]
    if name and wanted[0].tier is Tier.BUNDLED:
        raise Usage(
            f'skill upgrade: "{name}" comes with browse', hint="it has the SDK of this version"
        )
    own = [it for it in wanted if it.tier is not Tier.BUNDLED and it.script.name == SCRIPT]
    changed = [each for each in own if _give_kept(each, decided)]
    lines = [f'Upgraded "{each.name}" (tier {each.tier})' for each in changed]
    return Text(
        "\n".join(lines) or "Every skill has the SDK of this version.",
        {"upgraded": [each.name for each in changed]},
    )


def _give_kept(skill: Skill, decided: SkillDecisions) -> bool:
    """Replace the SDK; a trusted skill stays trusted, because the new file is ours."""
    trusted = decided.trust_of(skill) is Trust.GIVEN
    given = [_give(skill, library) for library in template.LIBRARIES]
    if trusted and any(given):
        decided.trust(skill, contents.digest(skill))
    return any(given)


def _give(skill: Skill, library: str) -> bool:
    path = skill.folder / library
    if library != template.LIBRARY and not path.exists():
        return False
    sdk = template.SDK.with_name(path.name).read_bytes()
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
