"""Requests for files: Chromium asks, and we decide, open and read.

Chromium never opens a file itself: it gets the bytes of a file that was checked and opened here,
once. So nothing is read that was put in a file's place, whoever asks: a page, a frame, an image, a
link, a reload, a popup.

A page may load files from the folders of the caller who opened it (`expect`). Other callers who use
the page narrow this to what they may read themselves (`narrow`); only opening a file widens it
again.
"""

import asyncio
import mimetypes
from base64 import b64encode
from collections.abc import Sequence
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

import msgspec
from playwright.async_api import Error as DriverError
from playwright.async_api import Page

from browse.browser.network.frame_owners import FrameOwners, Info, UnknownOwner
from browse.browser.network.page_ids import PageIds
from browse.browser.network.refusals import Refusal
from browse.core.errors import BrowseError, Code
from browse.guard.files import Roots, check_read
from browse.guard.urls import NavUrl

T = TypeVar("T")
SCHEME = "file"
PATTERN = f"{SCHEME}://*"
# Chromium takes messages of at most 100 MB, and base64 adds a third.
MAX_BYTES = 50_000_000
MAX_PAGES = 1_000
# Not the system's table: what a page looks like should not depend on the machine.
_TYPES = mimetypes.MimeTypes()
_NOT_HERE = "this tab may not read that file"


class LoadedFile(msgspec.Struct, frozen=True):
    """The bytes of a file, and its type by its name; "" leaves the type to Chromium."""

    data: bytes
    type: str

    def params(self) -> dict[str, Any]:
        """Return what `Fetch.fulfillRequest` takes."""
        headers = [{"name": "Content-Type", "value": self.type}] if self.type else []
        body = b64encode(self.data).decode()
        return {"responseCode": 200, "responseHeaders": headers, "body": body}


class FileRequests:
    """The folders that each page may load files from, by the page's id."""

    def __init__(self, ids: PageIds) -> None:
        self._ids = ids
        self._owners: FrameOwners | None = None
        self._folders: dict[str, tuple[Roots, ...]] = {}
        self._expected: dict[str, NavUrl] = {}

    def begin(self, owners: FrameOwners) -> None:
        self._owners = owners

    async def expect(self, page: Page, url: NavUrl) -> None:
        """Prepare for a caller's file: from the page's request for it on, its folders count."""
        if url.roots:
            _put(self._expected, await self._ids.of(page), url)

    async def narrow(self, page: Page, roots: Roots) -> None:
        """Limit a page to the folders of one more caller."""
        if not self._folders:
            return
        id = await self._ids.of(page)
        await self._inherit(id)
        before = self._folders.get(id, ())
        if before and roots not in before:
            self._folders[id] = (*before, roots)

    async def copy(self, page: Page, other: Page) -> None:
        """Give a page the folders of the page that it replaces."""
        if folders := self._folders.get(self._ids.known(other)):
            _put(self._folders, await self._ids.of(page), folders)

    def granted(self, page: Page) -> tuple[Roots, ...]:
        """Return the folders of a page."""
        return self._folders.get(self._ids.known(page), ())

    async def grant(self, page: Page, folders: tuple[Roots, ...]) -> None:
        """Give a page the folders that a page of another browser has."""
        if folders:
            _put(self._folders, await self._ids.of(page), folders)

    async def inherit(self, popup: Page) -> None:
        """Give a popup the folders of the page that opened it, as they are now."""
        if self._folders:
            await self._inherit(await self._ids.of(popup))

    async def answer(self, event: Info) -> LoadedFile | Refusal:
        """Read the file that a held request asks for."""
        frame, url = event.get("frameId", ""), event["request"]["url"]
        try:
            page = await self._page_of(frame)
        except (DriverError, UnknownOwner):
            return Refusal(_NOT_HERE)
        awaited = self._expected.get(page)
        is_page = event["resourceType"] == "Document" and frame == page
        if is_page and awaited and awaited.roots and _path(awaited.text) == _path(url):
            del self._expected[page]
            _put(self._folders, page, (awaited.roots,))
        return await asyncio.to_thread(load, url, self._folders.get(page, ()))

    async def _page_of(self, frame: str) -> str:
        """Return the page of a frame, after it has inherited what it may load."""
        if frame in self._folders or frame in self._expected:
            return frame
        if self._owners is None:
            raise UnknownOwner
        targets = await self._owners.targets()
        is_page = targets.get(frame, {}).get("type") == "page"
        page = frame if is_page else await self._owners.page_of(frame)
        await self._inherit(page)
        return page

    async def _inherit(self, page: str) -> None:
        if self._owners is None or page in self._folders:
            return
        targets, chain = await self._owners.targets(), [page]
        while opener := targets.get(chain[-1], {}).get("openerId", ""):
            chain.append(opener)
            if folders := self._folders.get(opener):
                for popup in chain[:-1]:
                    _put(self._folders, popup, folders)
                return


def _put(table: dict[str, T], page: str, value: T) -> None:
    """Add a page; forget the one that was added first beyond a thousand."""
    table.pop(page, None)
    table[page] = value
    if len(table) > MAX_PAGES:
        del table[next(iter(table))]


def is_file(url: str) -> bool:
    """Check whether an address is that of a file."""
    return url[: len(SCHEME) + 1].lower() == f"{SCHEME}:"


def load(url: str, folders: Sequence[Roots]) -> LoadedFile | Refusal:
    """Read a file, if all of these folders allow it; reads the disk, so call it in a thread."""
    path = _path(url)
    if not path or not folders:
        return Refusal(_NOT_HERE)
    try:
        for roots in folders:
            file = check_read(path, cwd="/", roots=roots)
        data = file.read(MAX_BYTES + 1)
    except BrowseError as exc:
        if exc.code is Code.PATH_REFUSED:
            return Refusal(_NOT_HERE)
        return Refusal("", "ERR_FILE_NOT_FOUND")
    if len(data) > MAX_BYTES:
        return Refusal(f"a file in a page has at most {MAX_BYTES // 1_000_000} MB")
    return LoadedFile(data, _type(path))


def _path(url: str) -> str:
    """Return the path that an address names; "" if it is not a path of this machine."""
    try:
        parts = urlsplit(url)
        return unquote(parts.path, errors="strict") if not parts.netloc else ""
    except ValueError:
        return ""


def _type(path: str) -> str:
    kind, packed = _TYPES.guess_type(path)
    return kind if kind and not packed else ""
