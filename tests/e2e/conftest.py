"""Fixtures of the end-to-end tests."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from browse.core.paths import USUAL_TEMP
from support.cli import Project


@pytest.fixture
def temporary(project: Project) -> Iterator[Path]:
    """The folder in which the programs of a project put their temporary files."""
    # Not below tmp_path or TMPDIR, which may be too long for the socket that Chromium makes in it.
    folder = Path(tempfile.mkdtemp(prefix="t-", dir=USUAL_TEMP))
    project.env["TMPDIR"] = str(folder)
    yield folder
    project.end()
    shutil.rmtree(folder)


@pytest.fixture
def skills(browser: Project) -> Iterator[Path]:
    """The folder of the project's own skills, empty before and after."""
    folder = browser.root / ".gstack" / "browser-skills"
    home = Path(browser.env["HOME"]) / ".gstack" / "browser-skills"
    yield folder
    for each in (folder, home):
        shutil.rmtree(each, ignore_errors=True)
