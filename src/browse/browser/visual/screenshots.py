"""Pictures of a tab, taken through our own session: the driver's way forgets an emulated scale.

Everything that is moved for a picture (a scrolled box, the window's size) is put back, on every way
out. What is outside of the window is painted there by Chromium, without scrolling the page.
"""

import asyncio
import base64
import io
import math
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Literal

import msgspec
from playwright.async_api import CDPSession, ElementHandle
from playwright.async_api import Error as DriverError

from browse.browser.driver_errors import acting, translated
from browse.browser.elements.element import ACTION_MS
from browse.browser.elements.target import Target
from browse.browser.page import scripts
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

Kind = Literal["png", "jpeg", "webp"]
PICTURE_S = 20.0
# No WebP is larger than this, and textures of many graphics cards end just beyond it.
MAX_SIDE_PX = 16_383
RETRIES = 3
# How long a page gets to adapt to another size of its window.
SETTLE_S = 0.3
_PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the page, in CSS pixels from the top left corner of the top document."""

    x: float
    y: float
    width: float
    height: float

    def within(self, other: "Area") -> "Area":
        """Give the part of it that lies in another area; without size where there is none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right = min(self.x + self.width, other.x + other.width)
        bottom = min(self.y + self.height, other.y + other.height)
        return Area(x, y, max(right - x, 0), max(bottom - y, 0))

    def rounded(self) -> "Area":
        """Give the smallest area of whole pixels around it: between them, everything is blurred."""
        x, y = math.floor(self.x), math.floor(self.y)
        return Area(x, y, math.ceil(self.x + self.width) - x, math.ceil(self.y + self.height) - y)


@dataclass(frozen=True, slots=True)
class Picture:
    """An encoded image: its size, how much it was scaled down (1 = not at all), and from what."""

    data: bytes
    width: int
    height: int
    scale: float
    full_width: int
    full_height: int


@dataclass(frozen=True, slots=True)
class Layout:
    """What there is of the page, and what the window shows of it."""

    content: Area
    window: Area


async def picture(
    tab: Tab,
    *,
    kind: Kind = "png",
    area: Area | None = None,
    whole: bool = False,
    quality: int | None = None,
    longest: int | None = None,
) -> Picture:
    """Take a picture of the window, of an area of the page, or of the whole page.

    `longest` bounds the longer side in pixels: a larger picture is scaled down.
    """
    _ = tab.frame  # a crashed tab says so first
    session = await tab.protocol()
    wanted: dict[str, Any] = {"format": kind} | ({"quality": quality} if quality else {})
    scale, full = 1.0, None
    async with _limited(tab):
        if area or whole or longest:
            layout = await _layout(session)
            part = _part(layout, area) if area else layout.content if whole else layout.window
            full = await _pixels(tab, part)
            scale = min(1.0, min(longest or MAX_SIDE_PX, MAX_SIDE_PX) / max(full))
            wanted["clip"] = _clip(part, scale)
            wanted["captureBeyondViewport"] = part.within(layout.window) != part
        with translated("taking the picture"):
            taken = await _capture(session, wanted)
    data = base64.b64decode(taken["data"])
    width, height = await dimensions(data)
    return Picture(data, width, height, scale, *(full if full and scale < 1 else (width, height)))


async def _capture(session: CDPSession, wanted: dict[str, Any]) -> dict[str, Any]:
    """Take the picture; a busy Chromium may have none to give, and a moment later has."""
    for _ in range(RETRIES):
        try:
            return await session.send("Page.captureScreenshot", wanted)
        except DriverError as exc:
            if "Unable to capture screenshot" not in str(exc):
                raise
    return await session.send("Page.captureScreenshot", wanted)


async def layout(tab: Tab) -> Layout:
    """Measure the page and what the window shows of it."""
    return await _layout(await tab.protocol())


async def dimensions(data: bytes) -> tuple[int, int]:
    """Read the size of an encoded image in pixels."""
    if data.startswith(_PNG):
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    return await asyncio.to_thread(_measured, data)


def _measured(data: bytes) -> tuple[int, int]:
    from PIL import Image  # heavy, and only needed for what is not PNG

    return Image.open(io.BytesIO(data)).size


@asynccontextmanager
async def revealed(
    tab: Tab, target: Target, *, named: str, centred: bool = False
) -> AsyncIterator[Area]:
    """Bring an element out of the boxes and frames that scroll it away, and tell where it is.

    `centred` also scrolls the page, until it is in the middle of the window.
    """
    moved = []
    try:
        frame = target.frame
        with acting("taking its picture", target=named):
            element = inner = await target.place.element_handle(timeout=ACTION_MS)
        while True:
            moved.append(frame)
            above = frame.parent_frame
            await scripts.SCROLL_INTO_VIEW(inner, top=above is None)
            if above is None:
                break
            with translated("looking for the frame"):
                inner, frame = await frame.frame_element(), above
        if centred:
            await scripts.CENTRE(element)
        yield await _box(tab, element, named)
    finally:
        for frame in moved:
            with suppress(BrowseError):  # a frame that has gone has nothing to put back
                await scripts.RESTORE_SCROLL(frame)


@asynccontextmanager
async def resized(tab: Tab) -> AsyncIterator[Callable[[int, int | None], Awaitable[None]]]:
    """Let the window be given other sizes; its own size and place come back at the end."""
    page, before = tab.page.main_frame, tab.screen
    await scripts.SCROLL_INTO_VIEW(page, top=True)

    async def resize(width: int, height: int | None = None) -> None:
        size = {"width": width, "height": before.height if height is None else height}
        tab.screen = msgspec.structs.replace(before, **size)
        await tab.emulate()
        await asyncio.sleep(SETTLE_S)

    try:
        yield resize
    finally:
        tab.screen = before
        with suppress(BrowseError):  # a tab that has gone has no size
            await tab.emulate()
            await scripts.RESTORE_SCROLL(page)


async def _box(tab: Tab, element: ElementHandle, named: str) -> Area:
    session = await tab.protocol()
    with acting("measuring it", target=named):
        box = await element.bounding_box()
    window = (await _layout(session)).window
    if box is None:
        raise BrowseError(
            Code.NOT_ACTIONABLE,
            f"{named} cannot be seen; it has no place on the page.",
            hint="make it visible first, or `browse wait` for it",
        )
    if not box["width"] or not box["height"]:
        raise BrowseError(
            Code.NOT_ACTIONABLE,
            f"{named} has no size ({box['width']:g}x{box['height']:g} pixels).",
            hint="name an element that takes up room, such as its parent",
        )
    return Area(box["x"] + window.x, box["y"] + window.y, box["width"], box["height"])


async def _layout(session: CDPSession) -> Layout:
    with translated("measuring the page"):
        found = await session.send("Page.getLayoutMetrics")
    content, window = found["cssContentSize"], found["cssLayoutViewport"]
    return Layout(
        Area(content["x"], content["y"], content["width"], content["height"]),
        Area(window["pageX"], window["pageY"], window["clientWidth"], window["clientHeight"]),
    )


def _part(layout: Layout, area: Area) -> Area:
    part = area.rounded().within(layout.content)
    if part.width and part.height:
        return part
    page = layout.content
    raise BrowseError(
        Code.NOT_ACTIONABLE,
        f"There is nothing of the page at {area.x:g},{area.y:g}; it has "
        f"{page.width:g}x{page.height:g} pixels.",
        hint="choose a place inside of it, or scroll the element there first",
    )


async def _pixels(tab: Tab, part: Area) -> tuple[int, int]:
    """Tell how many pixels an area takes when nothing is scaled down."""
    view = await scripts.VIEWPORT(tab.page.main_frame)
    return round(part.width * view.scale) or 1, round(part.height * view.scale) or 1


def _clip(part: Area, scale: float) -> dict[str, float]:
    return {
        "x": part.x,
        "y": part.y,
        "width": part.width,
        "height": part.height,
        "scale": scale,
    }


@asynccontextmanager
async def _limited(tab: Tab) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(PICTURE_S):
            yield
    except TimeoutError as exc:
        await tab.unstick()
        raise BrowseError(
            Code.TIMEOUT,
            f"The page gave no picture within {PICTURE_S:g} s; it does not get to paint.",
            hint="a script may keep it busy: `browse reload`, or `browse goto <url>`",
        ) from exc
