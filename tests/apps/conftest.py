"""Fixtures of the jobs in real applications.

A folder of tests has the small applications only; a file that is named runs whatever it needs.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tools.apps import IN_CHECK, Application, applications

from support.cli import Project
from support.jobs import Job, counts_of
from support.served import Served, served

collect_ignore = [it.test.name for it in applications() if it.name not in IN_CHECK]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is too large for every run, unless its file is named."""
    named = {Path(arg.partition("::")[0]).resolve() for arg in config.args}
    large = [it for it in items if it.get_closest_marker("large") and it.path not in named]
    config.hook.pytest_deselected(items=large)
    items[:] = [it for it in items if it not in large]


@pytest.fixture(scope="module")
def application(request: pytest.FixtureRequest) -> Application:
    """The installed application that this file is named after."""
    found = {it.test: it for it in applications()}[request.path]
    if reason := found.why_not():
        pytest.skip(f"{found.name}: {reason} (tools/apps.py installs it)")
    return found


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Served]]:
    """Start an application, and end it after the last test of the file: see `served`."""
    with ExitStack() as running:

        def start(*words: str | Path, folder: Path | None = None, **more: str) -> Served:
            place = folder or tmp_path_factory.mktemp("application")
            return running.enter_context(served([*map(str, words)], place, **more))

        yield start


@pytest.fixture
def job(request: pytest.FixtureRequest, browser: Project) -> Job:
    """What a person wants done, by an agent that has this browser."""
    return Job(browser, counts_of(request.node))
