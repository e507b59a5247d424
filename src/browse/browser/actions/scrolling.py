"""Scroll the page, scroll inside an element, or scroll an element into view."""

import asyncio
import shlex
from collections.abc import Awaitable, Callable
from typing import Literal

import msgspec

from browse.browser.elements.element import ACTION_MS, Element
from browse.browser.page import scripts
from browse.browser.page.shapes import Scrolled
from browse.browser.tabs.tab import Tab

Edge = Literal["top", "bottom"]
By = tuple[int, int]
NO_DISTANCE = (0, 0)
# Loading more may take longer than one wait, so a single round without change is not the end.
MAX_ROUNDS_WITHOUT_CHANGE = 2


class ScrollDistance(msgspec.Struct, frozen=True):
    """How far to scroll, or to which edge."""

    by: By | None
    to: Edge | None

    @property
    def given(self) -> bool:
        return bool(self.by or self.to)


async def scroll(tab: Tab, element: Element | None, distance: ScrollDistance) -> Scrolled:
    """Scroll the page, scroll inside an element, or scroll an element into view."""
    to = distance.to or "bottom"
    if element is None:
        return await scripts.SCROLL(tab.frame, by=distance.by, to=to, moved=False)
    if distance.given:
        reached = await scripts.SCROLL(element.handle, by=distance.by, to=to, moved=False)
        if not reached.scrolls:
            raise element.not_actionable(
                "does not scroll",
                f"bring it into view with `browse scroll {shlex.quote(element.word)}`, or leave it"
                " out to scroll the page",
            )
        return reached
    handle = element.handle
    async with element.acting("scrolling to it"):
        before = await handle.bounding_box()
        await handle.scroll_into_view_if_needed(timeout=ACTION_MS)
        moved = await handle.bounding_box() != before
    return await scripts.SCROLL(tab.frame, by=NO_DISTANCE, to=to, moved=moved)


async def scroll_repeatedly(
    step: Callable[[], Awaitable[Scrolled]], times: int, wait_ms: int
) -> int:
    """Scroll up to `times` times; stop after two rounds without change. Return the count."""
    last: Scrolled | None = None
    unchanged = 0
    for done in range(1, times + 1):
        reached = await step()
        here = (reached.x, reached.y, reached.size)
        unchanged = unchanged + 1 if last and here == (last.x, last.y, last.size) else 0
        last = reached
        if unchanged == MAX_ROUNDS_WITHOUT_CHANGE:
            return done
        if done < times:
            await asyncio.sleep(wait_ms / 1000)
    return times
