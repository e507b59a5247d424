"""Giving files to a page: through a file input, or through what opens the file chooser."""

import mimetypes
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from playwright.async_api import TimeoutError as DriverTimeout

from browse.browser.elements.element import ACTION_MS, Element
from browse.browser.page.shapes import Facts
from browse.core.errors import BrowseError, Code
from browse.guard.files import ReadPath

CHOOSER_MS = 3_000
UPLOAD_MS = 20_000
PRESSED = ("button", "submit", "image")
MISSPELT = {"image/jpg": "image/jpeg"}


def measured(file: ReadPath) -> tuple[str, int]:
    """Tell the name and the size that the page gets to see."""
    try:
        return Path(file.real).name, Path(file.real).stat().st_size
    except OSError as exc:
        raise BrowseError(
            Code.FILE_UNUSABLE,
            f"{Path(file.real).name} went away before it was uploaded.",
            hint="check the file, then try again",
        ) from exc


async def upload(element: Element, files: Sequence[ReadPath]) -> None:
    """Choose files as a person would, within what the page says that it takes."""
    control = await element.control()
    facts = await control.facts()
    if facts.type != "file":
        control = await _chooser(control, facts)
        facts = await control.facts()
    _require_fit(element, facts, files)
    async with element.acting("uploading"):
        await control.handle.set_input_files([file.real for file in files], timeout=UPLOAD_MS)


async def _chooser(button: Element, facts: Facts) -> Element:
    """Press what opens the file chooser; give the input that it is for."""
    is_field = facts.tag in ("select", "textarea") or (
        facts.tag == "input" and facts.type not in PRESSED
    )
    if is_field:
        raise button.unfit(
            "is no file input", "find it with `browse snapshot`, or input[type=file]"
        )
    try:
        async with (
            button.tab.page.expect_file_chooser(timeout=CHOOSER_MS) as opening,
            button.acting("pressing it"),
        ):
            await button.handle.click(timeout=ACTION_MS)
        chooser = await opening.value
    except DriverTimeout as exc:
        raise button.unfit(
            "was pressed, but it opens no file chooser",
            "name the file input itself: input[type=file]",
        ) from exc
    return replace(button, handle=chooser.element)


def _require_fit(element: Element, facts: Facts, files: Sequence[ReadPath]) -> None:
    if facts.disabled:
        raise element.unfit("is disabled; nothing was uploaded", "see what it still needs first")
    if facts.folder:
        raise element.unfit(
            "takes a whole folder, which browse does not upload", "look for an input for files"
        )
    if len(files) > 1 and not facts.multiple:
        raise element.unfit(
            f"takes one file; {len(files)} were given, and nothing was uploaded",
            "upload them one by one",
        )
    for file in files:
        if not accepted(file.real, facts.accept):
            raise BrowseError(
                Code.NOT_ACTIONABLE,
                f"{element.word} does not take files like {Path(file.real).name}; "
                "nothing was uploaded.",
                hint="give a file of a kind that it takes",
                page=f"it takes: {facts.accept}",
            )


def accepted(name: str, accept: str) -> bool:
    """Tell whether a file is of a kind that an input accepts; one of unknown kind may be."""
    kinds = [
        MISSPELT.get(word, word) for word in accept.lower().replace(" ", "").split(",") if word
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
