"""The words of `screenshot`: which of them is an element, which a file, and what kind of file."""

import asyncio
import re
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Annotated

from browse.browser.visual.screenshots import Area, Kind, Picture
from browse.core.errors import Usage
from browse.guard.files import WritePath, check_write, write_output
from browse.registry.params import WRITE_FILE, Param, Surroundings
from browse.registry.results import Text

KINDS: dict[str, Kind] = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}
# Beyond this, models scale a picture down themselves, or refuse it.
GUARD_PX = 2_000
SIZES = {"mobile": (375, 812), "tablet": (768, 1024), "desktop": (1280, 720)}
_LIKE_A_SELECTOR = re.compile(r"[@.#]|\w+=|.*[\[>]")


@dataclass(frozen=True, slots=True)
class Element:
    """A word that means an element, not a file."""

    word: str


def kind_of(path: str) -> Kind | None:
    """Tell the kind of image by a file's name; None when no kind goes by it."""
    return KINDS.get(PurePath(path).suffix.lower())


def _picture_path(raw: str, env: Surroundings) -> WritePath:
    path = check_write(raw, cwd=env.cwd, roots=env.roots)
    if kind_of(raw):
        return path
    raise Usage(
        f"{raw[:80]!r} is no name of a picture; it must end in {', '.join(KINDS)}",
        hint="for an element use --selector, for a PDF `browse pdf`",
    )


def _place(raw: str, env: Surroundings) -> Element | WritePath:
    """Tell elements from files: `.menu` and `@e3` are elements, `./menu.png` and `a.png` files."""
    named = kind_of(raw) and ("/" in raw or raw[0] not in "@.#")
    if not named and _LIKE_A_SELECTOR.match(raw):
        return Element(raw)
    return _picture_path(raw, env)


def _clip(raw: str, _: Surroundings) -> Area:
    words = [word.strip() for word in raw.split(",")]
    if len(words) == 4 and all(re.fullmatch(r"\d{1,6}(\.\d{1,3})?", word) for word in words):
        area = Area(*(float(word) for word in words))
        if area.width and area.height:
            return area
    raise Usage(
        f"{raw[:40]!r} is not x,y,width,height in pixels", hint="such as --clip 0,0,800,600"
    )


Place = Annotated[Element | WritePath, Param("target|path", _place)]
PictureFile = Annotated[WritePath, replace(WRITE_FILE, metavar="path", parse=_picture_path)]
Clip = Annotated[Area, Param("x,y,w,h", _clip)]


def _prefix(raw: str, env: Surroundings) -> dict[str, WritePath]:
    stem = raw if raw.endswith("/") else f"{raw}-"
    return {name: check_write(f"{stem}{name}.png", cwd=env.cwd, roots=env.roots) for name in SIZES}


# One file for each size.
Prefix = Annotated[dict[str, WritePath], replace(WRITE_FILE, metavar="prefix", parse=_prefix)]


def sort_out(places: list[Element | WritePath | None]) -> tuple[str | None, WritePath | None]:
    """Find the element and the file among the words, in whatever order they came."""
    elements = [place.word for place in places if isinstance(place, Element)]
    paths = [place for place in places if isinstance(place, WritePath)]
    if len(elements) > 1 or len(paths) > 1:
        what = "elements" if len(elements) > 1 else "files"
        raise Usage(
            f"screenshot: two {what} were named",
            hint="Usage: browse screenshot [target] [path]; give one of each",
        )
    return next(iter(elements), None), next(iter(paths), None)


async def save(taken: Picture, file: WritePath, head: str, remedy: str = "") -> Text:
    """Write a picture and tell where it is; a smaller one than the page says so."""
    size = await asyncio.to_thread(write_output, file, taken.data)
    facts = {"path": file.real, "width": taken.width, "height": taken.height, "bytes": size}
    line = f"{head}: {file.real}"
    if taken.scale < 1:
        full = f"{taken.full_width}x{taken.full_height}"
        line += f"\n  scaled down from {full} to {taken.width}x{taken.height} pixels{remedy}"
        facts |= {"full_width": taken.full_width, "full_height": taken.full_height}
    return Text(line, {**facts, "scale": round(taken.scale, 4)})
