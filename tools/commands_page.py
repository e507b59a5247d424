"""docs/commands.md: every command as it is declared."""

import inspect

from tools.markdown import table

from browse.core.scopes import Reach
from browse.registry import render
from browse.registry.shared_flags import ACTING, COMMON
from browse.registry.spec import Alias, Family, Group, Lane, Spec, by_command, declared


def text(made: str) -> str:
    """Write the page."""
    lines = ["# Commands", "", f"<!-- {made} -->", "", f"{render.EVERY_TAKES}:", ""]
    lines += _flags("flag", [*render.flag_rows(COMMON), render.FORCE_RESTART])
    lines += ["", "With a command that starts the daemon ([Starting Chromium](launch.md)):", ""]
    lines += _flags("flag", render.start_flag_rows())
    lines += ["", f"{render.ACTING_TAKE}:", "", *_flags("flag", render.flag_rows(ACTING))]
    for group in Group:
        rows = by_command(spec for spec in declared() if spec.group is group)
        lines += ["", f"## {group.value}"] if rows else []
        for members in rows.values():
            if family := members[0].family:
                lines += _family(family, members)
            lines += [line for spec in members for line in _command(spec)]
    return "\n".join(lines) + "\n"


def _family(family: Family, members: list[Spec]) -> list[str]:
    lines = ["", f"### `{family.name}`", "", family.summary]
    lines += ["", inspect.cleandoc(family.body)] if family.body else []
    if family.default:
        lines += ["", f"`browse {family.name}` alone is `browse {family.name} {family.default}`."]
    rows = [(f"`{render.short_usage(spec)}`", spec.summary) for spec in members]
    return [*lines, "", *table(("sub-command", "what it does"), rows)]


def _command(spec: Spec) -> list[str]:
    level = "####" if spec.family else "###"
    lines = ["", f"{level} `{spec.name}`", "", spec.summary]
    lines += ["", spec.body] if spec.body else []
    lines += ["", "```", render.usage(spec).removeprefix("Usage: "), "```"]
    if rows := render.flag_rows(spec.args):
        lines += ["", *_flags("argument or flag", rows)]
    return [*lines, "", "; ".join(_facts(spec)) + ".", "", "```bash", *spec.examples, "```"]


def _facts(spec: Spec) -> list[str]:
    facts = [
        f"scope: {spec.scope.words()}{' (in tabs of its own: read)' if spec.navigates else ''}",
        f"surfaces: {_surfaces(spec)}",
        f"lane: {spec.lane.value if isinstance(spec.lane, Lane) else 'by its arguments'}",
        f"reaches: {spec.reach.value if isinstance(spec.reach, Reach) else 'by its arguments'}",
    ]
    if spec.acts:
        facts.append("acts on the page")
    if spec.mutates and not spec.runs_here:
        at_times = ", by its arguments" if callable(spec.mutates) else ""
        facts.append(f"waits for a person while automation is on{at_times}")
    if spec.aliases:
        facts.append("also: " + ", ".join(map(_also, spec.aliases)))
    return facts


def _also(alias: Alias) -> str:
    return f"`{alias.name}`" + (f" (`{alias.flags}`)" if alias.flags else "")


def _surfaces(spec: Spec) -> str:
    if spec.runs_here:
        return "the terminal only"
    return ", ".join(surface.name.lower() for surface in spec.surfaces if surface.name)


def _flags(head: str, rows: list[tuple[str, str]]) -> list[str]:
    return table((head, "meaning"), [(f"`{form}`", help) for form, help in rows])
