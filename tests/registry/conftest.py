"""Surroundings for the binder."""

from pathlib import Path

import pytest

from browse.guard.files import Roots
from browse.registry.params import Surroundings

# Files that the examples of the commands name.
NAMED = ("report.html", "page.html", "payload.json", "extract.js")


def a_place(folder: Path) -> Surroundings:
    for name in NAMED:
        (folder / name).write_text("<p>x")
    return Surroundings(str(folder), Roots.of(str(folder)))


@pytest.fixture(scope="session")
def place(tmp_path_factory) -> Surroundings:
    """A project that has the files which the examples name."""
    return a_place(tmp_path_factory.mktemp("project"))
