"""Take screenshots of a tab over CDP: the driver's own way loses an emulated device scale.

Whatever is changed for a screenshot (scroll positions, the window's size) is restored, also after
an error. Chromium paints what is outside the window without scrolling the page.
"""

import asyncio
import base64
import io
import math
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Literal

import msgspec
from playwright.async_api import CDPSession, ElementHandle
from playwright.async_api import Error as DriverError

from browse.browser.driver_errors import acting, translated
from browse.browser.driver_messages import Meaning, means
from browse.browser.elements.element import ACTION_MS
from browse.browser.elements.target import FoundElement
from browse.browser.page import scripts
from browse.browser.tabs.tab import Tab
from browse.browser.visual.covered_secrets import without_secrets
from browse.core.errors import BrowseError, Code

ImageKind = Literal["png", "jpeg", "webp"]
CAPTURE_S = 20.0
# The limit of WebP, and about that of textures on many graphics cards.
MAX_SIDE_PX = 16_383
RETRIES = 3
# How long a page gets to adapt to a new window size.
SETTLE_S = 0.3
_PNG = b"\x89PNG\r\n\x1a\n"


class Area(msgspec.Struct, frozen=True):
    """A rectangle of the page, in CSS pixels from the top left corner of the top document."""

    x: float
    y: float
    width: float
    height: float

    def within(self, other: "Area") -> "Area":
        """Return the intersection with another area; its size is 0 if there is none."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        right = min(self.x + self.width, other.x + other.width)
        bottom = min(self.y + self.height, other.y + other.height)
        return Area(x, y, max(right - x, 0), max(bottom - y, 0))

    def rounded(self) -> "Area":
        """Return the smallest area of whole pixels around it: fractions would blur the image."""
        x, y = math.floor(self.x), math.floor(self.y)
        return Area(x, y, math.ceil(self.x + self.width) - x, math.ceil(self.y + self.height) - y)


class Screenshot(msgspec.Struct, frozen=True):
    """An encoded image, its size, its scale (1 = not scaled down) and the unscaled size."""

    data: bytes
    width: int
    height: int
    scale: float
    full_width: int
    full_height: int


class PageLayout(msgspec.Struct, frozen=True):
    """The area of the whole page, and the area that the window shows."""

    content: Area
    window: Area


async def take_screenshot(
    tab: Tab,
    *,
    kind: ImageKind = "png",
    area: Area | None = None,
    whole: bool = False,
    quality: int | None = None,
    longest: int | None = None,
) -> Screenshot:
    """Take a screenshot of the window, of an area of the page, or of the whole page.

    `longest` limits the longer side in pixels: a larger image is scaled down.
    """
    _ = tab.frame  # a crashed tab says so first
    session = await tab.protocol()
    params: dict[str, Any] = {"format": kind} | ({"quality": quality} if quality else {})
    scale, full = 1.0, None
    async with time_limit(tab):
        if area or whole or longest:
            layout = await _layout(session)
            part = (
                _require_on_page(layout, area)
                if area
                else layout.content
                if whole
                else layout.window
            )
            full = await _size_in_pixels(tab, part)
            scale = min(1.0, min(longest or MAX_SIDE_PX, MAX_SIDE_PX) / max(full))
            params["clip"] = _clip(part, scale)
            params["captureBeyondViewport"] = part.within(layout.window) != part
        async with without_own_drawings(tab), without_secrets(tab):
            with translated("taking the screenshot"):
                taken = await _capture(session, params)
    data = base64.b64decode(taken["data"])
    width, height = await image_size(data)
    return Screenshot(
        data, width, height, scale, *(full if full and scale < 1 else (width, height))
    )


@asynccontextmanager
async def without_own_drawings(tab: Tab) -> AsyncIterator[None]:
    """Hide what our extensions draw on a page in a window; a person sees it blink."""
    if not tab.is_in_window:
        yield
        return
    page = tab.page.main_frame
    await scripts.HIDE_OWN_DRAWINGS(page, hidden=True)
    try:
        yield
    finally:
        with suppress(BrowseError):  # a page that has gone draws nothing
            await scripts.HIDE_OWN_DRAWINGS(page, hidden=False)


async def _capture(session: CDPSession, params: dict[str, Any]) -> dict[str, Any]:
    """Capture an image; retry, because a busy Chromium may fail at first."""
    for _ in range(RETRIES):
        try:
            return await session.send("Page.captureScreenshot", params)
        except DriverError as exc:
            if not means(exc.message, Meaning.NO_PICTURE):
                raise
    return await session.send("Page.captureScreenshot", params)


async def page_layout(tab: Tab) -> PageLayout:
    """Measure the page and the part of it that the window shows."""
    return await _layout(await tab.protocol())


async def image_size(data: bytes) -> tuple[int, int]:
    """Return the size of an encoded image in pixels."""
    if data.startswith(_PNG):
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    return await asyncio.to_thread(_size_by_pillow, data)


def _size_by_pillow(data: bytes) -> tuple[int, int]:
    from PIL import Image  # heavy, and only needed for what is not PNG

    return Image.open(io.BytesIO(data)).size


@asynccontextmanager
async def scrolled_into_view(
    tab: Tab, target: FoundElement, *, named: str, centred: bool = False
) -> AsyncIterator[Area]:
    """Scroll the boxes and frames around an element until it shows; yield its area.

    `centred` also scrolls the page, so that the element is in the middle of the window.
    """
    moved = []
    try:
        frame = target.frame
        with acting("taking its screenshot", target=named):
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
        yield await _area_of(tab, element, named)
    finally:
        for frame in moved:
            with suppress(BrowseError):  # a frame that has gone needs no restoring
                await scripts.RESTORE_SCROLL(frame)


@asynccontextmanager
async def resizable(tab: Tab) -> AsyncIterator[Callable[[int, int | None], Awaitable[None]]]:
    """Yield a function that resizes the window; restore size and scroll position at the end."""
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
        with suppress(BrowseError):  # a closed tab needs no restoring
            await tab.emulate()
            await scripts.RESTORE_SCROLL(page)


async def _area_of(tab: Tab, element: ElementHandle, named: str) -> Area:
    session = await tab.protocol()
    with acting("measuring it", target=named):
        box = await element.bounding_box()
    window = (await _layout(session)).window
    if box is None:
        raise BrowseError(
            Code.NOT_ACTIONABLE,
            f"{named} is not visible; it has no box on the page.",
            hint="make it visible first, or `browse wait` for it",
        )
    if not box["width"] or not box["height"]:
        raise BrowseError(
            Code.NOT_ACTIONABLE,
            f"{named} has no size ({box['width']:g}x{box['height']:g} pixels).",
            hint="name an element with a size, such as its parent",
        )
    return Area(box["x"] + window.x, box["y"] + window.y, box["width"], box["height"])


async def _layout(session: CDPSession) -> PageLayout:
    with translated("measuring the page"):
        found = await session.send("Page.getLayoutMetrics")
    content, window = found["cssContentSize"], found["cssLayoutViewport"]
    return PageLayout(
        Area(content["x"], content["y"], content["width"], content["height"]),
        Area(window["pageX"], window["pageY"], window["clientWidth"], window["clientHeight"]),
    )


def _require_on_page(layout: PageLayout, area: Area) -> Area:
    part = area.rounded().within(layout.content)
    if part.width and part.height:
        return part
    page = layout.content
    raise BrowseError(
        Code.NOT_ACTIONABLE,
        f"{area.x:g},{area.y:g} is outside the page, which has "
        f"{page.width:g}x{page.height:g} pixels.",
        hint="choose an area inside it, or scroll the element there first",
    )


async def _size_in_pixels(tab: Tab, part: Area) -> tuple[int, int]:
    """Return the size of an area in device pixels."""
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
async def time_limit(tab: Tab) -> AsyncIterator[None]:
    """Give up on a page that does not paint, and free it for the next command."""
    try:
        async with asyncio.timeout(CAPTURE_S):
            yield
    except TimeoutError as exc:
        await tab.unstick()
        raise BrowseError(
            Code.TIMEOUT,
            f"No screenshot within {CAPTURE_S:g} s: the page does not paint.",
            hint="a script may keep it busy: `browse reload`, or `browse goto <url>`",
        ) from exc
