"""`download` and `archive`: save files and whole pages."""

import asyncio
import re
from base64 import b64encode
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Annotated, Any

from browse.browser.actions import click_and_fill
from browse.browser.actions.settling import watch_effects
from browse.browser.elements.target import FoundElement
from browse.browser.files import file_source as sources
from browse.browser.files.incoming_file import IncomingFile, download_failed
from browse.browser.files.page_archive import archive_page
from browse.browser.files.received_file import (
    MB,
    in_kb,
    receive,
    receive_to_file,
    refuse_playlist,
)
from browse.core.errors import Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard import file_types, urls
from browse.guard.files import write_output
from browse.guard.path_errors import shown
from browse.guard.secrets import redacted_url
from browse.registry.params import Doc, Duration, Param, Surroundings, WriteFile
from browse.registry.results import Text
from browse.registry.spec import ChangedTabs, Group, command

MAX_BYTES = 200 * MB
BEGIN_MS = 15_000
MAX_INLINE_BYTES = 100 * MB  # of blob: and data:
MAX_BASE64_BYTES = 10 * MB
DEADLINE_S = 600.0
Found = sources.FileSource | FoundElement
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|(?:https?|file|about|javascript|mailto):")


def _place(raw: str, env: Surroundings) -> urls.NavUrl | str:
    word = raw.strip()
    if not word:
        raise Usage("the address is empty", hint="give a URL, a ref such as @e3, or a selector")
    if word.lower().startswith(sources.INLINE) or not _ADDRESS.match(word):
        return word
    url = urls.check_url(word, cwd=env.cwd, roots=env.roots)
    if url.scheme in ("file", "about"):
        raise Usage(
            f"{shown(word)} cannot be downloaded",
            hint="copy a local file with `cp`; give an http or https address",
        )
    return url


async def _admit(place: urls.NavUrl | str, env: Surroundings) -> None:
    if isinstance(place, urls.NavUrl):
        await env.admit(place)


Place = Annotated[urls.NavUrl | str, Param("url|target", _place, admit=_admit)]


def _may_press(values: Mapping[str, Any]) -> bool:
    place = values["place"]
    return isinstance(place, str) and not place.lower().startswith(sources.INLINE)


@command(
    group=Group.EXTRACTION,
    scope=Scope.WRITE,
    deadline=DEADLINE_S,
    mutates=_may_press,
    changes=lambda values: ChangedTabs.OWN if _may_press(values) else ChangedTabs.NONE,
)
async def download(
    ctx: Ctx,
    place: Place,
    path: WriteFile | None = None,
    *,
    base64: Annotated[
        bool, Doc("Print a data: URL instead of writing a file; up to 10 MB.")
    ] = False,
    navigate: Annotated[
        bool, Doc("Open the address in a separate tab, and save the download it starts.")
    ] = False,
    executable: Annotated[
        bool, Doc("Save a program or script under its own name, not in quarantine.")
    ] = False,
    within: Annotated[
        Duration | None,
        Doc("How long to wait for the download of a button; default 15s, if it does anything."),
    ] = None,
) -> Text:
    """Save a file: from a URL, or from an image, video, audio, link or button on the page.

    Uses the browser's cookies and network. An element without an address is clicked, and the
    download that this starts is taken. Up to 200 MB, or 100 MB from blob: and data: URLs. The file
    appears when it is complete, and replaces an existing one. Without a path it is saved in a
    private temporary folder. The reply has its SHA-256, and a warning if the bytes do not match the
    declared type. A program or script is quarantined: its name gets the ending .quarantine. No
    saved file is executable.

    Examples:
        browse download https://example.com/report.pdf report.pdf
        browse download @e3
        browse download 'img.logo' logo.png
        browse download 'text=Export CSV' export.csv --within 60s
        browse download https://example.com/export --navigate
    """
    if base64 and path:
        raise Usage(
            "download: --base64 prints the file, so it takes no path", hint="leave out one of them"
        )
    found = await _found(ctx, place)
    limit = _limit(found, base64=base64)
    if isinstance(found, FoundElement):
        opening = _pressed(ctx, str(place), found, within)
    else:
        refuse_playlist(found.path)
        tabs = await ctx.tabs()
        opening = sources.open_source(tabs, ctx.tab, found, navigate=navigate, limit=limit)
    async with opening as incoming:
        refuse_playlist("", file_types.declared_type(incoming.type))
        if base64:
            return await _printed(incoming, limit)
        name = incoming.name or ("" if isinstance(found, FoundElement) else found.path)
        end = file_types.suffix(file_types.declared_type(incoming.type), name)
        target = path or ctx.output(f"browse-download{end}")
        receipt = await receive_to_file(incoming, target, limit=limit, programs=executable)
    lines = [receipt.headline(receipt.path), receipt.details(), *receipt.warnings]
    return Text("\n".join(lines), {"path": receipt.path, **_about(found, receipt.facts())})


async def _found(ctx: Ctx, place: urls.NavUrl | str) -> Found:
    """Find where the file comes from; an element without an address is what to press."""
    if isinstance(place, urls.NavUrl):
        return sources.FileSource(place, ctx.tab.page.main_frame)
    if place.lower().startswith(sources.INLINE):
        return sources.inline_source(ctx.tab, place)
    element = await ctx.find(place)
    return await sources.source_of_element(element) or element


@asynccontextmanager
async def _pressed(
    ctx: Ctx, word: str, found: FoundElement, within_ms: int | None
) -> AsyncIterator[IncomingFile]:
    """Click an element; yield the file of the download that it starts."""
    files, page = ctx.browser.downloads, ctx.tab.page
    last = files.last
    async with watch_effects(ctx.tab) as seen:
        await seen.watching
        await click_and_fill.click(
            ctx.tab,
            word,
            found,
            button="left",
            double=False,
            held="",
            patience=ctx.patience,
            seen=seen,
        )
    if within_ms is None:
        within_ms = 0 if seen.is_empty and files.last == last else BEGIN_MS
    try:
        async with asyncio.timeout(within_ms / 1000):
            it = await files.first(last, (page, *seen.popups))
    except TimeoutError:
        raise download_failed(
            f"{word[:80]} has no address; it was pressed, and no download began",
            hint="look with `browse snapshot -i`, or give it longer with --within 60s",
        ) from None
    async with files.taken(it) as file:
        yield file


def _limit(found: Found, *, base64: bool) -> int:
    if base64:
        return MAX_BASE64_BYTES
    inline = isinstance(found, sources.FileSource) and isinstance(found.address, str)
    return MAX_INLINE_BYTES if inline else MAX_BYTES


def _about(found: Found, facts: dict[str, Any]) -> dict[str, Any]:
    """Add the address, which the page may have chosen, to the data."""
    address = found.address if isinstance(found, sources.FileSource) else ""
    url = redacted_url(str(address)) if isinstance(address, urls.NavUrl) else None
    return {**facts, "page": {**facts["page"], "url": url}}


async def _printed(incoming: IncomingFile, limit: int) -> Text:
    whole = bytearray()
    receipt = await receive(incoming, whole.extend, limit=limit)
    url = f"data:{receipt.type};base64,{b64encode(whole).decode()}"
    return Text(url, {"dataUrl": url, **receipt.facts()}, whole=True)


@command(group=Group.EXTRACTION, scope=Scope.WRITE, mutates=False, changes=ChangedTabs.NONE)
async def archive(ctx: Ctx, path: WriteFile | None = None) -> Text:
    """Save the page with its images and styles in one MHTML file.

    Examples:
        browse archive
        browse archive page.mhtml
    """
    whole = await archive_page(ctx.tab)
    target = path or ctx.output("browse-archive.mhtml")
    size = await asyncio.to_thread(write_output, target, whole)
    return Text(
        f"Archive saved: {target.real} ({in_kb(size)}KB, MHTML)",
        {"path": target.real, "bytes": size},
    )
