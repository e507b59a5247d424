"""A person's browser, one for all tests of a module."""

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser

from support.own_pages import persons_browser


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def person() -> AsyncIterator[Browser]:
    async with persons_browser() as browser:
        yield browser
