"""Fixtures that several folders share."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from support.cli import Project
from support.site import Site

FIRST_TRY_CHARS = 3_000
# The same examples in every run: a change is judged by what it changed. `wide` looks for new ones.
_CALM = [HealthCheck.too_slow, HealthCheck.filter_too_much]
settings.register_profile("check", derandomize=True, deadline=None, suppress_health_check=_CALM)
settings.register_profile("wide", max_examples=2_000, deadline=None, suppress_health_check=_CALM)
settings.load_profile("check")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give a test with a browser a second try; the report lists each that needed it."""
    for item in items:
        if item.get_closest_marker("e2e"):
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say why a first try failed: what the second one hides may be a defect."""
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.section(f"first try of {report.nodeid}")
        terminalreporter.write_line(report.longreprtext[-FIRST_TRY_CHARS:])


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
def shared_project(tmp_path_factory) -> Iterator[Project]:
    """One daemon for all tests that only need a browser."""
    made = Project.make(tmp_path_factory.mktemp("shared"))
    made.ok("url")
    yield made
    made.end()


@pytest.fixture
def browser(request, shared_project) -> Project:
    """The shared daemon with one fresh blank tab, whatever the test before did.

    To make one and to close another costs more than most tests do with it; see `any_tab`.
    """
    if not shared_project.touched:
        return shared_project
    tabs = json.loads(shared_project.post("tabs", "--json"))["tabs"]
    first_try = getattr(request.node, "execution_count", 1) == 1
    any_tab = first_try and request.node.get_closest_marker("any_tab")
    if any_tab and len(tabs) == 1 and not tabs[0]["crashed"]:
        return shared_project
    shared_project.post("newtab")
    for tab in json.loads(shared_project.post("tabs", "--json"))["tabs"]:
        if not tab["current"]:
            shared_project.post("closetab", str(tab["id"]))
    shared_project.touched = False
    return shared_project
