"""What is told of pages and elements for another visit: how they are built, how to find them again.

The words of a page are no part of a sketch. What was touched is told by `find` (target.py) while a
command runs, in the same run of the page script, because a press may take the element away.
"""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from playwright.async_api import Error as DriverError
from playwright.async_api import Frame

from browse.browser.driver_errors import tab_crashed, translated
from browse.browser.page import scripts, shapes
from browse.browser.tabs.refs import Ref
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError

NAME_CHARS = 80
_paths: WeakKeyDictionary[Frame, tuple[str, ...]] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Touched:
    """An element that a command found: what it was, and how to find it again."""

    role: str
    name: str
    tag: str
    css: str
    frame: tuple[str, ...]
    secret: bool


async def touch(
    tab: Tab, word: str, frame: Frame, it: shapes.Described, address: shapes.Address
) -> None:
    """Note what a word meant, for whoever wants to know once the command has run."""
    if tab.touched is not None:
        path = await path_to(frame)
        name = it.name[:NAME_CHARS]
        tab.touched[word] = Touched(it.role, name, it.tag, address.css, path, address.secret)


async def path_to(frame: Frame) -> tuple[str, ...]:
    """Tell the selectors of the frame elements that lead to a frame, from the page inwards."""
    if frame.parent_frame is None:
        return ()
    if frame not in _paths:
        try:
            with translated("looking for the frame"):
                element = await frame.frame_element()
            css = await scripts.SELECTOR(element)
        except BrowseError:
            css = ""  # the frame has gone meanwhile, or nothing leads to it
        _paths[frame] = (*await path_to(frame.parent_frame), css)
    return _paths[frame]


async def frame_at(tab: Tab, path: tuple[str, ...]) -> Frame | None:
    """Find a frame by what led to it; None when nothing does."""
    frame = tab.page.main_frame
    for css in path:
        try:
            with translated("looking for the frame", selector=css):
                element = await frame.query_selector(css) if css else None
                inner = await element.content_frame() if element else None
        except (BrowseError, DriverError):
            return None
        if inner is None:
            return None
        frame = inner
    return frame


async def mark(tab: Tab, *, most_html: int = 0) -> shapes.Sketch:
    """Tell how the document that commands work in is built; with its markup, up to so long."""
    return await scripts.SKETCH(_document(tab), markup=None, most=most_html)


async def mark_of(tab: Tab, markup: str) -> shapes.Sketch:
    """Sketch a stored page in any tab: it is only parsed, nothing in it runs or is loaded."""
    return await scripts.SKETCH(_document(tab), markup=markup, most=0)


def _document(tab: Tab) -> Frame:
    """Give the document that commands work in; that a chosen frame is gone is for them to tell."""
    if tab.crashed:
        raise tab_crashed()
    return tab.frame if tab.in_frame else tab.page.main_frame


async def again(
    tab: Tab, frame: Frame, it: Touched, *, strict: bool
) -> tuple[shapes.FoundAgain, Ref | None]:
    """Look for an element of another visit; give what is left of it, and its ref if it is there.

    `strict` is for elements that will be acted on: they must be called as they were.
    """
    run = 0
    if it.css:
        run = await scripts.noted(frame.locator(it.css), selector=it.css)
    left = await scripts.FIND_AGAIN(
        frame,
        e=tab.refs.next["e"],
        c=tab.refs.next["c"],
        run=run,
        tag=it.tag,
        role=it.role,
        name=it.name,
        strict=strict,
    )
    tab.refs.claim("e", frame, left.next)
    return left, Ref("e", left.found.number) if left.found else None
