"""No code searches the text of an error for data: an error carries what others need to know."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2] / "src" / "browse"
# The one reader of the driver's messages, which carry nothing else.
READERS = {ROOT / "browser" / "driver_messages.py"}
TEXTS = {"message", "hint"}
SEARCHES = {"startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition"} | {
    "find", "index", "search", "match", "fullmatch", "findall", "finditer"
}  # fmt: skip


def is_text_of_error(node: ast.AST) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str":
        return any(isinstance(each, ast.Name) and each.id == "exc" for each in node.args)
    of_self = isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "self"
    return isinstance(node, ast.Attribute) and node.attr in TEXTS and not of_self


def searched(tree: ast.AST) -> Iterator[ast.AST]:
    """Find comparisons and searches with the text of an error in them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            parts = [node.func.value, *node.args] if node.func.attr in SEARCHES else []
        else:
            continue
        if any(map(is_text_of_error, parts)):
            yield node


def test_a_search_is_found():
    for line in (
        "'a' in exc.message",
        "str(exc) == 'a'",
        "re.search('a', problem.message)",
        "exc.hint.partition('. ')",
    ):
        assert list(searched(ast.parse(line))), line
    assert not list(searched(ast.parse("log.error(exc.message)")))


def test_no_module_searches_the_text_of_an_error():
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted(ROOT.rglob("*.py"))
        if path not in READERS and "bundled" not in path.parts
        for node in searched(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.expr)
    ]

    assert found == []
