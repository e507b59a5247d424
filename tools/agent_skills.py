"""Skills for agents from their templates: what lists commands is made from the declarations.

In a template, `{usage: goto click}` becomes a line for each of these commands. What stands between
`{needs: skill record x}` and `{else}` or `{end}` is there only if these words are a command of this
version; what stands after `{else}`, only if not.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from browse.core.errors import BrowseError
from browse.guard.files import Roots
from browse.registry.bind import bind
from browse.registry.params import Surroundings
from browse.registry.render import line
from browse.registry.spec import Spec, by_command
from browse.registry.table import CommandTable

TEMPLATES = Path(__file__).resolve().parent / "skills"
SUFFIX = ".md.in"
_NEEDS = re.compile(
    r"^\{needs: (?P<words>[^\n}]+)\}\n(?P<then>.*?)(?:^\{else\}\n(?P<otherwise>.*?))?^\{end\}\n",
    re.MULTILINE | re.DOTALL,
)
_USAGE = re.compile(r"^\{usage: (?P<names>.+)\}$", re.MULTILINE)


def names() -> list[str]:
    """List the skills that there are templates of."""
    return sorted(path.name.removesuffix(SUFFIX) for path in TEMPLATES.glob(f"*{SUFFIX}"))


def text(name: str, specs: Iterable[Spec]) -> str:
    """Write a skill for the commands of this version."""
    return fill((TEMPLATES / f"{name}{SUFFIX}").read_text("utf-8"), CommandTable(specs))


def fill(template: str, table: CommandTable) -> str:
    """Put into a template what depends on the commands that there are."""

    def chosen(found: re.Match[str]) -> str:
        there = is_there(found["words"].split(), table)
        return found["then"] if there else found["otherwise"] or ""

    def usage(found: re.Match[str]) -> str:
        lines = [line(_known(name, table)) for name in found["names"].split()]
        return "\n".join(f"- {text.replace('`', '`browse ', 1)}" for text in lines)

    return _USAGE.sub(usage, _NEEDS.sub(chosen, template))


def _known(name: str, table: CommandTable) -> list[Spec]:
    return by_command(table.specs).get(name) or [table.find(name)]


def is_there(words: list[str], table: CommandTable) -> bool:
    """Tell whether these words are a command."""
    try:
        spec, rest = table.split(words)
        bind(spec, rest, Surroundings("/", Roots(())))
    except BrowseError:
        return False
    return True
