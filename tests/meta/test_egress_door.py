"""There is one way out: `Outgoing` is made by egress, and replies are built in one module."""

import ast
from pathlib import Path

import pytest

from browse.egress.pipeline import Outgoing, Wants, render
from browse.registry.results import RESULTS, PageText, Text

PACKAGE = Path(__file__).parents[2] / "src" / "browse"
RESPONSES = "starlette.responses"


def modules_with(word: str) -> list[Path]:
    """List the modules that have a word anywhere: only those are worth parsing."""
    return [path for path in PACKAGE.rglob("*.py") if word in path.read_text("utf-8")]


def imported(path: Path) -> set[str]:
    """List the dotted names that a module imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def called(path: Path) -> set[str]:
    """List the plain names that a module calls."""
    return {
        node.func.id
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


def test_outgoing_cannot_be_built_outside_egress():
    with pytest.raises(TypeError, match="egress"):
        Outgoing("words", {}, is_json=False, key=object())


def test_only_the_pipeline_builds_outgoing():
    builders = [path for path in modules_with("Outgoing") if "Outgoing" in called(path)]

    assert [path.relative_to(PACKAGE).as_posix() for path in builders] == ["egress/pipeline.py"]


def test_only_reply_imports_response_classes():
    doors = [path for path in modules_with("starlette") if RESPONSES in imported(path)]

    assert [path.relative_to(PACKAGE).as_posix() for path in doors] == ["server/reply.py"]


def test_a_result_is_never_a_plain_string():
    assert str not in RESULTS


def test_page_words_leave_in_an_envelope_and_ours_do_not():
    theirs = render(PageText("hello", "https://example.com/"), Wants()).text
    ours = render(Text("hello"), Wants()).text

    assert ours == "hello"
    assert theirs.splitlines()[1:-1] == ["hello"]
