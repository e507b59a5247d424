"""The second name of the program: another tool is called browse too."""

import subprocess
import tomllib
from pathlib import Path

from browse import __version__
from browse.setup import invocation

ROOT = Path(__file__).parents[2]


def test_both_names_are_installed_as_the_same_program():
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]

    assert set(scripts) == {invocation.NAME, invocation.SECOND}
    assert scripts[invocation.NAME] == scripts[invocation.SECOND]


def test_the_second_name_of_a_checkout_is_the_first():
    second = ROOT / invocation.SECOND

    ran = subprocess.run([second, "--version"], capture_output=True, text=True, check=True)

    assert second.resolve() == ROOT / invocation.NAME
    assert ran.stdout == f"browse {__version__}\n"
