"""Hide clutter on a page: until it is undone, or while a screenshot is taken."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Literal, get_args

from playwright.async_api import Frame

from browse.browser.elements.target import FoundElement, no_match, to_locator
from browse.browser.page import scripts
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError

Clutter = Literal["ads", "cookies", "sticky", "social", "overlays", "clutter"]
Find = Callable[[str], Awaitable[FoundElement]]
ALL_CLUTTER: tuple[Clutter, ...] = get_args(Clutter)


async def hide_clutter(tab: Tab, groups: Sequence[Clutter]) -> dict[str, int]:
    """Hide these kinds of clutter; return how many elements of each were hidden."""
    return await scripts.HIDE_CLUTTER(tab.frame, groups=list(groups), brief=False)


async def show_hidden(tab: Tab) -> int:
    """Show everything that was hidden in this document; return how many elements."""
    return await scripts.UNDO_HIDING(tab.frame, brief=False)


@asynccontextmanager
async def hidden_meanwhile(
    tab: Tab, *, cleaned: bool, hidden: Sequence[str], find: Find
) -> AsyncIterator[None]:
    """Hide clutter and elements for the duration of the block; `find` finds those of refs."""
    frames = {tab.frame}
    try:
        if cleaned:
            await scripts.HIDE_CLUTTER(tab.frame, groups=list(ALL_CLUTTER), brief=True)
        for word in hidden:
            frames.add(await _hide(tab, word, find))
        yield
    finally:
        for frame in frames:
            with suppress(BrowseError):  # a frame that has gone took its changes along
                await scripts.UNDO_HIDING(frame, brief=True)


async def _hide(tab: Tab, word: str, find: Find) -> Frame:
    if word.startswith("@"):
        target = await find(word)
        place, frame = target.place, target.frame
    else:
        place, frame = to_locator(tab.frame, word), tab.frame
    if not await scripts.HIDE_NOTED(frame, run=await scripts.noted(place, selector=word)):
        raise await no_match(tab, word)
    return frame
