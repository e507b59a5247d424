"""`diff`: compare two pages."""

import asyncio
import difflib
from pathlib import PurePath
from typing import Annotated

from browse.browser.page import scripts
from browse.browser.tabs.tab import Tab
from browse.browser.visual import screenshots
from browse.browser.visual.pixel_diff import compare_images
from browse.browser.visual.screenshot_file import DEFAULT_MAX_PX, ImageFile
from browse.core.errors import BrowseError, Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard.files import WritePath, write_output
from browse.guard.urls import NavUrl
from browse.registry.params import Doc, Url
from browse.registry.results import PageText, Text, from_page, inline_url
from browse.registry.spec import Group, command

# Comparing takes more than linear time.
MAX_LINES = 10_000
COMPARED = screenshots.Area(0, 0, 4_000, 10_000)


@command(
    group=Group.VISUAL,
    scope=Scope.META,
    writes=lambda given: bool(given.get("visual")),
    loads=2,
)
async def diff(
    ctx: Ctx,
    url1: Url,
    url2: Url,
    path: ImageFile | None = None,
    *,
    visual: Annotated[
        bool, Doc("Compare screenshots, and save an image of the differences.")
    ] = False,
) -> PageText | Text:
    """Compare the text of two pages, or their screenshots.

    They are opened in a hidden tab with this browser's logins; the current tab is not changed.

    Examples:
        browse diff https://staging.example.com https://example.com
        browse diff https://staging.example.com https://example.com --visual changes.png
    """
    if path and not visual:
        raise Usage("diff: a file is only written with --visual", hint="add --visual")
    async with (await ctx.tabs()).aside(ctx.tab) as tab:
        if visual:
            file = path or ctx.output("browse-diff.png")
            return await _pixels(tab, url1, url2, file)
        one, two = [await _text(tab, url) for url in (url1, url2)]
    lines = await asyncio.to_thread(difference, one.splitlines(), two.splitlines())
    heads = [f"--- {inline_url(str(url1))}", f"+++ {inline_url(str(url2))}", ""]
    added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
    return PageText(
        "\n".join(heads + lines),
        f"diff:{inline_url(str(url1), 90)}|{inline_url(str(url2), 90)}",
        from_page(
            urls=[str(url1), str(url2)],
            same=not (added or removed),
            added=added,
            removed=removed,
            lines=lines,
        ),
    )


def difference(old: list[str], new: list[str]) -> list[str]:
    """Mark each line: `+ ` only in the new text, `- ` only in the old one, two spaces in both."""
    longest = max(len(old), len(new))
    old, new = old[:MAX_LINES], new[:MAX_LINES]
    lines: list[str] = []
    for kind, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new).get_opcodes():
        if kind == "equal":
            lines += [f"  {line}" for line in old[i1:i2]]
        else:
            lines += [f"- {line}" for line in old[i1:i2]]
            lines += [f"+ {line}" for line in new[j1:j2]]
    if longest > MAX_LINES:
        lines.append(f"  (only the first {MAX_LINES:,} lines of each were compared)")
    return lines


async def _text(tab: Tab, url: NavUrl) -> str:
    await _open(tab, url)
    return await scripts.TEXT(tab.frame)


async def _open(tab: Tab, url: NavUrl) -> None:
    try:
        await tab.open(url, until="load")
    except BrowseError as exc:
        raise BrowseError(
            exc.code, f"{inline_url(str(url))}: {exc.message}", hint=exc.hint, page=exc.page
        ) from exc


async def _pixels(tab: Tab, url1: NavUrl, url2: NavUrl, file: WritePath) -> Text:
    if PurePath(file.real).suffix.lower() != ".png":
        raise Usage("diff: the image must be a PNG", hint="choose a name that ends in .png")
    taken = []
    for url in (url1, url2):
        await _open(tab, url)
        taken.append((await screenshots.take_screenshot(tab, area=COMPARED)).data)
    found = await asyncio.to_thread(compare_images, *taken, longest=DEFAULT_MAX_PX)
    size = await asyncio.to_thread(write_output, file, found.image)
    line = f"{found.percent:.2f} % of the pixels differ ({found.changed:,} of {found.total:,})"
    return Text(
        f"{line}\nDifference saved: {file.real}",
        {
            "path": file.real,
            "bytes": size,
            "changed": found.changed,
            "pixels": found.total,
            "percent": round(found.percent, 4),
        },
    )
