"""Fixtures that several folders share."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from support import jobs
from support.cases import Case
from support.cli import Project
from support.outcome import pytest_terminal_summary  # noqa: F401  # a hook: pytest finds it here
from support.shared import Shared
from support.signals import keep_ignored_from_children
from support.site import Site

# The same examples in every run: a change is judged by what it changed. `wide` looks for new ones.
_CALM = [HealthCheck.too_slow, HealthCheck.filter_too_much]
settings.register_profile(
    "check", derandomize=True, deadline=None, print_blob=True, suppress_health_check=_CALM
)
settings.register_profile("wide", max_examples=2_000, deadline=None, suppress_health_check=_CALM)
settings.load_profile("check")


def pytest_configure(config: pytest.Config) -> None:
    keep_ignored_from_children()
    config.pluginmanager.register(jobs)


@pytest.fixture
def case(subtests: pytest.Subtests) -> Case:
    """`with case("name"):` in a loop, for hundreds of cases that take no time."""
    return Case(subtests)


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """A loopback web site; each test uses paths of its own."""
    served = Site()
    yield served
    served.close()


@pytest.fixture
def project(tmp_path) -> Iterator[Project]:
    """A project of its own with a daemon of its own, for tests of the daemon's life."""
    made = Project.make(tmp_path)
    yield made
    made.end()


@pytest.fixture(scope="session")
def shared(tmp_path_factory, site) -> Iterator[Shared]:
    """One daemon for all tests that only need a browser."""
    made = Shared(Project.make(tmp_path_factory.mktemp("shared")), site)
    yield made
    made.project.end()


@pytest.fixture
def shared_project(shared) -> Iterator[Project]:
    """The shared daemon, with tabs as the test before left them."""
    yield shared.project
    if shared.project.touched:
        shared.restore()


@pytest.fixture
def browser(request, shared, shared_project) -> Iterator[Project]:
    """The shared daemon with one blank tab, whatever the test before did.

    To make one and to close another costs more than most tests do with it. So a test that starts by
    loading a page gets the tab as it is, unless it is marked `blank_tab`.
    """
    if shared_project.touched:
        if request.node.get_closest_marker("blank_tab") or not shared.is_plain():
            shared.one_blank_tab()
        else:
            shared_project.blank = shared.one_blank_tab
    yield shared_project
    shared_project.blank = None
