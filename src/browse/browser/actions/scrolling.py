"""Scrolling: the page, something inside it, or an element into view; once or again and again."""

import asyncio
import shlex
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

import msgspec

from browse.browser.elements.element import ACTION_MS, Element
from browse.browser.page import scripts
from browse.browser.page.shapes import Scrolled
from browse.browser.tabs.tab import Tab

Edge = Literal["top", "bottom"]
By = tuple[int, int]
STILL = (0, 0)
# What loads more may take longer than one wait; a second round in vain settles it.
VAIN_ROUNDS = 2


@dataclass(frozen=True, slots=True)
class Way:
    """How far to scroll, or to which end."""

    by: By | None
    to: Edge | None

    @property
    def given(self) -> bool:
        return bool(self.by or self.to)


async def once(tab: Tab, element: Element | None, way: Way) -> Scrolled:
    """Scroll the page, scroll inside an element, or bring an element into view."""
    to = way.to or "bottom"
    if element is None:
        return await scripts.SCROLL(tab.frame, by=way.by, to=to)
    if way.given:
        led = await scripts.SCROLL(element.handle, by=way.by, to=to)
        if not led.scrolls:
            raise element.unfit(
                "does not scroll",
                f"bring it into view with `browse scroll {shlex.quote(element.word)}`, or leave it"
                " out to scroll the page",
            )
        return led
    handle = element.handle
    async with element.acting("scrolling to it"):
        before = await handle.bounding_box()
        await handle.scroll_into_view_if_needed(timeout=ACTION_MS)
        moved = await handle.bounding_box() != before
    led = await scripts.SCROLL(tab.frame, by=STILL, to=to)
    return msgspec.structs.replace(led, moved=moved)


async def repeated(step: Callable[[], Awaitable[Scrolled]], times: int, wait_ms: int) -> int:
    """Scroll again and again; tell how often, as two rounds in vain end it."""
    last: Scrolled | None = None
    vain = 0
    for done in range(1, times + 1):
        led = await step()
        here = (led.x, led.y, led.size)
        vain = vain + 1 if last and here == (last.x, last.y, last.size) else 0
        last = led
        if vain == VAIN_ROUNDS:
            return done
        if done < times:
            await asyncio.sleep(wait_ms / 1000)
    return times
