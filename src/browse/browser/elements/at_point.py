"""Find the element at a point of a tab's window, in whatever frame it is, and give it a ref."""

import msgspec
from playwright.async_api import Frame

from browse.browser.driver_errors import translated
from browse.browser.elements.target import locator_for
from browse.browser.page import scripts
from browse.browser.page.pointing import AtPoint
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

MAX_DEPTH = 10


class PointedElement(msgspec.Struct, frozen=True):
    """The element at a point: its ref, and where it is in the tab's window (x, y, width, height).

    `doc` is the number of the tab's document, to which the ref belongs.
    """

    ref: str
    doc: int
    tag: str
    role: str
    name: str
    selector: str
    box: tuple[float, float, float, float]


async def element_at(tab: Tab, x: float, y: float) -> PointedElement:
    """Return the element at a point, in CSS pixels from the window's corner; raise if none is.

    The ref is shown to the caller that the tab works for, so the tab must be locked.
    """
    tab.check_page()
    frame, left, top, scale = tab.page.main_frame, 0.0, 0.0, 1.0
    for _ in range(MAX_DEPTH):
        at = ((x - left) / scale, (y - top) / scale)
        found = await _hit(tab, frame, *at)
        box = found.box
        here = (left + box[0] * scale, top + box[1] * scale, box[2] * scale, box[3] * scale)
        ref = f"@e{found.number}"
        inner = await _entered(tab, ref) if found.is_frame else None
        if inner is None:
            return PointedElement(
                ref, tab.refs.doc, found.tag, found.role, found.name, found.selector, here
            )
        inside = await scripts.FRAME_BOX(locator_for(tab, ref))
        frame = inner
        scale *= inside.scale
        left, top = here[0] + inside.x * scale, here[1] + inside.y * scale
    raise _nothing()


async def _hit(tab: Tab, frame: Frame, x: float, y: float) -> AtPoint:
    answer = await scripts.AT_POINT(frame, numbers=tab.refs.start(), x=x, y=y)
    tab.refs.claim(frame, answer.next)
    if answer.found is None:
        raise _nothing()
    tab.refs.show({f"@e{answer.found.number}": answer.found})
    return answer.found


async def _entered(tab: Tab, ref: str) -> Frame | None:
    with translated("looking for the frame"):
        host = await locator_for(tab, ref).element_handle()
        return await host.content_frame()


def _nothing() -> BrowseError:
    return BrowseError(
        Code.NO_MATCH,
        "There is no element at that point.",
        hint="point at something inside the page's window",
    )
