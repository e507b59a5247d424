"""What must be true of every skill that comes along."""

import ast
import subprocess
import sys

import pytest

from browse.skills import run_tests
from browse.skills.installed import BUNDLED, Tier, read_skill
from browse.skills.template import LIBRARY, SDK

FOLDERS = sorted(path for path in BUNDLED.iterdir() if path.is_dir())
every_skill = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def test_these_come_along():
    assert [folder.name for folder in FOLDERS] == [
        "github-releases",
        "hackernews-frontpage",
        "opengraph-card",
        "pypi-package",
        "rss-feed",
        "wikipedia-infobox",
    ]


@every_skill
def test_it_is_whole(folder):
    skill = read_skill(folder, Tier.BUNDLED)

    assert skill.about.name == folder.name
    assert skill.about.description
    assert skill.about.triggers
    assert (skill.about.version, skill.about.source) == ("1.0.0", "human")
    assert skill.script.is_file()
    assert list((folder / "fixtures").glob("*.html"))


@every_skill
def test_its_sdk_is_the_one_of_this_version(folder):
    assert (folder / LIBRARY).read_bytes() == SDK.read_bytes()


@every_skill
def test_its_tests_pass_without_pytest(folder):
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-B", run_tests.__file__, str(folder)],
        capture_output=True,
        text=True,
    )

    assert ran.returncode == 0, ran.stderr


@every_skill
def test_its_script_uses_the_standard_library_alone(folder):
    tree = ast.parse((folder / "script.py").read_text("utf-8"))
    names = [
        name
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names] if isinstance(node, ast.Import)
            else [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        )
    ]  # fmt: skip

    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names | {"_lib"}
