"""Hiding what is in the way of a page: for good until it is undone, or for one picture."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Literal, get_args

from playwright.async_api import Frame

from browse.browser.elements.target import find, no_match, selected
from browse.browser.page import scripts
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError

Clutter = Literal["ads", "cookies", "sticky", "social", "overlays", "clutter"]
EVERYTHING: tuple[Clutter, ...] = get_args(Clutter)


async def clean(tab: Tab, groups: Sequence[Clutter]) -> dict[str, int]:
    """Hide these kinds of clutter; tell how much of each there was."""
    return await scripts.HIDE_CLUTTER(tab.frame, groups=list(groups), brief=False)


async def restore(tab: Tab) -> int:
    """Take back all that was hidden in this document; tell how many elements that were."""
    return await scripts.UNDO_HIDING(tab.frame, brief=False)


@asynccontextmanager
async def tidied(tab: Tab, *, cleaned: bool, hidden: Sequence[str]) -> AsyncIterator[None]:
    """Hide clutter and elements for as long as a picture is taken."""
    frames = {tab.frame}
    try:
        if cleaned:
            await scripts.HIDE_CLUTTER(tab.frame, groups=list(EVERYTHING), brief=True)
        for word in hidden:
            frames.add(await _hide(tab, word))
        yield
    finally:
        for frame in frames:
            with suppress(BrowseError):  # a frame that has gone took its changes along
                await scripts.UNDO_HIDING(frame, brief=True)


async def _hide(tab: Tab, word: str) -> Frame:
    if word.startswith("@"):
        target = await find(tab, word, anyway=True)
        place, frame = target.place, target.frame
    else:
        place, frame = selected(tab.frame, word), tab.frame
    if not await scripts.HIDE_NOTED(frame, run=await scripts.noted(place, selector=word)):
        raise await no_match(tab, word)
    return frame
