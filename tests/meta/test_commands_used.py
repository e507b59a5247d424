"""Every command is run by an end-to-end test."""

import re
from pathlib import Path

import pytest

import browse.commands  # noqa: F401 - importing the groups declares the commands
from browse.registry.spec import declared

TESTS = "\n".join(
    file.read_text("utf-8") for file in (Path(__file__).parents[1] / "e2e").rglob("test_*.py")
)
# As a word of its own that begins a call: browser.ok("goto", …), or a row of a table: ["goto", …].
CALLED = set(re.findall(r'(?:\b(?:ok|browse|ask|post|start)\(\s*|[\[(]\s*)"([a-z][a-z-]*)"', TESTS))


@pytest.mark.parametrize("name", [spec.name for spec in declared() if not spec.runs_here])
def test_command_is_run_by_an_end_to_end_test(name: str):
    assert name in CALLED
