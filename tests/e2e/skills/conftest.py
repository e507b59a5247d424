"""The skills of the shared project."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.cli import Project


@pytest.fixture
def skills(browser: Project) -> Iterator[Path]:
    """The folder of the project's own skills, empty before and after."""
    folder = browser.root / ".gstack" / "browser-skills"
    home = Path(browser.env["HOME"]) / ".gstack" / "browser-skills"
    yield folder
    for each in (folder, home):
        shutil.rmtree(each, ignore_errors=True)
