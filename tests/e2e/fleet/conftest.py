"""One fleet for all tests: a head and two workers, each with its own Chromium."""

from collections.abc import Iterator

import pytest

from support.cli import Project
from support.fleets import Fleet


@pytest.fixture(scope="session")
def shared_fleet(tmp_path_factory) -> Iterator[Fleet]:
    made = Fleet(Project.make(tmp_path_factory.mktemp("fleet")))
    made.up()
    yield made
    made.end()


@pytest.fixture
def fleet(shared_fleet) -> Iterator[Fleet]:
    """The fleet, with its head and both workers, whatever the test before has killed."""
    if not shared_fleet.is_whole():
        shared_fleet.up()
    yield shared_fleet
    shared_fleet.end_started()
