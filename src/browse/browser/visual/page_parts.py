"""Take the whole page as one image, or as numbered parts where one would be unreadable."""

import asyncio
import math
from collections.abc import Sequence
from pathlib import PurePath

import msgspec

from browse.browser.page import scripts
from browse.browser.tabs.tab import Tab
from browse.browser.visual.screenshot_file import save_screenshot
from browse.browser.visual.screenshots import (
    MAX_SIDE_PX,
    Area,
    ImageKind,
    Screenshot,
    page_layout,
    take_screenshot,
    time_limit,
)
from browse.guard.files import WritePath, write_output
from browse.registry.results import Text

# An image that is narrower than this, and than the page, cannot be read.
READABLE_PX = 640
MAX_PARTS = 60


class PagePart(msgspec.Struct, frozen=True):
    """One image of a page, and the area of the page that it shows."""

    area: Area
    taken: Screenshot


class PageImages(msgspec.Struct, frozen=True):
    """The images of a page from top to bottom; `page` is the area of the whole page."""

    page: Area
    parts: list[PagePart]

    @property
    def data(self) -> list[bytes]:
        """The bytes of the images."""
        return [part.taken.data for part in self.parts]

    @property
    def rest(self) -> str:
        """Say what the images leave out; "" if they show the whole page."""
        last = self.parts[-1].area
        shown = last.y + last.height - self.page.y
        if shown >= self.page.height:
            return ""
        more = f"--clip {last.x:g},{last.y + last.height:g},{last.width:g},{last.height:g}"
        return f"the rest, {self.page.height - shown:g} pixels, is left out; {more} shows the next"


def divide(page: Area, ratio: float, longest: int | None) -> list[Area]:
    """Divide a page into areas that give readable images; `ratio` is device pixels to CSS pixels.

    It stays whole if the image can be scaled down to `longest` and still be read.
    """
    width, height = page.width * ratio, page.height * ratio
    limit = min(longest or MAX_SIDE_PX, MAX_SIDE_PX)
    needed = min(width, READABLE_PX) if longest else width
    if height <= limit or width * limit / height >= needed:
        return [page]
    step = math.floor(max(limit, width) / ratio)
    count = math.ceil(page.height / step)
    return [
        Area(page.x, page.y + at * step, page.width, min(step, page.height - at * step))
        for at in range(count)
    ]


async def take_page(
    tab: Tab, *, kind: ImageKind = "png", longest: int | None = None, most: int = MAX_PARTS
) -> PageImages:
    """Take the whole page, in at most so many parts."""
    _ = tab.frame  # a crashed tab says so first
    async with time_limit(tab):
        page = (await page_layout(tab)).content
        ratio = (await scripts.VIEWPORT(tab.page.main_frame)).scale
    areas = divide(page, ratio, longest)
    if len(areas) == 1:
        taken = await take_screenshot(tab, kind=kind, whole=True, longest=longest)
        return PageImages(page, [PagePart(page, taken)])
    parts = [
        PagePart(area, await take_screenshot(tab, kind=kind, area=area, longest=longest))
        for area in areas[:most]
    ]
    return PageImages(page, parts)


def part_files(file: WritePath, count: int) -> list[WritePath]:
    """Return the files for so many parts: the file itself for one, else `page-01.png` and on."""
    if count == 1:
        return [file]
    name, digits = PurePath(file.real), len(str(count))
    return [
        file.beside(f"{name.stem}-{number:0{digits}}{name.suffix}")
        for number in range(1, count + 1)
    ]


async def save_page(images: PageImages, file: WritePath, head: str, remedy: str = "") -> Text:
    """Save the images of a page; the reply says where, and how the page was divided."""
    files = part_files(file, len(images.parts))
    if len(files) == 1:
        return await save_screenshot(images.parts[0].taken, file, head, remedy)
    rows = [await _save_part(part, path) for part, path in zip(images.parts, files, strict=True)]
    size = f"{images.page.width:g}x{images.page.height:g}"
    lines = [
        f"{head} in {len(files)} parts: {files[0].real} … {PurePath(files[-1].real).name}",
        f"  the page has {size} pixels, more than one readable image; "
        f"each part shows {images.parts[0].area.height:g} of its height",
        *([f"  {images.rest}"] if images.rest else []),
    ]
    return Text("\n".join(lines), _facts(images, rows))


async def _save_part(part: PagePart, path: WritePath) -> dict[str, object]:
    size = await asyncio.to_thread(write_output, path, part.taken.data)
    taken = part.taken
    about = {"path": path.real, "width": taken.width, "height": taken.height, "bytes": size}
    return {**about, "y": part.area.y}


def _facts(images: PageImages, rows: Sequence[dict[str, object]]) -> dict[str, object]:
    page = {"full_width": images.page.width, "full_height": images.page.height}
    scale = round(images.parts[0].taken.scale, 4)
    return {**rows[0], **page, "scale": scale, "parts": list(rows)}
