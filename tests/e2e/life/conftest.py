"""Fixtures of the tests of the daemon's life."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator

import psutil
import pytest

from browse.core.paths import USUAL_TEMP
from support.cli import Project, until
from support.life import of_project


@pytest.fixture(scope="module")
def handed_on(tmp_path_factory) -> Iterator[Project]:
    """The project that the tests of a file hand on to each other."""
    # Not below tmp_path or TMPDIR, which may be too long for the socket that Chromium makes in it.
    temporary = tempfile.mkdtemp(prefix="t-", dir=USUAL_TEMP)
    made = Project.make(tmp_path_factory.mktemp("lasting"), TMPDIR=temporary)
    yield made
    made.end()
    shutil.rmtree(temporary)


@pytest.fixture
def lasting(handed_on: Project) -> Iterator[Project]:
    """A project that may have a daemon, left by the test before; whoever needs one runs a command.

    For tests that end or replace a daemon: what starts in one serves the next. A test that must
    find none stops it first. At its end there is one healthy daemon, or nothing.
    """
    yield handed_on
    try:
        until(lambda: not strangers(handed_on), what="the end of all but the daemon's family")
    finally:
        for process in strangers(handed_on):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()


def strangers(project: Project) -> list[psutil.Process]:
    """List what runs for a project without being of the family of its daemon."""
    try:
        family = project.family()
    except (FileNotFoundError, ValueError, psutil.NoSuchProcess):
        family = []
    return [process for process in of_project(project) if process not in family]
