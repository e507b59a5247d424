"""Every command is run by an end-to-end test."""

import re
from pathlib import Path

import browse.commands  # noqa: F401 - importing the groups declares the commands
from browse.registry.spec import Spec, declared

TESTS = [file.read_text("utf-8") for file in (Path(__file__).parents[1] / "e2e").rglob("test_*.py")]
# As a word of its own that begins a call: browser.ok("goto", …), or a row of a table: ["goto", …].
CALL = re.compile(r'(?:\b(?:ok|browse|ask|post|start)\(\s*|[\[(]\s*)"([a-z][a-z-]*)"')
CALLED = {name for test in TESTS for name in CALL.findall(test)}


def is_run(spec: Spec) -> bool:
    """Tell whether a command is called, and for a sub-command also if that file has its word."""
    if spec.family is None or spec.words[0] == spec.family.default:
        return spec.command in CALLED
    return any(f'"{spec.command}"' in test and f'"{spec.words[0]}"' in test for test in TESTS)


def test_every_command_is_run_by_an_end_to_end_test():
    ours = [spec for spec in declared() if not spec.runs_here]

    assert [spec.name for spec in ours if not is_run(spec)] == []
