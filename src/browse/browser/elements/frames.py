"""Finding a frame of a tab: by the element that holds it, by its name, by its address."""

from collections.abc import Callable

from playwright.async_api import Frame

from browse.browser.driver_errors import acting
from browse.browser.elements.target import find
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

HOLDER_MS = 5_000
MAX_SHOWN = 10


async def held_by(tab: Tab, word: str) -> Frame:
    """Give the document inside the element that a ref or a selector means."""
    holder = await find(tab, word, anyway=True)
    with acting("entering it", target=word):
        handle = await holder.place.element_handle(timeout=HOLDER_MS)
        inside = await handle.content_frame()
    if inside is None:
        raise _none(tab, f"{word[:80]!r} is another kind of element.")
    return inside


def named(tab: Tab, name: str) -> Frame:
    return _the_one(tab, f"the name {name[:80]!r}", lambda frame: frame.name == name)


def at(tab: Tab, part: str) -> Frame:
    return _the_one(tab, f"{part[:80]!r} in the address", lambda frame: part in frame.url)


def _the_one(tab: Tab, what: str, fits: Callable[[Frame], bool]) -> Frame:
    _ = tab.frame  # a crashed tab says so first
    found = [frame for frame in _inner(tab) if fits(frame)]
    if not found:
        raise _none(tab, f"none has {what}.")
    if len(found) > 1:
        raise BrowseError(
            Code.SEVERAL_MATCH,
            f"{len(found)} frames have {what}. The selection stays as it was.",
            hint="choose one by its ref (`browse snapshot`) or by a selector",
            page=_listed(found),
        )
    return found[0]


def _inner(tab: Tab) -> list[Frame]:
    return [frame for frame in tab.page.frames if frame.parent_frame]


def _none(tab: Tab, message: str) -> BrowseError:
    frames = _inner(tab)
    there = "the frames that there are were listed" if frames else "the page has no frames"
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
