"""Modules and functions stay small enough to be read in one go."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAX_MODULE_LINES = 400
MAX_FUNCTION_LINES = 60
GENERATED = {"_help.py", "_names.py"}
SOURCES = [
    path
    for folder in ("src", "tools", "tests")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "node_modules" not in path.parts
    if path.name not in GENERATED
]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_no_module_is_too_long():
    sizes = {name(path): len(path.read_text("utf-8").splitlines()) for path in SOURCES}

    # What is too long is split by noun.
    assert {path: lines for path, lines in sizes.items() if lines > MAX_MODULE_LINES} == {}


def test_no_function_is_too_long():
    codes = {path: path.read_text("utf-8") for path in SOURCES}
    sizes = {
        f"{name(path)}:{node.lineno} {node.name}": length(node)
        for path, code in codes.items()
        if code.count("\n") > MAX_FUNCTION_LINES
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }

    assert {place: lines for place, lines in sizes.items() if lines > MAX_FUNCTION_LINES} == {}


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function without its docstring, which for a command is its help."""
    lines = (node.end_lineno or 0) - node.lineno + 1
    first = node.body[0]
    if ast.get_docstring(node) is not None:
        lines -= (first.end_lineno or 0) - first.lineno + 1
    return lines
