"""Parameters of the screenshot commands (element, file, clip), and saving the image."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Annotated

import msgspec
from msgspec.structs import replace

from browse.browser.visual.screenshots import Area, ImageKind, Screenshot
from browse.core.errors import Usage
from browse.guard.files import WritePath, write_output
from browse.registry.params import WRITE_FILE, Param, Surroundings
from browse.registry.results import Text

KINDS: dict[str, ImageKind] = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}
# Models scale down or refuse images that are larger than this.
DEFAULT_MAX_PX = 2_000
SIZES = {"mobile": (375, 812), "tablet": (768, 1024), "desktop": (1280, 720)}
_LIKE_A_SELECTOR = re.compile(r"[@.#]|\w+=|.*[\[>]")


class ElementWord(msgspec.Struct, frozen=True):
    """A word that means an element, not a file."""

    target: str


def kind_of(path: str) -> ImageKind | None:
    """Return the kind of image by a file's extension; None if it is not an image."""
    return KINDS.get(PurePath(path).suffix.lower())


def _image_path(raw: str, env: Surroundings) -> WritePath:
    path = env.write(raw)
    if kind_of(raw) or not PurePath(raw).suffix:
        return path  # without an extension, it is a PNG
    raise Usage(
        f"{raw[:80]!r} is not the name of an image; it ends in {', '.join(KINDS)} or nothing",
        hint="for an element use --selector, for a PDF `browse pdf`",
    )


def _element_or_file(raw: str, env: Surroundings) -> ElementWord | WritePath:
    """Parse an element or a file: `.menu`, `@e3` are elements, `./menu.png`, `a.png` files."""
    named = kind_of(raw) and ("/" in raw or raw[0] not in "@.#")
    if not named and _LIKE_A_SELECTOR.match(raw):
        return ElementWord(raw)
    return _image_path(raw, env)


def _more_or_file(raw: str, env: Surroundings) -> ElementWord | WritePath:
    """Parse a word after `--hide`: one with the extension of an image is a file."""
    named = kind_of(raw) and ("/" in raw or raw[0] not in "@.#")
    return _image_path(raw, env) if named else ElementWord(raw)


def _clip(raw: str, _: Surroundings) -> Area:
    words = [word.strip() for word in raw.split(",")]
    if len(words) == 4 and all(re.fullmatch(r"\d{1,6}(\.\d{1,3})?", word) for word in words):
        area = Area(*(float(word) for word in words))
        if area.width and area.height:
            return area
    raise Usage(
        f"{raw[:40]!r} is not x,y,width,height in pixels", hint="such as --clip 0,0,800,600"
    )


ElementOrFile = Annotated[ElementWord | WritePath, Param("target|path", _element_or_file)]
ImageFile = Annotated[WritePath, replace(WRITE_FILE, metavar="path", parse=_image_path)]
MoreOrFile = Annotated[ElementWord | WritePath, Param("path", _more_or_file)]
Clip = Annotated[Area, Param("x,y,w,h", _clip)]


def _prefix(raw: str, env: Surroundings) -> dict[str, WritePath]:
    stem = raw if raw.endswith("/") else f"{raw}-"
    return {name: env.write(f"{stem}{name}.png") for name in SIZES}


# One file for each size.
ImagePrefix = Annotated[dict[str, WritePath], replace(WRITE_FILE, metavar="prefix", parse=_prefix)]


def element_and_file(
    words: list[ElementWord | WritePath | None],
) -> tuple[str | None, WritePath | None]:
    """Return the element and the file among the words, in whatever order they came."""
    elements = [word.target for word in words if isinstance(word, ElementWord)]
    paths = [word for word in words if isinstance(word, WritePath)]
    if len(elements) > 1 or len(paths) > 1:
        what = "elements" if len(elements) > 1 else "files"
        raise Usage(
            f"screenshot: two {what} were named",
            hint="Usage: browse screenshot [target] [path]; give one of each",
        )
    return next(iter(elements), None), next(iter(paths), None)


def hidden_and_file(
    words: Sequence[ElementWord | WritePath], *, hides: bool
) -> tuple[list[str], WritePath | None]:
    """Return the elements to hide and the file among the words of `prettyscreenshot`."""
    elements = [word.target for word in words if isinstance(word, ElementWord)]
    paths = [word for word in words if isinstance(word, WritePath)]
    if len(paths) > 1 or (elements and not hides):
        what = "two files were named" if len(paths) > 1 else f"{elements[0][:80]!r} is no image"
        raise Usage(
            f"prettyscreenshot: {what}",
            hint=f"name one file, ending in {', '.join(KINDS)}; what to hide comes after --hide",
        )
    return elements, next(iter(paths), None)


async def save_screenshot(taken: Screenshot, file: WritePath, head: str, remedy: str = "") -> Text:
    """Save a screenshot; the reply says where, and whether it was scaled down."""
    size = await asyncio.to_thread(write_output, file, taken.data)
    facts = {"path": file.real, "width": taken.width, "height": taken.height, "bytes": size}
    line = f"{head}: {file.real}"
    if taken.scale < 1:
        full = f"{taken.full_width}x{taken.full_height}"
        line += f"\n  scaled down from {full} to {taken.width}x{taken.height} pixels{remedy}"
        facts |= {"full_width": taken.full_width, "full_height": taken.full_height}
    return Text(line, {**facts, "scale": round(taken.scale, 4)})
