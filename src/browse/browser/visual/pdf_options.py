"""The options of `pdf`: parse and check flags, lengths with units, and JSON payloads."""

import re
from typing import Annotated, Any

import msgspec

from browse.browser.visual.pdf import PrintSettings
from browse.core.errors import Usage
from browse.core.text import nearest
from browse.guard.files import ReadPath, WritePath
from browse.registry.params import Param, Surroundings

MAX_PAYLOAD_BYTES = 4 * 1024 * 1024
MAX_INCHES = 200.0
PER_INCH = {"in": 1.0, "cm": 2.54, "mm": 25.4, "px": 96.0, "": 96.0}
# Width and height in inches.
FORMATS = {
    "Letter": (8.5, 11), "Legal": (8.5, 14), "Tabloid": (11, 17), "Ledger": (17, 11),
    "A0": (33.11, 46.81), "A1": (23.39, 33.11), "A2": (16.54, 23.39), "A3": (11.69, 16.54),
    "A4": (8.27, 11.69), "A5": (5.83, 8.27), "A6": (4.13, 5.83),
}  # fmt: skip
SIDES = ("top", "right", "bottom", "left")
EMPTY = "<div></div>"
PAGE_NUMBERS = (
    '<div style="width: 100%; text-align: center; font-size: 9pt; color: #666">'
    '<span class="pageNumber"></span> of <span class="totalPages"></span></div>'
)


class PdfOptions(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """All options of `pdf`, from flags or a payload; lengths are not parsed yet."""

    output: str | None = None
    format: str | None = None
    width: str | None = None
    height: str | None = None
    margins: str | None = None
    margin_top: str | None = None
    margin_right: str | None = None
    margin_bottom: str | None = None
    margin_left: str | None = None
    header_template: str | None = None
    footer_template: str | None = None
    page_numbers: bool = False
    tagged: bool = False
    outline: bool = False
    print_background: bool = False
    prefer_css_page_size: bool = msgspec.field(default=False, name="preferCSSPageSize")
    toc: bool = False


class PdfOptionsFile(msgspec.Struct, frozen=True):
    """A JSON file with the options; the output path in it is checked too."""

    file: ReadPath
    env: Surroundings

    def read(self) -> tuple[PdfOptions, WritePath | None]:
        """Read the options and the output path."""
        options = parse_payload(self.file.read(MAX_PAYLOAD_BYTES + 1), self.file.real)
        if not options.output:
            return options, None
        return options, self.env.write(options.output)


def parse_length(raw: str, what: str) -> float:
    """Parse a length into inches: 1in, 2.5cm, 10mm, 96px; a bare number is pixels."""
    found = re.fullmatch(r"(\d{1,6}(?:\.\d{1,6})?|\.\d{1,6})\s*(in|cm|mm|px)?", raw.strip())
    length = float(found[1]) / PER_INCH[found[2] or ""] if found else -1
    if 0 <= length <= MAX_INCHES:
        return length
    raise Usage(
        f"pdf: {what}: {raw[:40]!r} is not a length up to {MAX_INCHES:g} inches",
        hint="write it as 1in, 2.5cm, 10mm or 96px",
    )


def paper_format(raw: str) -> str:
    """Parse the name of a paper format, in any case."""
    known = {name.lower(): name for name in FORMATS}
    if raw.strip().lower() in known:
        return known[raw.strip().lower()]
    guess = known.get(nearest(raw.lower(), list(known)), "")
    raise Usage(
        f"pdf: {raw[:40]!r} is not a paper format." + (f" Did you mean {guess}?" if guess else ""),
        hint=f"use one of {', '.join(FORMATS)}, or --width and --height",
    )


def print_settings(options: PdfOptions) -> PrintSettings:
    """Check that the options fit together; return the settings to print with."""
    own = {side: getattr(options, f"margin_{side}") for side in SIDES}
    clashes = (
        (options.margins and any(own.values()), "margins for all sides and a margin of one side"),
        (options.format and (options.width or options.height), "a format and a width or height"),
    )
    for clash, what in clashes:
        if clash:
            raise Usage(f"pdf: {what} cannot be combined", hint="leave one of them out")
    footer = (options.footer_template or "") + (PAGE_NUMBERS if options.page_numbers else "")
    header = options.header_template or ""
    lengths = {side: own[side] or options.margins for side in SIDES}
    width, height = FORMATS[paper_format(options.format or "Letter")]
    made = PrintSettings(
        width=parse_length(options.width, "width") if options.width else width,
        height=parse_length(options.height, "height") if options.height else height,
        margins={
            side: parse_length(length, f"{side} margin")
            for side, length in lengths.items()
            if length
        },
        header=header or (EMPTY if footer else ""),
        footer=footer or (EMPTY if header else ""),
        tagged=options.tagged,
        outline=options.outline,
        background=options.print_background,
        css_size=options.prefer_css_page_size,
        paged=options.toc,
    )
    return _require_room(made)


def _require_room(made: PrintSettings) -> PrintSettings:
    left, right, top, bottom = (
        made.margins.get(side, 0) for side in ("left", "right", "top", "bottom")
    )
    if left + right < made.width and top + bottom < made.height:
        return made
    raise Usage(
        f"pdf: the margins leave no room on a page of {made.width:g}x{made.height:g} inches",
        hint="make them smaller, or the page larger",
    )


def parse_payload(text: bytes, path: str) -> PdfOptions:
    hint = 'it must be an object such as {"output": "page.pdf", "format": "A4"}'
    if len(text) > MAX_PAYLOAD_BYTES:
        raise Usage(f"pdf: {path} is larger than {MAX_PAYLOAD_BYTES:,} bytes", hint=hint)
    try:
        data: Any = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as exc:
        raise Usage(f"pdf: {path} is not valid JSON ({exc})", hint=hint) from exc
    if not isinstance(data, dict):
        raise Usage(f"pdf: {path} must be a JSON object, got {_called(data)}", hint=hint)
    try:
        return msgspec.convert(data, PdfOptions)
    except msgspec.ValidationError as exc:
        keys = ", ".join(field.encode_name for field in msgspec.structs.fields(PdfOptions))
        raise Usage(f"pdf: {path}: {exc}", hint=f"keys: {keys}") from exc


def _called(value: object) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


PdfOptionsParam = Annotated[
    PdfOptionsFile,
    Param(
        "file",
        lambda raw, env: PdfOptionsFile(env.read(raw), env),
    ),
]
