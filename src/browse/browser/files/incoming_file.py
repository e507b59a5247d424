"""A file that is being fetched: its metadata, and its bytes in pieces."""

import asyncio
import base64
import binascii
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

import msgspec
from playwright.async_api import Frame, JSHandle

from browse.browser.driver_errors import translated
from browse.browser.page.engine_source import expression
from browse.core.errors import BrowseError, Code

PIECE_BYTES = 4 * 1024 * 1024
# How long the response's head, and then each piece of its body, may take.
STALL_S = 30.0
AGAIN = "try again; nothing was written"
_START_FETCH = expression("standalone/start_fetch")
_FETCH_HEAD = expression("standalone/fetch_head")
_READ_FETCH = expression("standalone/read_fetch")
T = TypeVar("T")


class IncomingFile(msgspec.Struct, frozen=True):
    """A file and its metadata; `type` and `name` are the words of the server or page."""

    pieces: AsyncIterator[bytes]
    type: str = ""
    length: int | None = None
    name: str = ""


class ResponseHead(msgspec.Struct):
    """Status and headers of a response."""

    status: int
    type: str
    length: str
    disposition: str


class _Piece(msgspec.Struct):
    data: str
    done: bool


FailureReason = Callable[[], Awaitable[BrowseError]]


def download_failed(why: str, *, hint: str = AGAIN) -> BrowseError:
    """Build the error for a file that could not be downloaded, or not completely."""
    return BrowseError(Code.DOWNLOAD_FAILED, f"Download failed: {why}.", hint=hint)


def too_large(limit: int) -> BrowseError:
    """Build the error for a file that is larger than the limit."""
    return download_failed(
        f"it is larger than {limit // 1024**2} MB",
        hint="fetch it with another program, such as curl; nothing was written",
    )


def base_name(name: str) -> str:
    """Return the last part of a suggested file name."""
    return name.replace("\\", "/").rpartition("/")[2]


async def start_fetch(frame: Frame, url: str) -> tuple[ResponseHead | None, JSHandle]:
    """Fetch with the rights of a document; the head is None if there was no response."""
    with translated("fetching the file"):
        try:
            async with asyncio.timeout(STALL_S):
                fetching = await frame.evaluate_handle(_START_FETCH, url)
                head = await fetching.evaluate(_FETCH_HEAD)
        except TimeoutError:
            raise download_failed(f"no response within {STALL_S:.0f} s") from None
    return (_convert(head, ResponseHead) if head else None), fetching


async def read_pieces(fetching: JSHandle, broken: FailureReason) -> AsyncIterator[bytes]:
    """Read the body in pieces; `broken` builds the error if it is aborted."""
    done = False
    while not done:
        with translated("fetching the file"):
            try:
                async with asyncio.timeout(STALL_S):
                    answer = await fetching.evaluate(_READ_FETCH, PIECE_BYTES)
            except TimeoutError:
                raise download_failed(f"nothing more came for {STALL_S:.0f} s") from None
        if answer is None:
            raise await broken()
        piece = _convert(answer, _Piece)
        done = piece.done
        yield decode_base64(piece.data)


async def read_blob(frame: Frame, url: str) -> IncomingFile:
    """Read the data that a page keeps behind a `blob:` address."""

    async def gone() -> BrowseError:
        return download_failed(
            "the page's blob could not be read", hint="the page may have released it"
        )

    head, fetching = await start_fetch(frame, url)
    if head is None:
        raise await gone()
    length = int(head.length) if head.length.isdecimal() else None
    return IncomingFile(read_pieces(fetching, gone), head.type, length)


async def single_piece(whole: bytes) -> AsyncIterator[bytes]:
    """Yield data that is already there, as one piece."""
    yield whole


def decode_base64(data: str) -> bytes:
    """Decode base64 from a page; raise if it is invalid."""
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise download_failed("the data is not valid base64") from None


def _convert(answer: object, kind: type[T]) -> T:
    try:
        return msgspec.convert(answer, kind)
    except msgspec.ValidationError:
        raise download_failed("the page has replaced built-in JavaScript functions") from None
