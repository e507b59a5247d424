"""Drag an element and drop it: on another, before or after it, at a point, or some pixels away.

Works for what follows the mouse, for what follows pointers, and for HTML's own dragging.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Literal

import msgspec
from playwright.async_api import Error as DriverError
from playwright.async_api import FloatRect, Page

from browse.browser.elements.element import ACTION_MS, Element
from browse.browser.elements.page_changes import while_restless
from browse.browser.elements.target import Patience
from browse.browser.page import scripts
from browse.browser.page.dropping import DropOrder, DropPlace
from browse.browser.page.shapes import Point
from browse.core.errors import BrowseError, Code

# A drag begins only after some pixels, and elements below it get an event for each move.
DRAG_STEPS = 10
# A list that is sorted while something is held is asked for the other side so often.
MAX_TURNS = 8
MAX_DRAGS = 3
# From the edge of a target to the middle of what is next to it, in sizes of the target.
NEIGHBOUR = 0.6
ROOM_PX = 2
STILL_MS = 1_000
Side = Literal["", "before", "after"]


class DropOutcome(msgspec.Struct, frozen=True):
    """Where something was dropped, how far it has moved, and where it stands then."""

    at: tuple[int, int] | None = None  # None where it stood as asked already
    moved: tuple[int, int] | None = None
    order: DropOrder | None = None


async def drag_by(source: Element, dx: int, dy: int) -> DropOutcome:
    """Drag an element by pixels."""
    async with _held(source) as begin:
        point = Point(begin.x + dx, begin.y + dy)
        await _go(source.tab.page, point)
        return await _drop(source, begin, point)


async def drag_to(
    source: Element, target: Element, *, at: tuple[int, int] | None = None
) -> DropOutcome:
    """Drag an element to another: to the middle of what can be seen of it, or to a point."""
    await _reachable(target)
    if at:
        await _require_in_window(target, at)
    async with _held(source) as begin:
        _, point = await _place(target, "", at)
        await _go(source.tab.page, point)
        return await _drop(source, begin, point)


async def drag_beside(
    source: Element, target: Element, side: Side, patience: Patience | None
) -> DropOutcome:
    """Drag an element before or after another; raise unless it stands there then."""
    await _reachable(target)
    await scripts.KEEP_DRAGGED(source.handle)
    before = await scripts.DROP_ORDER(target.handle)
    dropped = DropOutcome(order=before)
    for _ in range(MAX_DRAGS):
        if before.order == side:
            break
        async with _held(source) as begin:
            place, point = await _place(target, side)
            await _go(source.tab.page, point)
            point, is_sorted = await _arrange(source, target, side, place, before, point)
            dropped = await _drop(source, begin, point)
        now = await _order(target, side, patience)
        dropped = msgspec.structs.replace(dropped, order=now)
        if now.order in (side, "gone") or not is_sorted:
            break
        before = now  # nearer: from there, the rest is another drag, as a person does it
    if dropped.order and dropped.order.order not in (side, "gone"):
        raise _misplaced(target, side, dropped.order)
    return dropped


def _misplaced(target: Element, side: Side, now: DropOrder) -> BrowseError:
    where = f"it is {now.number} of {now.count} in its list" if now.count else "it is elsewhere"
    return BrowseError(
        Code.UNMET,
        f"It was dropped, but it does not stand right {side} {target.word}: {where}.",
        hint="look with `browse snapshot -i`; the list may be sorted by other means, such as"
        " keys: `browse press Space`, arrows, `browse press Space`",
    )


async def _place(
    target: Element, side: Side, at: tuple[int, int] | None = None
) -> tuple[DropPlace, Point]:
    """Bring an element into view; return where to drop on it, also in the window."""
    async with target.acting("dragging to it"):
        await target.handle.scroll_into_view_if_needed(timeout=ACTION_MS)
    place, box = await scripts.DROP_PLACE(target.handle, side=side), await _box(target)
    inner = Point(*at) if at else place.point or Point(box["width"] / 2, box["height"] / 2)
    return place, Point(box["x"] + inner.x, box["y"] + inner.y)


async def _reachable(target: Element) -> None:
    """Raise unless some part of an element can be seen, and is not covered."""
    async with target.acting("dragging to it"):
        await target.handle.scroll_into_view_if_needed(timeout=ACTION_MS)
        if not (await scripts.DROP_PLACE(target.handle, side="")).point:
            await target.handle.hover(trial=True, timeout=ACTION_MS)  # says what is in the way


async def _require_in_window(target: Element, at: tuple[int, int]) -> None:
    """Raise if a point of an element, as it stands now, is nowhere in the window."""
    (_, point), box = await _place(target, "", at), await _box(target)
    window = await scripts.VIEWPORT(target.tab.page.main_frame)
    if not (0 <= point.x < window.width and 0 <= point.y < window.height):
        size = "{:g}x{:g} pixels large".format(round(box["width"]), round(box["height"]))
        raise target.not_actionable(
            f"is {size}: {at[0]},{at[1]} from its corner is outside of the window;"
            " nothing was dragged",
            "give a point in what can be seen of it, or scroll first: browse scroll --by 0,300",
        )


class _Begin(msgspec.Struct):
    """Where something was taken, its box then, and whether it still is held."""

    x: float
    y: float
    box: FloatRect
    held: bool = True


@asynccontextmanager
async def _held(source: Element) -> AsyncIterator[_Begin]:
    """Take an element with the mouse; let it go at the end of the block."""
    page = source.tab.page
    async with source.acting("dragging it"):
        await source.handle.scroll_into_view_if_needed(timeout=ACTION_MS)
        place = await scripts.DROP_PLACE(source.handle, side="")
        box = await _box(source)
        if place.point is None:
            await source.handle.hover(timeout=ACTION_MS)  # says what is in the way
        point = place.point or Point(box["width"] / 2, box["height"] / 2)
        begin = _Begin(box["x"] + point.x, box["y"] + point.y, box)
        await page.mouse.move(begin.x, begin.y)
        await page.mouse.down()
        try:
            yield begin
        finally:
            if begin.held:
                await page.mouse.up()


async def _go(page: Page, point: Point, steps: int = DRAG_STEPS) -> None:
    await page.mouse.move(point.x, point.y, steps=steps)
    await page.mouse.move(point.x, point.y)  # with HTML's dragging, the first only enters


async def _arrange(
    source: Element, target: Element, side: Side, place: DropPlace, begin: DropOrder, point: Point
) -> tuple[Point, bool]:
    """Move until a list that is sorted while something is held stands as asked.

    Return where the mouse is then, and whether it is such a list.

    Such a list puts it behind what it is over, seen from where the drag began, and takes no notice
    while it makes room. Another list decides when it is dropped.
    """
    axis: Literal["x", "y"] = "x" if place.across else "y"
    home = await _box(target)
    corner = Point(point.x - home["x"], point.y - home["y"])
    is_near = (side == "before") == place.follows
    size, back = (
        home["width" if place.across else "height"],
        -NEIGHBOUR if place.follows else NEIGHBOUR,
    )
    was, is_stuck, is_sorted = "", False, False
    for turn in range(MAX_TURNS):
        with suppress(DriverError):
            await target.handle.wait_for_element_state("stable", timeout=STILL_MS)
        now, box = await scripts.DROP_ORDER(target.handle), await _box(target)
        is_stuck |= is_near and now.order == was
        makes_room = is_near and abs(box[axis] - home[axis]) > ROOM_PX
        is_sorted |= makes_room or now.number != begin.number
        if now.order == side and was == side:
            break
        if now.order == side:  # dropping is a move over something too: there it changes nothing
            own = await _box(source)
            point = Point(own["x"] + own["width"] / 2, own["y"] + own["height"] / 2)
        elif is_sorted or not turn:
            # One that does not give way is passed by on the way from its neighbour.
            off = back * size if is_stuck else 0
            x, y = (off, 0.0) if place.across else (0.0, off)
            point = Point(box["x"] + corner.x + x, box["y"] + corner.y + y)
        else:
            break
        was = now.order
        await _go(target.tab.page, point, steps=1)
    return point, is_sorted


async def _drop(source: Element, begin: _Begin, point: Point) -> DropOutcome:
    begin.held = False
    await source.tab.page.mouse.up()
    moved = None
    with suppress(BrowseError, DriverError):  # the page has taken it away
        with suppress(DriverError):
            await source.handle.wait_for_element_state("stable", timeout=STILL_MS)
        now = await _box(source)
        moved = round(now["x"] - begin.box["x"]), round(now["y"] - begin.box["y"])
    return DropOutcome((round(point.x), round(point.y)), moved)


async def _order(target: Element, side: Side, patience: Patience | None) -> DropOrder:
    """Return where it stands: as asked, or when the page is quiet."""
    now = await scripts.DROP_ORDER(target.handle)

    async def look() -> DropOrder | None:
        nonlocal now
        now = await scripts.DROP_ORDER(target.handle)
        return now if now.order == side else None

    if now.order != side and patience:
        await while_restless(target.tab, look, patience.limit_ms, patience.is_busy)
    return now


async def _box(element: Element) -> FloatRect:
    box = await element.handle.bounding_box()
    if box is None:
        raise element.not_actionable("is no longer visible", "look with `browse snapshot -i`")
    return box
