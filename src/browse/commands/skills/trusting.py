"""`skill trust` and `untrust`: which skills run without the sandbox. A person decides it."""

import asyncio
from typing import Annotated

from browse.commands.skills import SKILL, Name, decisions, installed_skills
from browse.core.errors import BrowseError, Code
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc
from browse.registry.results import Text
from browse.registry.spec import Lane, command
from browse.skills import contents
from browse.skills.installed import Skill

CODE_CHARS = 6


@command(family=SKILL, scope=Scope.ROOT, lane=Lane.FREE)
async def skill_trust(
    ctx: Ctx,
    name: Name,
    *,
    show: Annotated[bool, Doc("Show what to type; trust nothing.")] = False,
) -> Text:
    """Let a skill run without the sandbox and with your environment, until a file of it changes.

    For the person, in their own terminal: it asks for the first characters of the hash of the
    skill's files. Read all of them first. A skill cannot give itself trust; `trusted: true` in its
    SKILL.md only asks for it.

    Examples:
        browse skill trust price-list
    """
    skill = installed_skills(ctx).find(name)
    digest = await asyncio.to_thread(contents.digest, skill)
    facts = {"skill": skill.name, "tier": skill.tier, "folder": str(skill.folder), "hash": digest}
    if show:
        return Text(_question(skill, digest), facts)
    _check_code(skill, digest, ctx.call.stdin)
    await asyncio.to_thread(decisions(ctx).trust, skill, digest)
    return Text(
        f'Trusted "{skill.name}" (tier {skill.tier}): it runs without the sandbox '
        "until one of its files changes.",
        facts,
    )


def _question(skill: Skill, digest: str) -> str:
    return (
        f'"{skill.name}" (tier {skill.tier}) in {skill.folder}\n'
        "would run without the sandbox: it could read, change and send whatever you can.\n"
        f"Type `{digest[:CODE_CHARS]}` to trust its files as they are now, or nothing."
    )


def _check_code(skill: Skill, digest: str, typed: bytes) -> None:
    if typed.decode("utf-8", "replace").strip().lower() == digest[:CODE_CHARS]:
        return
    wrong = "That is not what was asked for" if typed.strip() else "Only a person can trust a skill"
    raise BrowseError(
        Code.NOT_CONFIRMED,
        f"{wrong}. Nothing was done.",
        hint=f"the person types `browse skill trust {skill.name}` in a terminal of their own",
    )


@command(family=SKILL, scope=Scope.ROOT, lane=Lane.FREE)
async def skill_untrust(ctx: Ctx, name: Name) -> Text:
    """Run a skill in the sandbox again.

    Examples:
        browse skill untrust price-list
    """
    skill = installed_skills(ctx).find(name)
    was = await asyncio.to_thread(decisions(ctx).untrust, skill)
    said = "runs in the sandbox again" if was else "was not trusted"
    return Text(f'"{skill.name}" (tier {skill.tier}) {said}.', {"skill": name, "changed": was})
