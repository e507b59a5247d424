"""Where a file is: an address, or an element that shows, plays or leads to one."""

import binascii
from base64 import b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes, urlsplit

from playwright.async_api import Frame

from browse.browser.elements.target import find
from browse.browser.files.downloads import navigated
from browse.browser.files.fetch import fetcher
from browse.browser.files.incoming_file import Incoming, failed, of_blob, once
from browse.browser.page import scripts
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import BrowseError, Code
from browse.guard.urls import NavUrl, check_foreign

INLINE = ("blob:", "data:")


@dataclass(frozen=True, slots=True)
class Source:
    """An address that was checked, or a `blob:` or `data:` one, and the document it belongs to."""

    address: NavUrl | str
    frame: Frame
    referrer: str = ""

    @property
    def path(self) -> str:
        return urlsplit(str(self.address)).path if isinstance(self.address, NavUrl) else ""


def inline(tab: Tab, address: str) -> Source:
    """Take a `blob:` or `data:` address as one of the tab's document."""
    return Source(address, tab.frame)


async def of_element(tab: Tab, word: str) -> Source:
    """Find an element, and the address of its file."""
    target = await find(tab, word)
    address = await scripts.FILE_ADDRESS(target.place)
    if not address:
        raise BrowseError(
            Code.DOWNLOAD_FAILED,
            f"Could not extract URL from {word[:80]}: it is no picture, film, sound or link.",
            hint="choose another element with `browse snapshot`, or give the address itself",
            page=f"the element: <{target.tag}>",
        )
    if address.lower().startswith(INLINE):
        return Source(address, target.frame)
    return Source(await check_foreign(address), target.frame, referrer=target.frame.url)


@asynccontextmanager
async def opened(
    tabs: Tabs, beside: Tab, source: Source, *, navigate: bool, limit: int
) -> AsyncIterator[Incoming]:
    """Begin to take a file from where it is."""
    address = source.address
    if not isinstance(address, NavUrl):
        of_data = address[:5].lower() == "data:"
        yield _of_data(address) if of_data else await of_blob(source.frame, address)
    elif navigate:
        async with navigated(tabs, beside, address, limit=limit) as arriving:
            yield arriving
    else:
        async with fetcher(tabs, beside) as fetching:
            yield await fetching.get(address, referrer=source.referrer)


def _of_data(address: str) -> Incoming:
    header, comma, written = address[5:].partition(",")
    if not comma:
        raise failed("the data: address has no comma, so no data")
    raw = unquote_to_bytes(written)
    kind, _, coding = header.rpartition(";")
    if coding.strip().lower() != "base64":
        return Incoming(once(raw), header or "text/plain", len(raw))
    bare = b"".join(raw.split()).rstrip(b"=")
    try:
        whole = b64decode(bare + b"=" * (-len(bare) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise failed("the data: address is not valid base64") from None
    return Incoming(once(whole), kind or "text/plain", len(whole))
