"""Find the elements of a step in another tab, and check whether the page is built as before.

It waits a little for the page, because a replay is faster than the first run.
"""

import asyncio
import time

import msgspec

from browse.browser.elements import fingerprints
from browse.browser.elements.fingerprints import ElementFingerprint
from browse.browser.elements.target import similar_lines
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError
from browse.flow.fingerprint import ALIKE, likeness
from browse.flow.steps import Mark, Step, Target
from browse.guard.secrets import redacted_url

FOUND_WITHIN_S = 3.0
ALIKE_WITHIN_S = 1.0
POLL_S = 0.1


class MissingElement(msgspec.Struct, frozen=True):
    """An element that was not found, with similar ones; `count` is how many matched."""

    target: Target
    count: int = 0
    near: list[str] = msgspec.field(default_factory=list)


class StepMatch(msgspec.Struct, frozen=True):
    """The refs of a step's elements by parameter, or the missing one; how alike the page is.

    `alike` is None where there is nothing to compare.
    """

    refs: dict[str, str]
    lost: MissingElement | None
    alike: float | None


async def find_elements(tab: Tab, step: Step, *, strict: bool) -> StepMatch:
    """Wait until the elements of a step are there and the page is as before, or time is up."""
    began = time.monotonic()
    while True:
        refs, lost = await _found(tab, step, strict=strict)
        alike = None if lost else await compared(tab, step.before)
        limit = FOUND_WITHIN_S if lost else ALIKE_WITHIN_S
        if (not lost and (alike is None or alike >= ALIKE)) or time.monotonic() - began > limit:
            return StepMatch(refs, lost, alike)
        await asyncio.sleep(POLL_S)


async def ended(tab: Tab, mark: Mark) -> float | None:
    """Wait until a page is as it was after a step, or time is up; return how alike it is."""
    began = time.monotonic()
    while True:
        alike = await compared(tab, mark)
        if alike is None or alike >= ALIKE or time.monotonic() - began > ALIKE_WITHIN_S:
            return alike
        await asyncio.sleep(POLL_S)


async def compared(tab: Tab, mark: Mark) -> float | None:
    """Return how alike a page is to a mark; None for another address, or nothing to compare."""
    if not mark.sketch or redacted_url(tab.url) != mark.url:
        return None
    try:
        return likeness((await fingerprints.of_page(tab)).sketch, mark.sketch)
    except BrowseError:
        return None  # the page is navigating


async def _found(
    tab: Tab, step: Step, *, strict: bool
) -> tuple[dict[str, str], MissingElement | None]:
    refs: dict[str, str] = {}
    for name, target in step.targets.items():
        try:
            found = await _one(tab, target, strict=strict)
        except BrowseError:
            found = MissingElement(target)  # the page is navigating
        if isinstance(found, MissingElement):
            return {}, found
        refs[name] = found
    return refs, None


async def _one(tab: Tab, target: Target, *, strict: bool) -> str | MissingElement:
    frame = await fingerprints.frame_at(tab, target.frame)
    if frame is None:
        return MissingElement(target)
    it = ElementFingerprint(
        target.role, target.name, target.tag, target.css, target.frame, target.secret
    )
    left, ref = await fingerprints.find_again(tab, frame, it, strict=strict)
    if ref:
        return str(ref)
    if left.near:
        return MissingElement(
            target, 0, [f'@e{left.near.number} [{left.near.role}] "{left.near.name}"']
        )
    words = f"{target.name} {target.css}"
    return MissingElement(target, left.count, await similar_lines(tab, frame, words))
