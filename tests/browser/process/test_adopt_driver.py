"""Playwright on a driver that runs already."""

import os

import psutil

from browse.browser.process import adopt_driver, driver


def nodes() -> set[int]:
    return {child.pid for child in psutil.Process().children() if "node" in child.name()}


async def test_playwright_drives_the_process_that_it_is_given():
    process = driver.start(os.environ)
    assert process is not None
    before = nodes()

    playwright = await adopt_driver.start(process)

    assert playwright.chromium.name == "chromium"
    assert nodes() == before
    await playwright.stop()
    assert not psutil.pid_exists(process.pid)


async def test_without_one_playwright_starts_its_own():
    before = nodes()

    playwright = await adopt_driver.start(None)

    assert nodes() > before
    await playwright.stop()
