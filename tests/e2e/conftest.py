"""Fixtures of the end-to-end tests."""

from pathlib import Path

import pytest

from support.cli import Project


@pytest.fixture
def temporary(project: Project) -> Path:
    """The folder in which the programs of a project put their temporary files."""
    folder = project.root.parent / "temporary"
    folder.mkdir()
    project.env["TMPDIR"] = str(folder)
    return folder
