"""Playwright on a driver that runs already, and on one of its own where that cannot be done."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from playwright._impl.transport import PipeTransport

from browse.browser.process import adopt_driver, driver

# As with a Playwright that has no such module: our import of it fails, its own went well before.
WITHOUT_THE_MODULE = """
import asyncio, json, os, sys
import playwright.async_api
sys.modules["playwright._impl.transport"] = None
from browse.browser.process import adopt_driver, driver

async def main():
    process = driver.start({**os.environ, "TMPDIR": sys.argv[1]})
    playwright, pid = await adopt_driver.start(process)
    chromium = playwright.chromium.name
    await playwright.stop()
    print(json.dumps([chromium, pid, os.path.exists(f"/proc/{process.pid}")]))

asyncio.run(main())
"""


def nodes() -> set[int]:
    """Return the children that are drivers; one of a test before may just be ending."""
    return {child.pid for child in psutil.Process().children() if _is_node(child)}


def _is_node(child: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return Path(child.exe()).name == "node"
    return False


@pytest.fixture
def process() -> driver.DriverProcess:
    made = driver.start({**os.environ, "BROWSE_TEST_DRIVER": "ours"})
    assert made is not None
    return made


async def test_playwright_drives_the_process_that_it_is_given(process):
    before = nodes()

    playwright, pid = await adopt_driver.start(process)

    assert playwright.chromium.name == "chromium"
    assert pid == process.pid
    assert nodes() == before
    await playwright.stop()
    assert not psutil.pid_exists(process.pid)


async def test_without_one_playwright_starts_its_own():
    before = nodes()

    playwright, pid = await adopt_driver.start(None)

    assert pid is None
    assert nodes() - before
    await playwright.stop()


async def test_a_driver_that_has_ended_is_reported_and_not_replaced(process):
    before = nodes()
    psutil.Process(process.pid).kill()

    with pytest.raises(Exception, match="Connection closed"):
        await adopt_driver.start(process)

    assert nodes() <= before - {process.pid}


async def starts_its_own_in_the_same_environment(process: driver.DriverProcess) -> None:
    """Check that Playwright was started without the driver that it was given."""
    before = nodes()

    playwright, pid = await adopt_driver.start(process)

    assert playwright.chromium.name == "chromium"
    assert pid is None
    assert not psutil.pid_exists(process.pid)
    (own,) = nodes() - before
    assert psutil.Process(own).environ()["BROWSE_TEST_DRIVER"] == "ours"
    assert "BROWSE_TEST_DRIVER" not in os.environ
    await playwright.stop()


async def test_a_playwright_without_such_a_transport_starts_its_own(process, monkeypatch):
    monkeypatch.setattr(adopt_driver, "out_of_process", None)

    await starts_its_own_in_the_same_environment(process)


async def test_a_playwright_that_takes_its_transport_from_elsewhere_starts_its_own(
    process, monkeypatch
):
    elsewhere = SimpleNamespace(PipeTransport=PipeTransport)
    monkeypatch.setattr(adopt_driver, "out_of_process", elsewhere)

    await starts_its_own_in_the_same_environment(process)


async def test_a_playwright_that_asks_more_of_the_process_starts_its_own(process, monkeypatch):
    run = PipeTransport.run

    async def asks_more(transport):
        assert transport._proc.returncode is None
        await run(transport)

    monkeypatch.setattr(PipeTransport, "run", asks_more)

    await starts_its_own_in_the_same_environment(process)


def test_without_the_private_module_all_the_rest_is_as_usual(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_THE_MODULE, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )

    assert json.loads(done.stdout) == ["chromium", None, False]
