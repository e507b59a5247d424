"""Take a download that Chromium starts when it navigates to an address."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Download, Page
from playwright.async_api import Error as DriverError

from browse.browser.driver_errors import translated
from browse.browser.driver_messages import Meaning, means
from browse.browser.files.fetch import http_error
from browse.browser.files.incoming_file import (
    PIECE_BYTES,
    IncomingFile,
    base_name,
    download_failed,
    too_large,
)
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import BrowseError
from browse.core.tasks import spawn
from browse.guard.urls import NavUrl, check_foreign

BEGIN_S = 60.0
FINISH_S = 500.0
GOTO_MS = 30_000
_STATUS = "performance.getEntriesByType('navigation')[0]?.responseStatus || 0"
_DOCUMENTS = {"patterns": [{"urlPattern": "*", "resourceType": "Document"}]}


@asynccontextmanager
async def download_by_navigation(
    tabs: Tabs, beside: Tab, url: NavUrl, *, limit: int
) -> AsyncIterator[IncomingFile]:
    """Go to an address in a hidden tab; yield the download that it starts."""
    async with tabs.aside(beside) as tab:
        session = await tab.protocol()
        address_filter, size_limit = _AddressFilter(session), _SizeLimit(session, limit)
        with translated("preparing the download"):
            await session.send("Fetch.enable", _DOCUMENTS)
            await session.send("Page.enable")
        try:
            download = await _wait_for_start(tab.page, url, address_filter)
        except BrowseError as exc:
            raise tabs.logs.explained(tab.page, exc) from exc
        size_limit.watch(download)
        try:
            path = await _wait_for_end(download, size_limit)
            name = base_name(download.suggested_filename)
            yield IncomingFile(read_file(path), length=size_limit.announced, name=name)
        finally:
            with suppress(DriverError):  # it is deleted with the browser at the latest
                await download.delete()


class _AddressFilter:
    """Lets only requests for documents pass whose address is allowed."""

    def __init__(self, session: CDPSession) -> None:
        self.refusal: BrowseError | None = None
        self._session = session
        session.on("Fetch.requestPaused", self._on_request)

    def _on_request(self, event: dict[str, Any]) -> None:
        spawn(self._handle(event), name="a document of a download")

    async def _handle(self, event: dict[str, Any]) -> None:
        method, more = "Fetch.continueRequest", {}
        try:
            await check_foreign(event["request"]["url"])
        except BrowseError as exc:
            self.refusal = exc
            method, more = "Fetch.failRequest", {"errorReason": "AccessDenied"}
        with suppress(DriverError):  # the page may be closed already
            await self._session.send(method, {"requestId": event["requestId"], **more})


class _SizeLimit:
    """Cancels a download that is, or becomes, too large."""

    def __init__(self, session: CDPSession, limit: int) -> None:
        self.announced: int | None = None
        self.exceeded = False
        self.limit = limit
        self._download: Download | None = None
        session.on("Page.downloadProgress", self._on_progress)

    def watch(self, download: Download) -> None:
        self._download = download
        self._cancel_if_exceeded()

    def _on_progress(self, event: dict[str, Any]) -> None:
        self.announced = int(event["totalBytes"]) or None
        if max(event["totalBytes"], event["receivedBytes"]) > self.limit:
            self.exceeded = True
        self._cancel_if_exceeded()

    def _cancel_if_exceeded(self) -> None:
        if self.exceeded and self._download:
            spawn(self._cancel(self._download), name="end a download")
            self._download = None

    async def _cancel(self, download: Download) -> None:
        with suppress(DriverError):  # it may have ended
            await download.cancel()


async def _wait_for_start(page: Page, url: NavUrl, address_filter: _AddressFilter) -> Download:
    downloads: asyncio.Queue[Download] = asyncio.Queue()
    page.on("download", downloads.put_nowait)
    try:
        async with asyncio.timeout(BEGIN_S):
            if problem := await _go(page, url, address_filter):
                raise problem
            return await downloads.get()
    except TimeoutError:
        raise download_failed(
            f"no download began within {BEGIN_S:.0f} s",
            hint="the address shows a page: `browse goto` it, or download without --navigate",
        ) from None


async def _go(page: Page, url: NavUrl, address_filter: _AddressFilter) -> BrowseError | None:
    """Navigate; return the error that prevents a download, if any."""
    try:
        with translated("going to the download"):
            try:
                await page.goto(url.text, wait_until="commit", timeout=GOTO_MS)
                # Not from the driver: it sometimes misses a response that was held by the filter.
                status = int(await page.evaluate(_STATUS))
            except DriverError as exc:
                if means(exc.message, Meaning.DOWNLOAD):
                    return None
                raise
    except BrowseError as exc:
        return address_filter.refusal or exc
    return http_error(status) if status >= 400 else None


async def _wait_for_end(download: Download, size_limit: _SizeLimit) -> Path:
    try:
        async with asyncio.timeout(FINISH_S):
            problem = await download.failure()
            if problem is None:
                return await download.path()
    except TimeoutError:
        raise download_failed(f"it did not finish within {FINISH_S:.0f} s") from None
    if size_limit.exceeded:
        raise too_large(size_limit.limit)
    raise download_failed("the server or the network aborted it")


async def read_file(path: Path) -> AsyncIterator[bytes]:
    """Read a file that Chromium has written, in pieces."""
    file = await asyncio.to_thread(path.open, "rb")
    try:
        while piece := await asyncio.to_thread(file.read, PIECE_BYTES):
            yield piece
    finally:
        file.close()
