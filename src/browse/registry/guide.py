"""The guide for agents: short prose of ours around a table made from the declarations."""

from collections.abc import Iterable
from importlib import resources

from browse.registry.render import short_usage
from browse.registry.spec import Group, Spec


def text(specs: Iterable[Spec]) -> str:
    """Write the guide for the commands of this version."""
    template = resources.files("browse.registry").joinpath("guide.md").read_text("utf-8")
    return template.replace("{commands}", table(specs))


def table(specs: Iterable[Spec]) -> str:
    """List the commands by group, one a line."""
    known = list(specs)
    parts: list[str] = []
    for group in Group:
        rows = [
            f"- `{short_usage(spec)}` {spec.summary}"
            for spec in known
            if spec.group is group and not spec.runs_here
        ]
        if rows:
            parts.append(f"**{group.value}**\n" + "\n".join(rows))
    return "\n\n".join(parts)
