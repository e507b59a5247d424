"""Keep the files that pages download: by a click, a menu or a script.

Chromium writes them to a folder of ours; each then goes, under a name of ours, to the folder of the
client that its tab belongs to. What the files take on the disk is limited, also while they come: a
download that would exceed the limit is ended.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from secrets import token_hex

import msgspec
from playwright.async_api import Download, Page
from playwright.async_api import Error as DriverError

from browse.browser.files.downloads import read_file
from browse.browser.files.incoming_file import IncomingFile, base_name, download_failed
from browse.browser.files.page_download import PageDownload
from browse.browser.files.received_file import MB, receive_to_file
from browse.browser.logs.page_logs import PageLogs
from browse.browser.scratch import Scratch
from browse.core.errors import BrowseError
from browse.core.tasks import spawn
from browse.core.text import cut, well_formed
from browse.guard import file_types
from browse.guard.files import Roots, check_write
from browse.guard.secrets import redacted_url

log = logging.getLogger(__name__)
PREFIX = "page-download-"
MAX_LISTED = 200
MAX_RUNNING = 10
MAX_FILES = 1_000
MAX_NAME_CHARS = 200
# The browser does not tell these apart: it says that the download was cancelled.
BROKEN_OFF = "the server refused it, or broke it off, or the page did"
# An action waits so long for the end of the downloads that it has started.
SHOWN_S = 2.0
# While something comes, its size is looked at so often: a page may be gone, and its events with it.
MEASURE_S = 0.25


class DownloadPlace(msgspec.Struct, frozen=True):
    """Where the downloads of a tab go: whose they are, their folder, and that of all of them."""

    owner: str
    folder: Path
    top: Path


class PageDownloads:
    """The newest downloads of all pages; `place_of` returns None for a tab whose are not kept."""

    def __init__(self, logs: PageLogs, scratch: Scratch, limit_mb: int) -> None:
        self.limit_mb = limit_mb
        self.place_of: Callable[[int], DownloadPlace | None] = lambda _: None
        self.last = 0  # the number of the newest
        self._numbers = count(1)
        self._known: list[PageDownload] = []
        self._coming: dict[PageDownload, Download] = {}
        self._scratch = scratch
        self._news = asyncio.Event()
        logs.on_download = self._on_download

    def all(self) -> list[PageDownload]:
        return list(self._known)

    def since(self, number: int, pages: Collection[Page]) -> list[PageDownload]:
        """List the downloads of some pages after one."""
        return [it for it in self._known if it.number > number and it.page in pages]

    async def shown(self, number: int, pages: Collection[Page]) -> list[PageDownload]:
        """List them once they have ended; one that takes long is told of as running.

        Of several that a page starts at once, the browser tells one after the other.
        """
        found: list[PageDownload] = []
        with suppress(TimeoutError):
            async with asyncio.timeout(SHOWN_S):
                while len(now := self.since(number, pages)) > len(found):
                    found = now
                    await ended(found)
        return self.since(number, pages)

    async def next(self) -> None:
        """Wait until another download begins."""
        await self._news.wait()

    async def first(self, number: int, pages: Collection[Page]) -> PageDownload:
        """Wait for the first download of some pages after one."""
        while not (found := self.since(number, pages)):
            await self.next()
        return found[0]

    @asynccontextmanager
    async def taken(self, it: PageDownload) -> AsyncIterator[IncomingFile]:
        """Yield the file of a download, to keep it elsewhere; it is forgotten here."""
        await it.ended.wait()
        self._known.remove(it)
        if it.file is None:
            raise download_failed(it.why)
        path = Path(it.file.path)
        try:
            yield IncomingFile(read_file(path), length=it.file.size, name=it.name)
        finally:
            await asyncio.to_thread(path.unlink, missing_ok=True)

    def clear(self, gone: Collection[PageDownload], folder: Path) -> int:
        """Forget these, and remove all that is kept in a folder; return how many files that is."""
        for it in gone:
            if it.state != "running":
                self._known.remove(it)
        kept = _kept(folder)  # those of daemons before, too
        for path in kept:
            with suppress(OSError):  # somebody else has moved or removed it
                path.unlink()
        return len(kept)

    def _on_download(self, tab: int, download: Download) -> None:
        place = self.place_of(tab)
        if place is None:
            return
        self.last = next(self._numbers)
        name = cut(well_formed(base_name(download.suggested_filename)), MAX_NAME_CHARS)
        url = redacted_url(download.url)
        it = PageDownload(self.last, tab, place.owner, download.page, name, url)
        self._remember(it)
        self._coming[it] = download
        self._news.set()
        self._news = asyncio.Event()
        spawn(self._keep(it, download, place), name=f"download {it.number}")
        if len(self._coming) == 1:
            spawn(self._measure(place), name="measure what pages download")

    def _remember(self, it: PageDownload) -> None:
        """Add it to the list; the oldest that has ended makes room."""
        self._known.append(it)
        old = next((known for known in self._known if known.state != "running"), None)
        if old and len(self._known) > MAX_LISTED:
            self._known.remove(old)

    async def _keep(self, it: PageDownload, download: Download, place: DownloadPlace) -> None:
        try:
            if len(self._coming) > MAX_RUNNING:
                it.why = f"{MAX_RUNNING} others are running"
                await download.cancel()
            if problem := await download.failure():
                log.info("download %d: %s", it.number, problem)
                it.end(why=it.why or BROKEN_OFF)
                return
            if full := await asyncio.to_thread(self._why_full, place):
                it.end(why=full)
                return
            await self._receive(it, await download.path(), place)
        except BrowseError as exc:
            it.end(why=exc.message)
        except (DriverError, OSError) as exc:
            log.warning("download %d failed: %r", it.number, exc)
            it.end(why="the browser or the page is gone")
        finally:
            del self._coming[it]
            with suppress(DriverError):  # it is removed with the browser at the latest
                await download.delete()

    async def _receive(self, it: PageDownload, path: Path, place: DownloadPlace) -> None:
        """Copy a file that has come whole; it appears under a name of ours, not the server's."""
        suffix = file_types.suffix("", it.name)
        folder = str(place.folder)
        wanted = check_write(f"{PREFIX}{token_hex(4)}{suffix}", cwd=folder, roots=Roots.of(folder))
        incoming = IncomingFile(read_file(path), name=it.name)
        it.end(file=await receive_to_file(incoming, wanted, limit=self.limit_mb * MB))

    async def _measure(self, place: DownloadPlace) -> None:
        """End what comes when the limit is reached."""
        while self._coming:
            if why := await asyncio.to_thread(self._why_full, place):
                for it, download in list(self._coming.items()):
                    it.why = why
                    with suppress(DriverError):  # it has just ended
                        await download.cancel()
            await asyncio.sleep(MEASURE_S)

    def _why_full(self, place: DownloadPlace) -> str:
        """Return why no more is kept; "" if there is room."""
        hint = "`browse downloads clear` removes those that are kept"
        kept = _kept(place.top)
        if len(kept) >= MAX_FILES:
            return f"{MAX_FILES:,} files of pages are kept, which is the limit; {hint}"
        if sum(map(_size, [*kept, *self._scratch.downloads().iterdir()])) > self.limit_mb * MB:
            return f"downloads of pages may take {self.limit_mb} MB (BROWSE_DOWNLOADS_MB); {hint}"
        return ""


async def ended(downloads: Collection[PageDownload]) -> None:
    """Wait until all of these have ended."""
    for it in downloads:
        await it.ended.wait()


def running(downloads: Collection[PageDownload]) -> Iterator[PageDownload]:
    """Pick those that have not ended."""
    return (it for it in downloads if it.state == "running")


def _kept(folder: Path) -> list[Path]:
    """List the kept files in a folder, and in those of other clients in it."""
    return [*folder.glob(f"{PREFIX}*"), *folder.glob(f"*/{PREFIX}*")]


def _size(path: Path) -> int:
    with suppress(OSError):  # it has just gone
        return path.lstat().st_size
    return 0
