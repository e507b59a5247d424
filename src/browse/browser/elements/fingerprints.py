"""Fingerprints of pages and elements: how they are built, and how to find them on another visit.

The words of a page are not part of its fingerprint. `find` (target.py) makes that of an element
while it finds it, because a click may remove the element.
"""

from weakref import WeakKeyDictionary

import msgspec
from playwright.async_api import Error as DriverError
from playwright.async_api import Frame

from browse.browser.driver_errors import translated
from browse.browser.page import scripts, shapes
from browse.browser.page.matches import Described
from browse.browser.page.own_layer import without_own_layer
from browse.browser.tabs.refs import Ref
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError

NAME_CHARS = 80
_paths: WeakKeyDictionary[Frame, tuple[str, ...]] = WeakKeyDictionary()


class ElementFingerprint(msgspec.Struct, frozen=True):
    """What an element was, and how to find it again."""

    role: str
    name: str
    tag: str
    css: str
    frame: tuple[str, ...]
    secret: bool


async def of_element(frame: Frame, it: Described, address: shapes.Address) -> ElementFingerprint:
    """Return how to find an element again."""
    name = it.name[:NAME_CHARS]
    return ElementFingerprint(
        it.role, name, it.tag, address.css, await frame_path(frame), address.secret
    )


async def frame_path(frame: Frame) -> tuple[str, ...]:
    """Return the selectors of the frame elements that lead to a frame, outermost first."""
    if frame.parent_frame is None:
        return ()
    if frame not in _paths:
        try:
            with translated("looking for the frame"):
                element = await frame.frame_element()
            css = await scripts.SELECTOR(element)
        except BrowseError:
            css = ""  # the frame has gone, or no selector leads to it
        _paths[frame] = (*await frame_path(frame.parent_frame), css)
    return _paths[frame]


async def frame_at(tab: Tab, path: tuple[str, ...]) -> Frame | None:
    """Find a frame by its path; None if the path no longer leads to one."""
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


async def of_page(tab: Tab, *, most_html: int = 0) -> shapes.Sketch:
    """Return the fingerprint of the current document, and up to `most_html` of its markup."""
    found = await scripts.SKETCH(_document(tab), markup=None, most=most_html)
    found.html = without_own_layer(found.html)
    return found


async def of_html(tab: Tab, markup: str) -> shapes.Sketch:
    """Return the fingerprint of stored HTML; it is only parsed, nothing in it runs or loads."""
    return await scripts.SKETCH(_document(tab), markup=markup, most=0)


def _document(tab: Tab) -> Frame:
    """Return the document that commands work in, or the page if the chosen frame is gone."""
    tab.check_page()
    return tab.frame if tab.in_frame else tab.page.main_frame


async def find_again(
    tab: Tab, frame: Frame, it: ElementFingerprint, *, strict: bool
) -> tuple[shapes.FoundAgain, Ref | None]:
    """Search for an element of another visit; return the search result, and a ref if found.

    `strict`, for elements that will be acted on: the name must be the same.
    """
    run = 0
    if it.css:
        run = await scripts.noted(frame.locator(it.css), selector=it.css)
    left = await scripts.FIND_AGAIN(
        frame,
        numbers=tab.refs.start(),
        run=run,
        tag=it.tag,
        role=it.role,
        name=it.name,
        strict=strict,
    )
    tab.refs.claim(frame, left.next)
    tab.refs.show({f"@e{it.number}": it for it in (left.found, left.near) if it})
    return left, Ref("e", left.found.number) if left.found else None
