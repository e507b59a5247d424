"""The text of a document together with that of the frames in it, each where it stands."""

import asyncio

from playwright.async_api import Error as DriverError
from playwright.async_api import Frame, Locator

from browse.browser import scripts
from browse.core.errors import BrowseError

MAX_FRAMES = 20
MAX_DEPTH = 3
FRAME_S = 4.0
FRAMES_S = 12.0
ADDRESS_CHARS = 200


async def text_of(frame: Frame) -> str:
    """Read what a person sees, frames included."""
    return await _read(frame, 0, asyncio.get_running_loop().time() + FRAMES_S)


async def _read(frame: Frame, depth: int, until: float) -> str:
    run = next(scripts.runs)
    first, *rest = await scripts.FRAMED_TEXT(frame, run=run)
    parts = [first]
    for index, following in enumerate(rest):
        if index < MAX_FRAMES and depth < MAX_DEPTH:
            noted = frame.locator(f"{scripts.ENGINE}=noted {run} {index}")
            parts.append(await _inside(noted, depth + 1, until))
        parts.append(following)
    return "\n".join(filter(None, parts))


async def _inside(host: Locator, depth: int, until: float) -> str:
    """Read one frame between two lines that say so; a frame that does not answer is skipped."""
    now = asyncio.get_running_loop().time()
    try:
        async with asyncio.timeout_at(min(until, now + FRAME_S)):
            handle = await host.element_handle(timeout=FRAME_S * 1000)
            child = await handle.content_frame()
            words = await _read(child, depth, until) if child else ""
    except (DriverError, BrowseError, TimeoutError):
        return "[frame: could not be read]"
    return (
        f"[frame: {child.url[:ADDRESS_CHARS]}]\n{words}\n[end of frame]" if child and words else ""
    )
