"""A person's browser for tests of the daemon's own pages, and what axe-core finds in a page."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.async_api import Browser, Page, async_playwright
from tools.javascript import CHECKERS

from browse.browser.process.chromium import find
from browse.browser.process.chromium_sandbox import why_no_sandbox

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@asynccontextmanager
async def persons_browser() -> AsyncIterator[Browser]:
    """Start a headless Chromium that is not ours to drive: the one that a person looks with."""
    async with async_playwright() as driver:
        sandbox = not why_no_sandbox(off=None, contained=True)
        program = find("").path
        browser = await driver.chromium.launch(executable_path=program, chromium_sandbox=sandbox)
        yield browser
        await browser.close()


@cache
def axe() -> Path:
    """Return the script of axe-core, installed by npm as `tools/js` pins it; else skip."""
    if reason := CHECKERS.why_not():
        pytest.skip(f"axe-core is not here: {reason}")
    return CHECKERS.modules / "axe-core" / "axe.min.js"


async def violations(page: Page) -> list[str]:
    """List what axe-core objects to in a page, in both themes: rule, element, what to do."""
    script = await asyncio.to_thread(axe().read_text, "utf-8")
    found = []
    for theme in THEMES:
        await page.emulate_media(color_scheme=theme)
        await page.evaluate(script)  # not as an element: the page's policy allows no foreign script
        report: dict[str, Any] = await page.evaluate("axe.run({ resultTypes: ['violations'] })")
        found += [
            f"{theme}: {rule['id']}: {node['html'][:200]}: {node['failureSummary']}"
            for rule in report["violations"]
            for node in rule["nodes"]
        ]
    return found
