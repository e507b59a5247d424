"""`downloads`: the files that pages have downloaded."""

import asyncio
from pathlib import Path
from typing import Annotated

from browse.browser.files.page_download import PageDownload, told
from browse.browser.files.page_downloads import ended, running
from browse.core.errors import BrowseError, Code
from browse.core.scopes import ANYWHERE, Reach, Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.registry.params import Doc, Millis
from browse.registry.results import Text
from browse.registry.spec import ChangedTabs, Family, Group, Lane, command

WAIT_MS = 60_000
DOWNLOADS = Family(
    "downloads",
    Group.EXTRACTION,
    "List the files that pages have downloaded, wait for them, or remove them.",
    """What a click, a menu or a script downloads is kept in a private temporary folder, under a
    name of ours. Together, such files may take 500 MB (`BROWSE_DOWNLOADS_MB`); what would exceed
    that is ended. A program or script is quarantined, as by `download`.
    """,
    default="list",
)


def _visible(ctx: Ctx) -> list[PageDownload]:
    may = ctx.call.caller.may_use
    return [it for it in ctx.browser.downloads.all() if may(it.owner)]


def _limit_ms(timeout: int | None) -> int:
    return WAIT_MS if timeout is None else timeout


def _listed(found: list[PageDownload], first: str = "") -> Text:
    rows = [(line, it) for it in found for line in it.lines()]
    lines = [f"[{it.number}] tab {it.tab}: {line}" for line, it in rows]
    quotes = [f"[{it.number}] {it.quote()}" for it in found]
    return Text(
        "\n".join(filter(None, [first, *lines])),
        {"downloads": told(found)},
        page="\n".join(quotes),
    )


@command(family=DOWNLOADS, scope=Scope.READ, surfaces=ANYWHERE, lane=Lane.FREE, reach=Reach.OWN)
async def downloads_list(ctx: Ctx) -> Text:
    """List the files that pages have downloaded since the daemon started.

    Examples:
        browse downloads
        browse downloads list --json
    """
    found = _visible(ctx)
    return _listed(found, "" if found else "No page has downloaded anything")


@command(
    family=DOWNLOADS,
    scope=Scope.READ,
    surfaces=ANYWHERE,
    lane=Lane.FREE,
    reach=Reach.OWN,
    deadline=lambda values: _limit_ms(values["timeout"]) / 1000 + 5,
)
async def downloads_wait(
    ctx: Ctx,
    timeout: Annotated[Millis | None, Doc("Maximum time to wait; default 60000.")] = None,
) -> Text:
    """Wait until the downloads of pages have ended; if none is running, for the next one.

    Those that have ended and that no reply has told of are told of at once. One that a reply has
    told of, as that to a click does, is not told of again. With 0, nothing is waited for.

    Examples:
        browse downloads wait
        browse downloads wait 300s
    """
    limit_ms = _limit_ms(timeout)
    try:
        async with asyncio.timeout(limit_ms / 1000):
            while not (found := [it for it in _visible(ctx) if not it.told]):
                await ctx.browser.downloads.next()
            await ended(found)
    except TimeoutError:
        known = _visible(ctx)
        state = "none has begun"
        if still := len(list(running(known))):
            state = f"{counted(still, 'download')} still running"
        elif known:
            state = f"no other has begun, and {counted(len(known), 'download')} ended before"
        raise BrowseError(
            Code.TIMEOUT,
            f"Waited {limit_ms} ms for downloads: {state}.",
            hint="wait longer: `browse downloads wait 300s`; `browse downloads` lists them",
        ) from None
    return _listed(found)


@command(
    family=DOWNLOADS,
    scope=Scope.WRITE,
    lane=Lane.FREE,
    reach=Reach.OWN,
    changes=ChangedTabs.NONE,
    destroys=True,
)
async def downloads_clear(ctx: Ctx) -> Text:
    """Remove the files that pages have downloaded, and forget them; those that run go on.

    Examples:
        browse downloads clear
    """
    own = Path(ctx.files.own(ctx.call.caller))
    removed = ctx.browser.downloads.clear(_visible(ctx), own)
    return Text(f"Removed {counted(removed, 'file')}", {"removed": removed})
