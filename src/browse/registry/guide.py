"""The guide for agents: short prose of ours, and the names of all commands."""

import re
from collections.abc import Iterable, Sequence
from importlib import resources

from browse.registry.spec import Group, Spec, by_command

# What stands between `{needs: press --times}` and `{end}` is there only if this version has that
# command, and that flag of it.
_NEEDS = re.compile(r"^\{needs: (\S+) ?(\S*)\}\n(.*?)^\{end\}\n", re.MULTILINE | re.DOTALL)


def text(specs: Iterable[Spec]) -> str:
    """Write the guide for the commands of this version."""
    known = [spec for spec in specs if not spec.runs_here]
    template = resources.files("browse.registry").joinpath("guide.md").read_text("utf-8")
    kept = _NEEDS.sub(lambda found: found[3] if _has(known, found[1], found[2]) else "", template)
    return kept.replace("{commands}", names(known))


def instructions(specs: Iterable[Spec]) -> str:
    """Write the guide for hosts that speak MCP; they cut it after 2,048 characters."""
    order = list(Group)
    listed = sorted(
        (spec for spec in specs if not spec.runs_here), key=lambda it: order.index(it.group)
    )
    template = resources.files("browse.registry").joinpath("instructions.md").read_text("utf-8")
    return template.replace("{commands}", " ".join(by_command(listed))).strip()


def names(specs: Sequence[Spec]) -> str:
    """List the names of the commands by group."""
    rows = {group: by_command(spec for spec in specs if spec.group is group) for group in Group}
    return "\n".join(f"- {group.value}: `{' '.join(row)}`" for group, row in rows.items() if row)


def _has(specs: Iterable[Spec], name: str, flag: str) -> bool:
    flags = [{arg.spelled for arg in spec.flags} for spec in specs if spec.command == name]
    return bool(flags) and (not flag or any(flag in each for each in flags))
