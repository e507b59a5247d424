"""`scrape`: save all images, videos and audio of a page."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec

from browse.browser.files.fetch import Fetcher, open_fetcher
from browse.browser.files.received_file import (
    MB,
    ReceivedFile,
    in_kb,
    receive_to_file,
    refuse_playlist,
)
from browse.browser.page import scripts
from browse.browser.page.shapes import MediaAddress
from browse.core.errors import BrowseError, Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard import file_types, urls
from browse.guard.files import WritePath, write_output
from browse.registry.params import Doc, Param, Selector, Surroundings, whole
from browse.registry.results import Text, from_page
from browse.registry.spec import ChangedTabs, Group, command

MANIFEST = "manifest.json"
WANTED = {"images": ["image"], "videos": ["video"], "media": ["image", "video", "audio"]}
PARALLEL_FETCHES = 3
MAX_FILE_BYTES = 200 * MB
MAX_TOTAL_BYTES = 1024 * MB
DEADLINE_S = 900.0


def _folder(raw: str, env: Surroundings) -> WritePath:
    """Check a folder through the path of its manifest, which is always written."""
    if not raw.strip():
        raise Usage("the folder is empty", hint="give a folder, such as ./images")
    return env.write(f"{raw.rstrip('/')}/{MANIFEST}")


Folder = Annotated[WritePath, Param("folder", _folder, scopes=Scope.WRITE, local_only=True)]
Limit = Annotated[int, whole(1, 200)]


class ScrapedFile(msgspec.Struct):
    """One file to fetch, and the result."""

    number: int
    media: MediaAddress
    name: str = ""
    received: ReceivedFile | None = None
    problem: str = ""

    def facts(self) -> dict[str, Any]:
        known = {
            "path": self.name or None,
            "src": self.media.src,
            "size": self.received.size if self.received else 0,
            "type": self.received.type if self.received else None,
        }
        return {**known, "error": self.problem} if self.problem else known

    def line(self, total: int) -> str:
        if self.received is None:
            return f"  [{self.number}/{total}] FAILED: {self.problem}"
        warned = "".join(f" {warning}" for warning in self.received.warnings)
        return f"  [{self.number}/{total}] {self.name} ({in_kb(self.received.size)}KB){warned}"


@dataclass(slots=True)
class ScrapeJob:
    """The files to fetch, the folder for them, and the total size so far."""

    rows: list[ScrapedFile]
    place: WritePath
    page: str
    total: int = 0
    waiting: Iterator[ScrapedFile] = field(init=False)

    def __post_init__(self) -> None:
        self.waiting = iter(self.rows)


@command(
    group=Group.EXTRACTION,
    scope=Scope.WRITE,
    deadline=DEADLINE_S,
    mutates=False,
    changes=ChangedTabs.NONE,
)
async def scrape(
    ctx: Ctx,
    kind: Literal["images", "videos", "media"],
    *,
    selector: Annotated[Selector | None, Doc("Only what is inside this element.")] = None,
    dir: Annotated[
        Folder | None, Doc("The folder to save in; default: a new temporary folder.")
    ] = None,
    limit: Annotated[Limit, Doc("Maximum number of files.")] = 50,
) -> Text:
    """Save the images or videos of a page, or all its media (images, videos, audio).

    Each file is fetched once, three at a time; streams, data: and blob: URLs are left out. The file
    manifest.json in the folder lists the source of each file, and what failed.

    Examples:
        browse scrape images
        browse scrape media --dir ./media --limit 20
        browse scrape images --selector main
    """
    root = (await ctx.find(selector)).place if selector else ctx.tab.frame
    found = await scripts.MEDIA_ADDRESSES(root, kinds=WANTED[kind])
    chosen, skipped = _choose(found)
    place = dir or ctx.output(f"browse-scrape/{MANIFEST}")
    rows = [ScrapedFile(number, media) for number, media in enumerate(chosen[:limit], 1)]
    job = ScrapeJob(rows, place, ctx.tab.url)
    await _fetch_all(ctx, job)
    facts = _manifest(job, skipped=skipped, left_out=len(chosen) - len(rows))
    text = msgspec.json.format(msgspec.json.encode(facts), indent=2)
    await asyncio.to_thread(write_output, place, text)
    return _reply(job, facts)


def _choose(found: Sequence[MediaAddress]) -> tuple[list[MediaAddress], int]:
    """Drop duplicates, and count what cannot be fetched as a file."""
    once = {media.src: media for media in reversed(found)}
    unique = [media for media in found if once[media.src] is media]
    fit = [media for media in unique if _fetchable(media)]
    return fit, len(unique) - len(fit)


def _fetchable(media: MediaAddress) -> bool:
    if media.src[:5].lower() in ("data:", "blob:"):
        return False
    return not file_types.playlist(_path(media), file_types.declared_type(media.type))


def _path(media: MediaAddress) -> str:
    try:
        return urlsplit(media.src).path
    except ValueError:
        return ""


async def _fetch_all(ctx: Ctx, job: ScrapeJob) -> None:
    async def work() -> None:
        async with open_fetcher(tabs, ctx.tab) as fetching:
            for row in job.waiting:
                await _fetch(fetching, job, row)

    tabs = await ctx.tabs()
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(PARALLEL_FETCHES, len(job.rows))):
                group.create_task(work())
    except ExceptionGroup as several:  # the first one is enough
        raise several.exceptions[0] from several


async def _fetch(fetching: Fetcher, job: ScrapeJob, row: ScrapedFile) -> None:
    room = min(MAX_FILE_BYTES, MAX_TOTAL_BYTES - job.total)
    try:
        url = await urls.check_foreign(row.media.src)
        incoming = await fetching.get(url, referrer=job.page)
        type = file_types.declared_type(incoming.type)
        refuse_playlist("", type)
        row.name = f"{row.media.kind}-{row.number:03}{file_types.suffix(type, _path(row.media))}"
        row.received = await receive_to_file(incoming, job.place.beside(row.name), limit=room)
        row.name = Path(row.received.path).name
    except BrowseError as exc:
        row.problem = exc.message
        return
    job.total += row.received.size


def _manifest(job: ScrapeJob, *, skipped: int, left_out: int) -> dict[str, Any]:
    return {
        "url": job.page,
        "scraped_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "files": [row.facts() for row in job.rows],
        "total_size": job.total,
        "succeeded": sum(row.received is not None for row in job.rows),
        "failed": sum(row.received is None for row in job.rows),
        "skipped": skipped,
        "left_out": left_out,
    }


def _reply(job: ScrapeJob, facts: dict[str, Any]) -> Text:
    folder = job.place.real.rpartition("/")[0]
    lines = [f"Scraped into {folder}", *(row.line(len(job.rows)) for row in job.rows)]
    if facts["skipped"]:
        lines.append(f"Skipped: {facts['skipped']} (streams, data: and blob: addresses)")
    if facts["left_out"]:
        lines.append(f"Left out: {facts['left_out']} beyond --limit {len(job.rows)}")
    lines.append(
        f"Summary: {facts['succeeded']} succeeded, {facts['failed']} failed, "
        f"{in_kb(job.total)}KB total"
    )
    ours = {key: value for key, value in facts.items() if key not in ("url", "files")}
    page = from_page(url=facts["url"], files=facts["files"])
    return Text("\n".join(lines), {"dir": folder, "manifest": job.place.real, **ours, **page})
