"""What is private in libraries and in Python: on one page, and not missed where it is absent."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import playwright
import pytest
from playwright._impl.browser_context import BrowserContext

ROOT = Path(__file__).parents[2]
CODE = ROOT / "src" / "browse"
PAGE = ROOT / "docs" / "dependencies.md"
# They begin with an underscore and are documented all the same.
DOCUMENTED = {"_thread", "_exit", "_replace", "_lib.browse_client"}
OWN = {"self", "cls"}
PROTOCOL = Path(playwright.__file__).parent / "driver/package/types/protocol.d.ts"


def modules() -> list[Path]:
    return [path for path in sorted(CODE.rglob("*.py")) if "bundled" not in path.parts]


def is_private(name: str) -> bool:
    return any(re.match("_[^_]", part) for part in name.split("."))


def imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [each.name for each in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        module = str(node.module)
        # A name may be a module as well: `from playwright._impl import out_of_process`.
        names = [f"{module}.{each.name}" for each in node.names]
        return [module] if module.count(".") > 1 else names
    return []


def reached(node: ast.AST) -> list[str]:
    """Name the attributes of others that a node reaches for, also by way of `getattr`."""
    if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") not in OWN:
        return [node.attr]
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {"getattr", "setattr"}:
        return [str(arg.value) for arg in node.args[1:2] if isinstance(arg, ast.Constant)]
    return []


def private_uses(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = [name for name in imported(node) if not name.startswith(("browse.", "__future__"))]
        yield from filter(is_private, names + reached(node))


def listed() -> set[tuple[str, str]]:
    """Read the table of private names: module and name."""
    table = PAGE.read_text("utf-8").partition("## Private names")[2].partition("\n## ")[0]
    rows = [row.split("|") for row in table.splitlines() if row.startswith("| `")]
    return {
        (row[1].strip(" `"), name)
        for row in rows
        for name in re.findall("`([^`]+)`", row[2])
        if is_private(name)
    }


def test_the_page_lists_every_private_name_and_no_other():
    found = {
        (path.relative_to(CODE).as_posix(), name)
        for path in modules()
        for name in private_uses(path)
        if name not in DOCUMENTED
    }

    assert found == listed()


def test_every_test_that_the_page_names_is_there():
    named = re.findall(r"`(tests/[\w/]+\.py)`", PAGE.read_text("utf-8"))

    assert named
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_every_method_of_the_protocol_is_known_to_the_installed_playwright():
    known = set(re.findall(r'"(\w+\.\w+)": ', PROTOCOL.read_text("utf-8")))
    domains = {name.partition(".")[0] for name in known}
    used = {
        node.value
        for path in (CODE / "browser").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.fullmatch(r"[A-Z]\w+\.[a-z]\w+", node.value)
        if node.value.partition(".")[0] in domains
    }

    assert len(used) > 40
    assert used - known == set()


def test_the_page_names_only_methods_that_are_used():
    chromium = PAGE.read_text("utf-8").partition("## Chromium")[2]
    named = set(re.findall(r"`([A-Z]\w+\.[a-z]\w+)`", chromium))
    code = "\n".join(path.read_text("utf-8") for path in (CODE / "browser").rglob("*.py"))

    assert named
    assert [name for name in sorted(named) if f'"{name}"' not in code] == []


def test_a_copy_of_a_har_can_be_freed():
    assert callable(BrowserContext._dispose_har_routers)


@pytest.mark.parametrize(
    ("module", "private", "public", "tried"),
    [
        ("browse.client.wire", "_socket", "socket", "sockets.socket().close()"),
        ("browse.sdk.browse_client", "_socket", "socket", "sockets.socket().close()"),
        ("browse.sdk.run_script", "_ast", "ast", "ast.Expression"),
        ("browse.core.supervisor", "_signal", "signal", "signals.SIGKILL"),
    ],
)
def test_without_a_private_module_the_public_one_is_used(module, private, public, tried):
    script = f"""
import importlib, sys
import {public}
sys.modules[{private!r}] = None
module = importlib.import_module({module!r})
module.{tried}
assert module.{tried.partition(".")[0]} is {public}
"""
    subprocess.run([sys.executable, "-c", script], check=True)
