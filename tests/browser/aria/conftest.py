"""One browser with the accessibility library for all tests of a module."""

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright

from support import axtree


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as driver:
        browser = await axtree.launched(driver)
        yield browser
        await browser.close()


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def one_page(chromium: Browser) -> Page:
    return await chromium.new_page()


@pytest_asyncio.fixture(loop_scope="module")
async def page(one_page: Page) -> Page:
    """One page for all tests of a module, blank at first."""
    await one_page.goto("about:blank")
    return one_page
