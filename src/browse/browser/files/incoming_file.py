"""A file on its way: what was said about it, and its bytes in pieces, whatever they come from."""

import asyncio
import base64
import binascii
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import msgspec
from playwright.async_api import Frame, JSHandle

from browse.browser.driver_errors import translated
from browse.browser.page.scripts import expression
from browse.core.errors import BrowseError, Code

PIECE_BYTES = 4 * 1024 * 1024
# How long the first word of an answer, and then each piece of it, may take.
STALL_S = 30.0
AGAIN = "try again; nothing was written"
_START_FETCH = expression("standalone/start_fetch")
_FETCH_HEAD = expression("standalone/fetch_head")
_READ_FETCH = expression("standalone/read_fetch")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Incoming:
    """What a server or a page says of a file, and the file. `type` and `name` are their words."""

    pieces: AsyncIterator[bytes]
    type: str = ""
    length: int | None = None
    name: str = ""


class Head(msgspec.Struct):
    """What an answer says before its body comes."""

    status: int
    type: str
    length: str
    disposition: str


class _Piece(msgspec.Struct):
    data: str
    done: bool


Broken = Callable[[], Awaitable[BrowseError]]


def failed(why: str, *, hint: str = AGAIN) -> BrowseError:
    """Say that a file could not be had, or not whole."""
    return BrowseError(Code.DOWNLOAD_FAILED, f"Download failed: {why}.", hint=hint)


def too_large(limit: int) -> BrowseError:
    """Say that a file is larger than what may be fetched."""
    return failed(
        f"it is larger than {limit // 1024**2} MB",
        hint="fetch it with another program, such as curl; nothing was written",
    )


def base_name(name: str) -> str:
    """Take only the last part of a name that somebody suggests."""
    return name.replace("\\", "/").rpartition("/")[2]


async def begin(frame: Frame, url: str) -> tuple[Head | None, JSHandle]:
    """Fetch with the rights of a document; there is no head when nothing came."""
    with translated("fetching the file"):
        try:
            async with asyncio.timeout(STALL_S):
                fetching = await frame.evaluate_handle(_START_FETCH, url)
                head = await fetching.evaluate(_FETCH_HEAD)
        except TimeoutError:
            raise failed(f"no answer within {STALL_S:.0f} s") from None
    return (_read(head, Head) if head else None), fetching


async def pieces(fetching: JSHandle, broken: Broken) -> AsyncIterator[bytes]:
    """Read what comes; `broken` says why it broke off."""
    done = False
    while not done:
        with translated("fetching the file"):
            try:
                async with asyncio.timeout(STALL_S):
                    answer = await fetching.evaluate(_READ_FETCH, PIECE_BYTES)
            except TimeoutError:
                raise failed(f"nothing more came for {STALL_S:.0f} s") from None
        if answer is None:
            raise await broken()
        piece = _read(answer, _Piece)
        done = piece.done
        yield decoded(piece.data)


async def of_blob(frame: Frame, url: str) -> Incoming:
    """Read what a page has made and keeps behind a `blob:` address."""

    async def gone() -> BrowseError:
        return failed("the page's blob could not be read", hint="the page may have released it")

    head, fetching = await begin(frame, url)
    if head is None:
        raise await gone()
    length = int(head.length) if head.length.isdecimal() else None
    return Incoming(pieces(fetching, gone), head.type, length)


async def once(whole: bytes) -> AsyncIterator[bytes]:
    """Give what is there already, in one piece."""
    yield whole


def decoded(data: str) -> bytes:
    """Decode base64, of which a page may have written anything."""
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise failed("what came is not valid base64") from None


def _read(answer: object, kind: type[T]) -> T:
    try:
        return msgspec.convert(answer, kind)
    except msgspec.ValidationError:
        raise failed("the page has replaced functions of JavaScript itself") from None
