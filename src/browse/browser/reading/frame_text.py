"""Read the text of a document, also as Markdown, with that of its frames in place."""

import asyncio
from contextlib import suppress
from functools import partial
from urllib.parse import urlsplit

import msgspec
from playwright.async_api import Error as DriverError
from playwright.async_api import Frame, Locator

from browse.browser.driver_errors import translated
from browse.browser.elements.page_changes import while_restless
from browse.browser.elements.target import Patience
from browse.browser.engine_name import ENGINE
from browse.browser.page import scripts
from browse.browser.page.own_layer import without_own_layer
from browse.browser.reading.hidden_text import to_blocks
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError
from browse.core.text import well_formed
from browse.security.blocks import Block

MAX_FRAMES = 20
MAX_DEPTH = 3
FRAME_S = 4.0
FRAMES_S = 12.0
ADDRESS_CHARS = 200
BEGIN, END = "[frame: ", "[end of frame]"


class _TextReader(msgspec.Struct):
    """What is collected while a document and its frames are read."""

    origin: tuple[str, str]
    until: float
    everything: bool = False
    room: int = 0  # how many characters will be shown; 0 for all
    script: scripts.Script[tuple[list[str], bool]] = scripts.FRAMED_TEXT
    between: str = "\n"
    hidden: list[Block] = msgspec.field(default_factory=list)
    is_cut: bool = False

    def is_foreign(self, frame: Frame) -> bool:
        scheme, host = _origin(frame)
        return scheme in ("http", "https") and (scheme, host) != self.origin


class ReadWords(msgspec.Struct, frozen=True):
    """The text of a document or an element, and its hidden text; `is_cut`: there is more of it."""

    words: str
    hidden: list[Block]
    is_cut: bool


def is_edge(line: str) -> bool:
    """Whether a line of text says only where a frame begins or ends."""
    return line == END or (line.startswith(BEGIN) and line.endswith("]"))


async def read_text(
    frame: Frame, element: Locator | None = None, *, everything: bool = False
) -> tuple[str, list[Block]]:
    """Return the text that a person sees of a document or of an element in it, and the hidden text.

    The text of frames is included.
    """
    read = await read_up_to(frame, element, room=0, everything=everything)
    return read.words, read.hidden


async def read_up_to(
    frame: Frame, element: Locator | None = None, *, room: int, everything: bool = False
) -> ReadWords:
    """Do the same, but read little more than `room` characters, if that is not 0."""
    reading = _TextReader(_origin(frame), _until(), everything, room)
    words = await _read(frame, element, 0, reading)
    return ReadWords(words, reading.hidden, reading.is_cut)


async def read_markdown(frame: Frame, element: Locator | None = None) -> tuple[str, list[Block]]:
    """Return what a person sees as Markdown, with that of frames, and the hidden text."""
    reading = _TextReader(_origin(frame), _until(), script=scripts.MARKDOWN, between="\n\n")
    return await _read(frame, element, 0, reading), reading.hidden


async def read_when_there(
    tab: Tab,
    frame: Frame,
    element: Locator | None,
    patience: Patience,
    *,
    room: int,
    everything: bool = False,
) -> ReadWords:
    """Do the same; while there is no text and the page is not quiet, wait for some."""
    read = partial(read_up_to, frame, element, room=room, everything=everything)

    async def look() -> ReadWords | None:
        with suppress(BrowseError):  # the element may be replaced by now
            found = await read()
            return found if found.words else None
        return None

    first = await read()
    if first.words:
        return first
    later = await while_restless(tab, look, patience.limit_ms, patience.is_busy)
    return later or first


async def read_markup(tab: Tab) -> str:
    """Return a page's current HTML, without loading any script into the page."""
    session = await tab.protocol()
    with translated("reading the page"):
        document = await session.send("DOM.getDocument", {"depth": 0})
        node = {"nodeId": document["root"]["nodeId"]}
        markup = await session.send("DOM.getOuterHTML", node)
        await session.send("DOM.disable")
    return without_own_layer(well_formed(markup["outerHTML"]))


def _until() -> float:
    return asyncio.get_running_loop().time() + FRAMES_S


def _origin(frame: Frame) -> tuple[str, str]:
    parts = urlsplit(frame.url)
    return parts.scheme, parts.netloc


async def _read(frame: Frame, element: Locator | None, depth: int, reading: _TextReader) -> str:
    run = next(scripts.runs)
    ((first, *rest), is_cut), found = await reading.script.read(
        element or frame, everything=reading.everything, run=run, room=reading.room
    )
    reading.hidden += to_blocks(found, foreign=reading.is_foreign(frame))
    parts = [first]
    for index, following in enumerate(rest):
        if index < MAX_FRAMES and depth < MAX_DEPTH:
            noted = frame.locator(f"{ENGINE}=noted {run} {index}")
            parts.append(await _read_frame(noted, depth + 1, reading))
            if reading.is_cut:  # what follows the frame comes later than the rest of the frame
                break
        parts.append(following)
    reading.is_cut |= is_cut
    return reading.between.join(filter(None, parts))


async def _read_frame(host: Locator, depth: int, reading: _TextReader) -> str:
    """Read one frame, between two marker lines; skip a frame that does not answer."""
    now = asyncio.get_running_loop().time()
    try:
        async with asyncio.timeout_at(min(reading.until, now + FRAME_S)):
            handle = await host.element_handle(timeout=FRAME_S * 1000)
            child = await handle.content_frame()
            words = await _read(child, None, depth, reading) if child else ""
    except (DriverError, BrowseError, TimeoutError):
        return "[frame: could not be read]"
    if not child or not words:
        return ""
    begin, end = f"{BEGIN}{child.url[:ADDRESS_CHARS]}]", "" if reading.is_cut else END
    return reading.between.join(filter(None, [begin, words, end]))
