"""The tour in the README, typed word by word, gives the output that is printed there."""

import re
import shlex
from pathlib import Path
from urllib.parse import quote

import pytest

from meta import markdown
from support.cli import Project

pytestmark = pytest.mark.e2e
README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
FOLDER = "/tmp/tour"


def tour() -> list[tuple[str, str]]:
    """Split the console blocks into commands and what each prints."""
    lines = [
        line for block in markdown.blocks(README) if block.kind == "console" for line in block.lines
    ]
    steps: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith("$ "):
            steps.append((line.removeprefix("$ "), []))
        else:
            steps[-1][1].append(line)
    return [(command, "\n".join(output)) for command, output in steps]


def test_tour_is_true(project: Project):
    page = next(block for block in markdown.blocks(README) if block.kind == "html")
    (project.root / "tea.html").write_text("\n".join(page.lines))

    seen = [(command, typed(project, command)) for command, _ in tour()]
    assert [unnumbered(step) for step in seen] == [unnumbered(step) for step in tour()]


def unnumbered(step: tuple[str, str]) -> tuple[str, str]:
    """Leave out the numbers of envelopes, which are drawn anew each time."""
    return step[0], re.sub(r"\[[0-9a-f]{8}\]", "[…]", step[1])


def typed(project: Project, command: str) -> str:
    ran = project.browse(*shlex.split(command)[1:])
    said = (ran.err + ran.out).strip()
    for root in (str(project.root), quote(str(project.root))):  # as a path, and in an address
        said = said.replace(root, FOLDER)
    return said
