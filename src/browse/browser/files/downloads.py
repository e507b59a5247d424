"""Downloads that Chromium makes by itself, when an address or the page behind it starts one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from playwright.async_api import CDPSession, Download, Page
from playwright.async_api import Error as DriverError

from browse.browser.driver_errors import download_began, translated
from browse.browser.files.fetch import refused
from browse.browser.files.incoming_file import PIECE_BYTES, Incoming, base_name, failed, too_large
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
async def navigated(tabs: Tabs, beside: Tab, url: NavUrl, *, limit: int) -> AsyncIterator[Incoming]:
    """Go to an address in a tab that nobody sees, and give the download that comes of it."""
    async with tabs.aside(beside) as tab:
        session = await tab.protocol()
        gate, gauge = _Gate(session), _Gauge(session, limit)
        with translated("preparing the download"):
            await session.send("Fetch.enable", _DOCUMENTS)
            await session.send("Page.enable")
        try:
            download = await _started(tab.page, url, gate)
        except BrowseError as exc:
            raise tabs.capture.explained(tab.page, exc) from exc
        gauge.watch(download)
        try:
            path = await _finished(download, gauge)
            name = base_name(download.suggested_filename)
            yield Incoming(_file(path), length=gauge.announced, name=name)
        finally:
            with suppress(DriverError):  # it goes with the browser at the latest
                await download.delete()


class _Gate:
    """Lets documents be asked for only at addresses that the rules admit."""

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


class _Gauge:
    """Ends a download that is or becomes too large."""

    def __init__(self, session: CDPSession, limit: int) -> None:
        self.announced: int | None = None
        self.exceeded = False
        self.limit = limit
        self._download: Download | None = None
        session.on("Page.downloadProgress", self._on_progress)

    def watch(self, download: Download) -> None:
        self._download = download
        self._judge()

    def _on_progress(self, event: dict[str, Any]) -> None:
        self.announced = int(event["totalBytes"]) or None
        if max(event["totalBytes"], event["receivedBytes"]) > self.limit:
            self.exceeded = True
        self._judge()

    def _judge(self) -> None:
        if self.exceeded and self._download:
            spawn(self._cancel(self._download), name="end a download")
            self._download = None

    async def _cancel(self, download: Download) -> None:
        with suppress(DriverError):  # it may be over
            await download.cancel()


async def _started(page: Page, url: NavUrl, gate: _Gate) -> Download:
    downloads: asyncio.Queue[Download] = asyncio.Queue()
    page.on("download", downloads.put_nowait)
    try:
        async with asyncio.timeout(BEGIN_S):
            if problem := await _go(page, url, gate):
                raise problem
            return await downloads.get()
    except TimeoutError:
        raise failed(
            f"no download began within {BEGIN_S:.0f} s",
            hint="the address shows a page: `browse goto` it, or download without --navigate",
        ) from None


async def _go(page: Page, url: NavUrl, gate: _Gate) -> BrowseError | None:
    """Navigate; give what stands in the way of a download, if anything does."""
    try:
        with translated("going to the download"):
            try:
                await page.goto(url.text, wait_until="commit", timeout=GOTO_MS)
                # Not from the driver: it now and then misses an answer held at the gate.
                status = int(await page.evaluate(_STATUS))
            except DriverError as exc:
                if download_began(exc):
                    return None
                raise
    except BrowseError as exc:
        return gate.refusal or exc
    return refused(status) if status >= 400 else None


async def _finished(download: Download, gauge: _Gauge) -> Path:
    try:
        async with asyncio.timeout(FINISH_S):
            problem = await download.failure()
            if problem is None:
                return await download.path()
    except TimeoutError:
        raise failed(f"it did not end within {FINISH_S:.0f} s") from None
    if gauge.exceeded:
        raise too_large(gauge.limit)
    raise failed("the server or the network broke it off")


async def _file(path: Path) -> AsyncIterator[bytes]:
    file = await asyncio.to_thread(path.open, "rb")
    try:
        while piece := await asyncio.to_thread(file.read, PIECE_BYTES):
            yield piece
    finally:
        file.close()
