"""Chromium with our extension, as a person has it: the real one, with its side panel's page."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import BrowserContext, Page, async_playwright

from browse.browser.process.chromium_sandbox import why_no_sandbox
from browse.core.extension_id import ORIGIN, extension_folder
from support.cli import Project, Ran

# Those that load an extension from their command line; the headless shell and Chrome do not.
CHROMIUMS = ("chromium", "chromium-browser")
PANEL = f"{ORIGIN}/panel/panel.html"


def full_chromium() -> str:
    """Return a Chromium that takes extensions, or skip."""
    found = filter(None, (shutil.which(name) for name in CHROMIUMS))
    if program := os.environ.get("BROWSE_TEST_CHROMIUM") or next(found, ""):
        return program
    pytest.skip("there is no Chromium here that loads extensions (Debian: chromium)")


@asynccontextmanager
async def browser_with_extension(profile: Path) -> AsyncIterator[BrowserContext]:
    """Start a Chromium without a window that has the extension, and is not the daemon's."""
    folder = extension_folder()
    async with async_playwright() as driver:
        context = await driver.chromium.launch_persistent_context(
            profile,
            executable_path=full_chromium(),
            chromium_sandbox=not why_no_sandbox(off=None, contained=True),
            args=[
                "--headless=new",
                f"--load-extension={folder}",
                f"--disable-extensions-except={folder}",
            ],
            ignore_default_args=["--headless", "--disable-extensions"],
        )
        if not context.service_workers:
            await context.wait_for_event("serviceworker")
        yield context
        await context.close()


async def open_panel(context: BrowserContext) -> Page:
    """Open the page of the side panel in a tab of its own."""
    page = await context.new_page()
    await page.goto(PANEL)
    return page


async def pair(page: Page, port: int, code: str) -> None:
    """Type port and code into the panel, and press the button."""
    await page.get_by_label("Port").fill(str(port))
    await page.get_by_label("Code").fill(code)
    await page.get_by_role("button", name="Connect", exact=True).click()


async def choose(page: Page, pane: str) -> None:
    """Choose a pane of the panel, after showing those for looking closer."""
    more = page.get_by_role("button", name="More")
    if await more.get_attribute("aria-pressed") == "false":
        await more.click()
    await page.get_by_role("tab", name=pane).click()


async def run(project: Project, *words: str) -> Ran:
    """Run a command of the client without stopping the panel's events meanwhile."""
    return await asyncio.to_thread(project.ok, *words)
