"""A step met again in another tab: are its elements there, and is the page built as it was?

A page is given a little time, because a replay is faster than whoever did it first.
"""

import asyncio
import time
from dataclasses import dataclass, field

from browse.browser.elements import fingerprints
from browse.browser.elements.fingerprints import Touched
from browse.browser.elements.target import nearest
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError
from browse.flow.fingerprint import ALIKE, likeness
from browse.flow.steps import Mark, Step, Target
from browse.guard.secrets import redacted_url

FOUND_WITHIN_S = 3.0
ALIKE_WITHIN_S = 1.0
POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class Lost:
    """An element that is not there, and what is there instead; `count`: so many are like it."""

    target: Target
    count: int = 0
    near: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Met:
    """The refs of a step's elements by parameter, or the one that is lost; how alike the page is.

    `alike` is None where there is nothing to compare.
    """

    refs: dict[str, str]
    lost: Lost | None
    alike: float | None


async def meet(tab: Tab, step: Step, *, strict: bool) -> Met:
    """Wait until the elements of a step are there, and the page is as it was, or time is up."""
    began = time.monotonic()
    while True:
        refs, lost = await _found(tab, step, strict=strict)
        alike = None if lost else await compared(tab, step.before)
        limit = FOUND_WITHIN_S if lost else ALIKE_WITHIN_S
        if (not lost and (alike is None or alike >= ALIKE)) or time.monotonic() - began > limit:
            return Met(refs, lost, alike)
        await asyncio.sleep(POLL_S)


async def ended(tab: Tab, mark: Mark) -> float | None:
    """Wait until a page is as it was after a step, or time is up; tell how alike it is."""
    began = time.monotonic()
    while True:
        alike = await compared(tab, mark)
        if alike is None or alike >= ALIKE or time.monotonic() - began > ALIKE_WITHIN_S:
            return alike
        await asyncio.sleep(POLL_S)


async def compared(tab: Tab, mark: Mark) -> float | None:
    """Tell how alike a page is to what it was; None for another address, or nothing to compare."""
    if not mark.sketch or redacted_url(tab.url) != mark.url:
        return None
    try:
        return likeness((await fingerprints.mark(tab)).sketch, mark.sketch)
    except BrowseError:
        return None  # the page has just gone on


async def _found(tab: Tab, step: Step, *, strict: bool) -> tuple[dict[str, str], Lost | None]:
    refs: dict[str, str] = {}
    for name, target in step.targets.items():
        try:
            found = await _one(tab, target, strict=strict)
        except BrowseError:
            found = Lost(target)  # the page goes on while it is asked
        if isinstance(found, Lost):
            return {}, found
        refs[name] = found
    return refs, None


async def _one(tab: Tab, target: Target, *, strict: bool) -> str | Lost:
    frame = await fingerprints.frame_at(tab, target.frame)
    if frame is None:
        return Lost(target)
    it = Touched(target.role, target.name, target.tag, target.css, target.frame, target.secret)
    left, ref = await fingerprints.again(tab, frame, it, strict=strict)
    if ref:
        return str(ref)
    if left.near:
        return Lost(target, 0, [f'@e{left.near.number} [{left.near.role}] "{left.near.name}"'])
    words = f"{target.name} {target.css}"
    return Lost(target, left.count, await nearest(tab, frame, words))
