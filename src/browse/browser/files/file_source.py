"""Where a file comes from: an address, or an element that shows, plays or links to one."""

import binascii
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import unquote_to_bytes, urlsplit

import msgspec
from playwright.async_api import Frame

from browse.browser.elements.target import FoundElement
from browse.browser.files.downloads import download_by_navigation
from browse.browser.files.fetch import open_fetcher
from browse.browser.files.incoming_file import (
    IncomingFile,
    download_failed,
    read_blob,
    single_piece,
)
from browse.browser.page import scripts
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.guard.urls import NavUrl, check_foreign

INLINE = ("blob:", "data:")


class FileSource(msgspec.Struct, frozen=True):
    """A checked address, or a `blob:` or `data:` address, and the document it belongs to."""

    address: NavUrl | str
    frame: Frame
    referrer: str = ""

    @property
    def path(self) -> str:
        return urlsplit(str(self.address)).path if isinstance(self.address, NavUrl) else ""


def inline_source(tab: Tab, address: str) -> FileSource:
    """Return the source for a `blob:` or `data:` address of the tab's document."""
    return FileSource(address, tab.frame)


async def source_of_element(target: FoundElement) -> FileSource | None:
    """Return the address of the file that an element shows, plays or links to, if it does."""
    address = await scripts.FILE_ADDRESS(target.place)
    if not address:
        return None
    if address.lower().startswith(INLINE):
        return FileSource(address, target.frame)
    return FileSource(await check_foreign(address), target.frame, referrer=target.frame.url)


@asynccontextmanager
async def open_source(
    tabs: Tabs, beside: Tab, source: FileSource, *, navigate: bool, limit: int
) -> AsyncIterator[IncomingFile]:
    """Open a source; yield the incoming file."""
    address = source.address
    if not isinstance(address, NavUrl):
        of_data = address[:5].lower() == "data:"
        yield _decode_data_url(address) if of_data else await read_blob(source.frame, address)
    elif navigate:
        async with download_by_navigation(tabs, beside, address, limit=limit) as incoming:
            yield incoming
    else:
        async with open_fetcher(tabs, beside) as fetching:
            yield await fetching.get(address, referrer=source.referrer)


def _decode_data_url(address: str) -> IncomingFile:
    header, comma, written = address[5:].partition(",")
    if not comma:
        raise download_failed("the data: address has no comma, so no data")
    raw = unquote_to_bytes(written)
    kind, _, coding = header.rpartition(";")
    if coding.strip().lower() != "base64":
        return IncomingFile(single_piece(raw), header or "text/plain", len(raw))
    bare = b"".join(raw.split()).rstrip(b"=")
    try:
        whole = b64decode(bare + b"=" * (-len(bare) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise download_failed("the data: address is not valid base64") from None
    return IncomingFile(single_piece(whole), kind or "text/plain", len(whole))
