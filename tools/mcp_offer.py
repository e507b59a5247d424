"""What the MCP server offers: its instructions, the help pages, the prompts."""

import re

from tools import agent_skills

from browse.registry import guide
from browse.registry.spec import Group, declared

_DESCRIPTION = re.compile(r"^description: (.*)$", re.MULTILINE)


def text(made: str) -> str:
    """Write the module that both servers load."""
    specs = declared()
    pages = {spec.name: spec.summary for spec in specs}
    pages |= {spec.family.name: spec.family.summary for spec in specs if spec.family}
    pictures = sorted(
        word for spec in specs if spec.group is Group.VISUAL for word in spec.first_words
    )
    lines = [f'"""{made}"""', "# ruff: noqa: E501", "# fmt: off", ""]
    lines += [f"INSTRUCTIONS = {guide.instructions(specs)!r}"]
    lines += [f"PICTURES = frozenset({pictures!r})"]
    lines += ["PAGES = {", *(f"    {name!r}: {it!r}," for name, it in sorted(pages.items())), "}"]
    lines += ["PROMPTS = {"]
    for name in agent_skills.names():
        found = _DESCRIPTION.search(agent_skills.text(name, specs))
        description = found[1] if found else name
        lines += [f"    {name!r}: {description!r},"]
    return "\n".join([*lines, "}", ""])
