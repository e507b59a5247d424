"""Draw boxes and labels on a screenshot; the page itself is not changed."""

import asyncio
import io
from collections import defaultdict
from collections.abc import Iterable, Mapping

import msgspec
from playwright.async_api import Frame

from browse.browser.driver_errors import translated
from browse.browser.page import scripts
from browse.browser.tabs.refs import parse
from browse.browser.tabs.tab import Tab
from browse.browser.visual.page_parts import take_page
from browse.browser.visual.screenshots import Area, Screenshot, page_layout
from browse.core.errors import BrowseError

LONGEST_PX = 2000
LABEL_PX = 12
LINE_PX = 2
FILL = 0x1A  # a tenth of the colour
COLOURS = {
    "red": (220, 38, 38),
    "green": (22, 163, 74),
    "yellow": (202, 138, 4),
    "blue": (37, 99, 235),
    "orange": (234, 88, 12),
    "gray": (107, 114, 128),
}


class AnnotatedImage(msgspec.Struct, frozen=True):
    """The page with boxes as PNG, in parts if it is long, and the refs that were not drawn."""

    parts: list[bytes]
    skipped: list[str]


async def take_annotated(tab: Tab, colours: Mapping[str, str]) -> AnnotatedImage:
    """Take a screenshot of the whole page with a box around the element of each ref."""
    places = await areas_of(tab, colours)
    images = await take_page(tab, longest=LONGEST_PX)
    parts = []
    for part in images.parts:
        ratio = part.taken.width / part.area.width
        shown = {ref: area for ref, area in places.items() if _touches(area, part.area)}
        drawn = {ref: _scaled(area, part.area, ratio) for ref, area in shown.items()}
        parts.append(await asyncio.to_thread(_draw, part.taken, drawn, colours))
    return AnnotatedImage(parts, [ref for ref in colours if ref not in places])


def _touches(area: Area, part: Area) -> bool:
    return area.y < part.y + part.height and area.y + area.height > part.y


async def areas_of(tab: Tab, refs: Iterable[str]) -> dict[str, Area]:
    """Return where the elements of refs are, in the top document's coordinates."""
    by_frame: dict[Frame, dict[str, list[int]]] = defaultdict(lambda: {"e": [], "c": []})
    for word in refs:
        ref = parse(word)
        frame = tab.refs.frame_of(ref) if ref else None
        if ref and frame and not frame.is_detached():
            by_frame[frame][ref.kind].append(ref.number)
    window = (await page_layout(tab)).window
    places: dict[str, Area] = {}
    for frame, numbers in by_frame.items():
        try:
            view = await _view_of(frame, window)
            found = await scripts.REF_BOXES(frame, doc=tab.refs.doc, **numbers)
        except BrowseError:
            continue  # the frame has gone
        for box in found:
            area = view.shown(Area(box.x, box.y, box.width, box.height))
            if area.width and area.height:
                places[box.ref] = area
    return places


class _FrameView(msgspec.Struct, frozen=True):
    """Where a frame's document is drawn on the top document, and at which scale."""

    area: Area
    scale: float = 1.0
    bounded: bool = True

    def shown(self, box: Area) -> Area:
        moved = Area(
            self.area.x + box.x * self.scale,
            self.area.y + box.y * self.scale,
            box.width * self.scale,
            box.height * self.scale,
        )
        return moved.within(self.area) if self.bounded else moved


async def _view_of(frame: Frame, window: Area) -> _FrameView:
    if frame.parent_frame is None:
        return _FrameView(window, bounded=False)
    with translated("looking for the frame"):
        host = await frame.frame_element()
        box = await host.bounding_box()
    inside = await scripts.FRAME_BOX(host)
    x, y = (box["x"], box["y"]) if box else (0.0, 0.0)
    area = Area(
        window.x + x + inside.x * inside.scale,
        window.y + y + inside.y * inside.scale,
        inside.width * inside.scale if box else 0,
        inside.height * inside.scale if box else 0,
    )
    return _FrameView(area, inside.scale)


def _scaled(area: Area, page: Area, ratio: float) -> Area:
    return Area(
        (area.x - page.x) * ratio,
        (area.y - page.y) * ratio,
        area.width * ratio,
        area.height * ratio,
    )


def _draw(taken: Screenshot, areas: Mapping[str, Area], colours: Mapping[str, str]) -> bytes:
    from PIL import Image, ImageDraw, ImageFont  # heavy, and only needed here

    image = Image.open(io.BytesIO(taken.data)).convert("RGBA")
    over = Image.new("RGBA", image.size)
    pen = ImageDraw.Draw(over)
    font = ImageFont.load_default(LABEL_PX)
    for ref, area in areas.items():
        colour = COLOURS[colours[ref]]
        right, bottom = area.x + max(area.width, 1), area.y + max(area.height, 1)
        pen.rectangle((area.x, area.y, right, bottom), (*colour, FILL), (*colour, 255), LINE_PX)
        top = max(area.y - LABEL_PX - 2, 0)
        label = pen.textbbox((area.x + 2, top), ref, font=font)
        pen.rectangle((label[0] - 2, label[1] - 1, label[2] + 2, label[3] + 1), (*colour, 255))
        pen.text((area.x + 2, top), ref, fill="white", font=font)
    out = io.BytesIO()
    Image.alpha_composite(image, over).convert("RGB").save(out, "PNG")
    return out.getvalue()
