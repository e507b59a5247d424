"""Upload files through a file input, or through a button that opens the file chooser."""

import asyncio
import mimetypes
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace
from playwright.async_api import TimeoutError as DriverTimeout

from browse.browser.elements.element import ACTION_MS, Element
from browse.browser.page.shapes import Facts
from browse.core.errors import BrowseError, Code
from browse.guard.files import ReadPath

CHOOSER_MS = 3_000
UPLOAD_MS = 20_000
BUTTON_TYPES = ("button", "submit", "image")
TYPE_ALIASES = {"image/jpg": "image/jpeg"}


class UploadCopy(msgspec.Struct, frozen=True):
    """Our copy of a file: what Chromium reads when the page asks for it, maybe much later."""

    path: Path
    size: int


def copy_files(files: Sequence[ReadPath], folder: Path) -> list[UploadCopy]:
    """Copy files as they are now, each into a folder of its own, so that they keep their names."""
    made = []
    for number, file in enumerate(files):
        place = folder / str(number)
        place.mkdir(mode=0o700)
        path = place / Path(file.real).name
        with file.open() as source, path.open("xb") as copy:
            shutil.copyfileobj(source, copy)
            changed = os.fstat(source.fileno()).st_mtime
            made.append(UploadCopy(path, copy.tell()))
        os.utime(path, (changed, changed))
    return made


async def upload(element: Element, files: Sequence[ReadPath], folder: Path) -> list[UploadCopy]:
    """Upload files, within the limits that the input declares (number and types).

    `folder` is for the copies; it is removed when the page closes.
    """
    try:
        copies = await asyncio.to_thread(copy_files, files, folder)
        control = await element.control()
        facts = await control.facts()
        if facts.type != "file":
            control = await _open_chooser(control, facts)
            facts = await control.facts()
        _require_accepted(element, facts, files)
        async with element.acting("uploading"):
            paths = [copy.path for copy in copies]
            await control.handle.set_input_files(paths, timeout=UPLOAD_MS)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    element.tab.page.once("close", lambda _: shutil.rmtree(folder, ignore_errors=True))
    return copies


async def _open_chooser(button: Element, facts: Facts) -> Element:
    """Click what opens the file chooser; return the input behind it."""
    is_field = facts.tag in ("select", "textarea") or (
        facts.tag == "input" and facts.type not in BUTTON_TYPES
    )
    if is_field:
        raise button.not_actionable(
            "is not a file input", "find it with `browse snapshot`, or input[type=file]"
        )
    try:
        async with (
            button.tab.page.expect_file_chooser(timeout=CHOOSER_MS) as opening,
            button.acting("clicking it"),
        ):
            await button.handle.click(timeout=ACTION_MS)
        chooser = await opening.value
    except DriverTimeout as exc:
        raise button.not_actionable(
            "was clicked, but opens no file chooser",
            "name the file input itself: input[type=file]",
        ) from exc
    return replace(button, handle=chooser.element)


def _require_accepted(element: Element, facts: Facts, files: Sequence[ReadPath]) -> None:
    if facts.disabled:
        raise element.not_actionable(
            "is disabled; nothing was uploaded", "see what it still needs first"
        )
    if facts.folder:
        raise element.not_actionable(
            "takes a whole folder, which browse cannot upload", "look for an input for files"
        )
    if len(files) > 1 and not facts.multiple:
        raise element.not_actionable(
            f"takes one file; {len(files)} were given, and nothing was uploaded",
            "upload them one by one",
        )
    for file in files:
        if not is_accepted(file.real, facts.accept):
            raise BrowseError(
                Code.NOT_ACTIONABLE,
                f"{element.word} does not accept files like {Path(file.real).name}; "
                "nothing was uploaded.",
                hint="choose a file of a type that it accepts",
                page=f"it accepts: {facts.accept}",
            )


def is_accepted(name: str, accept: str) -> bool:
    """Check whether an input accepts a file by its type; an unknown type may be accepted."""
    kinds = [
        TYPE_ALIASES.get(word, word) for word in accept.lower().replace(" ", "").split(",") if word
    ]
    if not kinds:
        return True
    kind = mimetypes.guess_type(name)[0]
    by_type = [word for word in kinds if "/" in word]
    if by_type and kind is None:
        return True
    return any(
        name.lower().endswith(word)
        if word.startswith(".")
        else word in ("*/*", kind) or (word.endswith("/*") and str(kind).startswith(word[:-1]))
        for word in kinds
    )
