"""A command, or a sub-command, is its declaration, its test and a line in the changelog.

Both are added to a copy of the tree, and nothing else there is changed by hand: the generator
writes the rest, and the tests that look at all commands pass.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("src", "tests", "tools", "docs", "skills")
FILES = ("pyproject.toml", "browse", "LICENSE", *(path.name for path in ROOT.glob("*.md")))
COMMAND = '''
"""The host of a page."""

from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard.hosts import host_of
from browse.registry.results import PageText, from_page
from browse.registry.spec import Group, command


@command(group=Group.READING, scope=Scope.READ, aliases=("domain",))
async def host(ctx: Ctx) -> PageText:
    """Print the host of the page.

    Examples:
        browse host
    """
    name = host_of(ctx.tab.url)
    return PageText(name, ctx.tab.url, from_page(url=ctx.tab.url, host=name))
'''
SUB_COMMAND = '''
"""`skill rename`."""

from typing import Annotated

from browse.commands.skills import SKILL, Name
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc
from browse.registry.results import Text
from browse.registry.spec import Lane, command


@command(family=SKILL, scope=Scope.ROOT, lane=Lane.FREE)
async def skill_rename(
    ctx: Ctx, name: Name, *, into: Annotated[str, Doc("What to call it.")] = ""
) -> Text:
    """Give a skill another name.

    Examples:
        browse skill rename price-list --into prices
    """
    return Text(f"{name} is {into}")
'''
TEST = """
def test_host(browser):
    browser.ok("host")
    browser.ok("skill", "rename", "price-list")
"""
BY_HAND = {
    "src/browse/commands/reading/host.py": COMMAND,
    "src/browse/commands/skills/renaming.py": SUB_COMMAND,
    "tests/e2e/reading/test_host.py": TEST,
}
GENERATED = {
    "src/browse/client/_names.py",
    "src/browse/client/_help.py",
    "src/browse/commands/_modules.py",
    "src/browse/mcp/_offer.py",
    "src/browse/setup/skills/browse/SKILL.md",
    "skills/browse/SKILL.md",
    "docs/commands.md",
}
# They look at every command, each in its own way.
ABOUT_ALL = (
    *("tests/commands/test_commands.py", "tests/dispatch/test_matrix.py"),
    *(f"tests/registry/test_{name}.py" for name in ("guide", "other_tools", "render", "spec")),
    *(f"tests/registry/test_{name}.py" for name in ("table", "table_on_use")),
    *(f"tests/meta/test_{name}.py" for name in ("layout", "commands_used", "guide", "docs")),
)
# Of tests with parameters, only those about the two.
ONLY_NEW = """
def pytest_collection_modifyitems(items):
    wanted = ("host", "rename")
    items[:] = [it for it in items if "[" not in it.name or any(map(it.name.__contains__, wanted))]
"""
BIND = """
import browse.commands
from browse.guard.files import Roots
from browse.registry.bind import bind
from browse.registry.params import Surroundings
from browse.registry.spec import declared
from browse.registry.table import CommandTable
spec, rest = CommandTable(declared()).split(["skill", "--into", "prices", "rename", "price-list"])
print(bind(spec, rest, Surroundings("/", Roots(()))).call())
"""


class Copy:
    """The tree of a project to which the two were added."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in FOLDERS:
            skipped = shutil.ignore_patterns(".*")
            shutil.copytree(ROOT / name, root / name, ignore=skipped)
        for name in FILES:
            shutil.copy(ROOT / name, root / name)

    def files(self) -> dict[str, bytes]:
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }

    def read(self, name: str) -> str:
        return (self.root / name).read_text("utf-8")

    def python(self, *words: str) -> subprocess.CompletedProcess[str]:
        own = {"PYTHONPATH": str(self.root / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
        env = {**os.environ, **own, "PYTEST_ADDOPTS": ""}
        return subprocess.run(
            [sys.executable, *words], cwd=self.root, env=env, capture_output=True, text=True
        )

    def browse(self, *words: str) -> subprocess.CompletedProcess[str]:
        return self.python("-I", str(self.root / "src/browse/client/boot.py"), *words)


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Copy:
    made = Copy(tmp_path_factory.mktemp("added"))
    before = made.files()
    for name, text in BY_HAND.items():
        (made.root / name).write_text(text.lstrip(), "utf-8")
    done = made.python("tools/gen.py")
    assert (done.returncode, done.stderr) == (0, "")
    after = made.files()
    assert {name for name in after if after[name] != before.get(name)} == {*BY_HAND, *GENERATED}
    return made


def test_help_knows_them(copy):
    assert (
        "\n  host                        Print the host of the page.\n"
        in copy.browse("help").stdout
    )
    assert copy.browse("help", "domain").stdout.startswith("Usage: browse host\n")
    assert (
        "\n  skill rename <name>         Give a skill another name.\n"
        in copy.browse("help", "skill").stdout
    )
    assert copy.browse("skill", "rename", "--help").stdout.startswith(
        "Usage: browse skill rename <name> [--into into]\n"
    )


def test_a_slip_is_answered_with_them(copy):
    assert "Did you mean 'host'?" in copy.browse("hosst").stderr
    assert "Did you mean 'skill rename'?" in copy.browse("help", "skill", "renmae").stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_offers_them(copy, shell):
    script = copy.browse("completion", shell).stdout

    assert " host " in script
    assert " rename " in script
    assert any("'skill rename'" in line and "--into" in line for line in script.splitlines()) or (
        "__browse_at skill rename' -a '--into" in script
    )


def test_documents_and_the_guide_have_them(copy):
    page = copy.read("docs/commands.md")

    assert "\n### `host`\n" in page
    assert "\n#### `skill rename`\n" in page
    assert "| `skill rename <name>` | Give a skill another name. |" in page
    assert re.search(r"^- .*[` ]host[` ]", copy.read("skills/browse/SKILL.md"), re.MULTILINE)


def test_words_are_bound_to_them(copy):
    assert copy.python("-c", BIND).stdout == "(['price-list'], {'into': 'prices'})\n"


def test_no_other_list_has_to_be_changed(copy):
    (copy.root / "src/only_new.py").write_text(ONLY_NEW)

    done = copy.python("-m", "pytest", "-q", "-n", "0", "-p", "only_new", *ABOUT_ALL)

    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
