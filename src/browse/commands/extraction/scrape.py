"""Saving all pictures, films and sounds of a page."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec

from browse.browser.elements.target import find
from browse.browser.files.download_receipt import MB, Receipt, in_kb, refuse_playlist, save
from browse.browser.files.fetch import Fetcher, fetcher
from browse.browser.page import scripts
from browse.browser.page.shapes import MediaAddress
from browse.core.errors import BrowseError, Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard import files, kinds, urls
from browse.guard.files import WritePath, write_output
from browse.registry.params import Doc, Param, Selector, Surroundings, whole
from browse.registry.results import Text, from_page
from browse.registry.spec import Group, command

MANIFEST = "manifest.json"
WANTED = {"images": ["image"], "videos": ["video"], "media": ["image", "video", "audio"]}
SIDE_BY_SIDE = 3
MAX_FILE_BYTES = 200 * MB
MAX_TOTAL_BYTES = 1024 * MB
DEADLINE_S = 900.0


def _folder(raw: str, env: Surroundings) -> WritePath:
    """Check a folder by the file that will always be in it."""
    if not raw.strip():
        raise Usage("the folder is empty", hint="give a folder, such as ./pictures")
    return files.check_write(f"{raw.rstrip('/')}/{MANIFEST}", cwd=env.cwd, roots=env.roots)


Folder = Annotated[WritePath, Param("folder", _folder, scopes=Scope.WRITE, local_only=True)]
Limit = Annotated[int, whole(1, 200)]


@dataclass(slots=True)
class Row:
    """One file: what it should be, and what came of it."""

    number: int
    media: MediaAddress
    name: str = ""
    receipt: Receipt | None = None
    problem: str = ""

    def facts(self) -> dict[str, Any]:
        known = {
            "path": self.name or None,
            "src": self.media.src,
            "size": self.receipt.size if self.receipt else 0,
            "type": self.receipt.type if self.receipt else None,
        }
        return {**known, "error": self.problem} if self.problem else known

    def line(self, total: int) -> str:
        if self.receipt is None:
            return f"  [{self.number}/{total}] FAILED: {self.problem}"
        warned = "".join(f" {warning}" for warning in self.receipt.warnings)
        return f"  [{self.number}/{total}] {self.name} ({in_kb(self.receipt.size)}KB){warned}"


@dataclass(slots=True)
class Job:
    """The files that are wanted, the place for them, and how much has come."""

    rows: list[Row]
    place: WritePath
    page: str
    total: int = 0
    waiting: Iterator[Row] = field(init=False)

    def __post_init__(self) -> None:
        self.waiting = iter(self.rows)


@command(group=Group.EXTRACTION, scope=Scope.WRITE, deadline=DEADLINE_S, mutates=False)
async def scrape(
    ctx: Ctx,
    kind: Literal["images", "videos", "media"],
    *,
    selector: Annotated[Selector | None, Doc("Only what is inside this element.")] = None,
    dir: Annotated[Folder | None, Doc("Where to; else a new temporary folder.")] = None,
    limit: Annotated[Limit, Doc("At most so many files.")] = 50,
) -> Text:
    """Save the pictures, the films, or both with the sounds, of a page.

    Each file is fetched once, three at a time; streams, data: and blob: addresses are left out. A
    file manifest.json in the folder says what came from where, and what did not come.

    Examples:
        browse scrape images
        browse scrape media --dir ./media --limit 20
        browse scrape images --selector main
    """
    root = (await find(ctx.tab, selector)).place if selector else ctx.tab.frame
    found = await scripts.MEDIA_ADDRESSES(root, kinds=WANTED[kind])
    chosen, skipped = _choose(found)
    place = dir or ctx.output(f"browse-scrape-{time.time_ns() // 1_000_000}/{MANIFEST}")
    rows = [Row(number, media) for number, media in enumerate(chosen[:limit], 1)]
    job = Job(rows, place, ctx.tab.url)
    await _fetch_all(ctx, job)
    facts = _manifest(job, skipped=skipped, left_out=len(chosen) - len(rows))
    text = msgspec.json.format(msgspec.json.encode(facts), indent=2)
    await asyncio.to_thread(write_output, place, text)
    return _told(job, facts)


def _choose(found: Sequence[MediaAddress]) -> tuple[list[MediaAddress], int]:
    """Leave out what comes twice, and count what cannot be fetched as a file."""
    once = {media.src: media for media in reversed(found)}
    unique = [media for media in found if once[media.src] is media]
    fit = [media for media in unique if _fetchable(media)]
    return fit, len(unique) - len(fit)


def _fetchable(media: MediaAddress) -> bool:
    if media.src[:5].lower() in ("data:", "blob:"):
        return False
    return not kinds.playlist(_path(media), kinds.declared_type(media.type))


def _path(media: MediaAddress) -> str:
    try:
        return urlsplit(media.src).path
    except ValueError:
        return ""


async def _fetch_all(ctx: Ctx, job: Job) -> None:
    async def work() -> None:
        async with fetcher(tabs, ctx.tab) as fetching:
            for row in job.waiting:
                await _fetch(fetching, job, row)

    tabs = await ctx.tabs()
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(SIDE_BY_SIDE, len(job.rows))):
                group.create_task(work())
    except ExceptionGroup as several:  # one tells as much as all of them
        raise several.exceptions[0] from several


async def _fetch(fetching: Fetcher, job: Job, row: Row) -> None:
    room = min(MAX_FILE_BYTES, MAX_TOTAL_BYTES - job.total)
    try:
        url = await urls.check_foreign(row.media.src)
        arriving = await fetching.get(url, referrer=job.page)
        type = kinds.declared_type(arriving.type)
        refuse_playlist("", type)
        row.name = f"{row.media.kind}-{row.number:03}{kinds.suffix(type, _path(row.media))}"
        row.receipt = await save(arriving, job.place.beside(row.name), limit=room)
        row.name = Path(row.receipt.path).name
    except BrowseError as exc:
        row.problem = exc.message
        return
    job.total += row.receipt.size


def _manifest(job: Job, *, skipped: int, left_out: int) -> dict[str, Any]:
    return {
        "url": job.page,
        "scraped_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "files": [row.facts() for row in job.rows],
        "total_size": job.total,
        "succeeded": sum(row.receipt is not None for row in job.rows),
        "failed": sum(row.receipt is None for row in job.rows),
        "skipped": skipped,
        "left_out": left_out,
    }


def _told(job: Job, facts: dict[str, Any]) -> Text:
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
