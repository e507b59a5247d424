"""Use the mouse: hover, move, press buttons, turn the wheel."""

from contextlib import suppress
from typing import Literal

from playwright.async_api import Frame

from browse.browser.actions.click_and_fill import Button
from browse.browser.actions.effects import ActionEffects
from browse.browser.driver_errors import translated
from browse.browser.elements.departures import PageLeft
from browse.browser.elements.element import ACTION_MS, reach
from browse.browser.elements.target import FoundElement
from browse.browser.page import scripts
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Usage


async def hover(tab: Tab, word: str, found: FoundElement, seen: ActionEffects) -> None:
    """Move the mouse over an element."""
    if found.aim and (point := found.aim.point):
        with translated("moving the mouse"):
            await tab.page.mouse.move(point.x, point.y)
        try:
            if await seen.run_last(scripts.IS_HOVERED, found.frame):
                return
        except PageLeft:
            return
        except BrowseError:
            pass  # the document is gone
    seen.looked = None
    element = await reach(tab, word, found)
    async with element.pressing("hovering over it"):
        await element.handle.hover(timeout=ACTION_MS)


async def _text_changed(frame: Frame, before: str) -> bool:
    """Compare the visible text: what a `:hover` style shows leaves no other trace."""
    with suppress(BrowseError):  # it may have navigated, which is noticed elsewhere
        return await scripts.TEXT(frame) != before
    return True


async def move(tab: Tab, x: int, y: int) -> bool:
    """Move the mouse to a point in the window; return whether the visible text changed."""
    session = await tab.protocol()
    frame = tab.frame
    before = await scripts.TEXT(frame)
    with translated("moving the mouse"):
        metrics = await session.send("Page.getLayoutMetrics")
        window = metrics["cssLayoutViewport"]
        width, height = window["clientWidth"], window["clientHeight"]
        if not (0 <= x < width and 0 <= y < height):
            raise Usage(
                f"mouse: {x},{y} is outside the window, which is {width} by {height}",
                hint=f"give x from 0 to {width - 1} and y from 0 to {height - 1}",
            )
        await tab.page.mouse.move(x, y)
    return await _text_changed(frame, before)


async def button(tab: Tab, act: Literal["down", "up"], which: Button) -> None:
    """Press or release a mouse button."""
    with translated("using the mouse"):
        await (tab.page.mouse.down if act == "down" else tab.page.mouse.up)(button=which)


async def wheel(tab: Tab, dx: int, dy: int) -> None:
    """Turn the mouse wheel."""
    with translated("turning the wheel"):
        await tab.page.mouse.wheel(dx, dy)
