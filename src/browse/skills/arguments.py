"""The arguments of a run: `--arg key=value`, checked against the skill's SKILL.md."""

from collections.abc import Sequence

from browse.core.errors import Usage
from browse.skills.frontmatter import SkillArg
from browse.skills.installed import Skill


def check(skill: Skill, given: Sequence[str]) -> dict[str, str]:
    """Return a value for each argument: the given one, else its default."""
    values: dict[str, str] = {}
    for word in given:
        key, equals, value = word.partition("=")
        if not equals or key in values:
            reason = "is given twice" if equals else "is not key=value"
            raise _wrong(skill, f"--arg {word[:60]!r} {reason}")
        values[key] = value
    known = {arg.name for arg in skill.about.args}
    if unknown := [key for key in values if key not in known]:
        raise _wrong(skill, f"it has no argument {unknown[0][:60]!r}")
    if missing := [a.name for a in skill.about.args if a.required and a.name not in values]:
        raise _wrong(skill, f"--arg {missing[0]}=… is missing")
    defaults = {arg.name: arg.default for arg in skill.about.args if arg.default is not None}
    return {**defaults, **values}


def words(values: dict[str, str]) -> list[str]:
    """Spell the arguments as the script gets them."""
    return [word for key, value in values.items() for word in ("--arg", f"{key}={value}")]


def _wrong(skill: Skill, message: str) -> Usage:
    taken = "; ".join(map(_shown, skill.about.args)) or "none"
    return Usage(f"skill run {skill.name}: {message}", hint=f"its arguments: {taken}")


def _shown(arg: SkillArg) -> str:
    about = " ".join(arg.description.split())[:80]
    how = (
        "required" if arg.required else "" if arg.default is None else f"default {arg.default[:80]}"
    )
    more = ", ".join(filter(None, [about, how]))
    return f"{arg.name} ({more})" if more else arg.name
