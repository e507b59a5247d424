"""Find a frame of a tab by its element, its name or its address."""

from collections.abc import Callable

from playwright.async_api import Frame

from browse.browser.driver_errors import acting
from browse.browser.elements.target import FoundElement
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

FIND_MS = 5_000
MAX_SHOWN = 10


async def frame_in_element(tab: Tab, word: str, holder: FoundElement) -> Frame:
    """Return the document inside the frame element that a ref or selector means."""
    with acting("entering it", target=word):
        handle = await holder.place.element_handle(timeout=FIND_MS)
        inside = await handle.content_frame()
    if inside is None:
        raise _not_found(tab, f"{word[:80]!r} is not a frame element.")
    return inside


def frame_by_name(tab: Tab, name: str) -> Frame:
    return _find_one(tab, f"the name {name[:80]!r}", lambda frame: frame.name == name)


def frame_by_url(tab: Tab, part: str) -> Frame:
    return _find_one(tab, f"{part[:80]!r} in the address", lambda frame: part in frame.url)


def _find_one(tab: Tab, what: str, fits: Callable[[Frame], bool]) -> Frame:
    _ = tab.frame  # a crashed tab says so first
    found = [frame for frame in _inner_frames(tab) if fits(frame)]
    if not found:
        raise _not_found(tab, f"none has {what}.")
    if len(found) > 1:
        raise BrowseError(
            Code.SEVERAL_MATCH,
            f"{len(found)} frames have {what}. The selection stays as it was.",
            hint="choose one by its ref (`browse snapshot`) or by a selector",
            page=_listed(found),
        )
    return found[0]


def _inner_frames(tab: Tab) -> list[Frame]:
    return [frame for frame in tab.page.frames if frame.parent_frame]


def _not_found(tab: Tab, message: str) -> BrowseError:
    frames = _inner_frames(tab)
    there = "all frames of the page are listed" if frames else "the page has no frames"
    return BrowseError(
        Code.NO_MATCH,
        f"Frame not found: {message} The selection stays as it was.",
        hint=f"{there}; `browse snapshot` shows where they are",
        page=_listed(frames),
    )


def _listed(frames: list[Frame]) -> str:
    lines = [f'name="{frame.name[:80]}" url={frame.url[:200]}' for frame in frames[:MAX_SHOWN]]
    more = [f"({len(frames) - MAX_SHOWN} more)"] if len(frames) > MAX_SHOWN else []
    return "\n".join(lines + more)
