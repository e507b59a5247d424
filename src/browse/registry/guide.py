"""The guide for agents: short prose of ours around a table made from the declarations."""

from collections.abc import Iterable
from importlib import resources

from browse.registry.render import line
from browse.registry.signature import Argument
from browse.registry.spec import Group, Spec, by_command

# Groups with a line for each command; of the rest, the guide lists only the names.
DESCRIBED = (
    Group.NAVIGATION,
    Group.READING,
    Group.SNAPSHOT,
    Group.INTERACTION,
    Group.TABS,
    Group.META,
)


def text(specs: Iterable[Spec]) -> str:
    """Write the guide for the commands of this version."""
    template = resources.files("browse.registry").joinpath("guide.md").read_text("utf-8")
    return template.replace("{commands}", table(specs))


def table(specs: Iterable[Spec]) -> str:
    """List the commands by group: the everyday ones a line each, the others by name."""
    known = [spec for spec in specs if not spec.runs_here]
    parts: list[str] = []
    for group in Group:
        rows = by_command(spec for spec in known if spec.group is group)
        if rows and group in DESCRIBED:
            lines = [f"- {line(members)}" for members in rows.values()]
            if group is Group.SNAPSHOT:
                lines += [f"  {_flag(arg)}" for spec in rows["snapshot"] for arg in spec.flags]
            parts.append(f"**{group.value}**\n" + "\n".join(lines))
        elif rows:
            names = ", ".join(f"`{name}`" for name in rows)
            parts.append(f"**{group.value}**: {names}")
    return "\n\n".join(parts)


def _flag(arg: Argument) -> str:
    form = f"-{arg.doc.short}" if arg.doc.short else arg.spelled
    return f"- `{form if arg.switch else f'{form} {arg.metavar}'}` {arg.doc.help}"
