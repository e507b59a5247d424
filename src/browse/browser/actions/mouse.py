"""The mouse: over an element, from one to another, or to a place in the window."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Literal

from playwright.async_api import Frame, Page

from browse.browser.actions.click_and_fill import Button
from browse.browser.driver_errors import translated
from browse.browser.elements.element import ACTION_MS, Element
from browse.browser.page import scripts
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Usage

# A drag begins only after some pixels, and what lies under it is told of each move.
STEPS = 10


async def hover(element: Element) -> bool:
    """Move the mouse over an element; tell whether other text can be seen then."""
    frame = await element.handle.owner_frame() or element.tab.frame
    before = await scripts.TEXT(frame)
    async with element.acting("hovering over it"):
        await element.handle.hover(timeout=ACTION_MS)
    return await _shows_other(frame, before)


async def _shows_other(frame: Frame, before: str) -> bool:
    """Compare what can be read: what a style alone shows leaves no other trace."""
    with suppress(BrowseError):  # it may have navigated, which is noticed by others
        return await scripts.TEXT(frame) != before
    return True


async def drag(source: Element, target: Element) -> None:
    """Press one element, move to another and let go there."""
    mouse = source.tab.page.mouse
    async with target.acting("dragging to it"):
        await target.handle.hover(trial=True, timeout=ACTION_MS)
    async with source.acting("dragging it"):
        await source.handle.hover(timeout=ACTION_MS)
        async with _pressed(source.tab.page):
            async with target.acting("dragging to it"):
                await target.handle.scroll_into_view_if_needed(timeout=ACTION_MS)
                box = await target.handle.bounding_box()
            if box is None:
                raise target.unfit("can no longer be seen", "look with `browse snapshot -i`")
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            await mouse.move(x, y, steps=STEPS)
            await mouse.move(x, y)


@asynccontextmanager
async def _pressed(page: Page) -> AsyncIterator[None]:
    """Hold the left button down, and let go of it whatever happens."""
    await page.mouse.down()
    try:
        yield
    finally:
        await page.mouse.up()


async def move(tab: Tab, x: int, y: int) -> bool:
    """Move the mouse to a place in the window; tell whether other text can be seen then."""
    session = await tab.protocol()
    frame = tab.frame
    before = await scripts.TEXT(frame)
    with translated("moving the mouse"):
        metrics = await session.send("Page.getLayoutMetrics")
        window = metrics["cssLayoutViewport"]
        width, height = window["clientWidth"], window["clientHeight"]
        if not (0 <= x < width and 0 <= y < height):
            raise Usage(
                f"mouse: {x},{y} is outside of the window, which is {width} by {height}",
                hint=f"give x from 0 to {width - 1} and y from 0 to {height - 1}",
            )
        await tab.page.mouse.move(x, y)
    return await _shows_other(frame, before)


async def button(tab: Tab, act: Literal["down", "up"], which: Button) -> None:
    """Press a button of the mouse, or let go of it."""
    with translated("using the mouse"):
        await (tab.page.mouse.down if act == "down" else tab.page.mouse.up)(button=which)


async def wheel(tab: Tab, dx: int, dy: int) -> None:
    """Turn the wheel."""
    with translated("turning the wheel"):
        await tab.page.mouse.wheel(dx, dy)
