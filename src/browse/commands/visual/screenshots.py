"""`screenshot`, `responsive` and `prettyscreenshot`."""

import asyncio
import base64 as encoding
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Annotated

from browse.browser.actions.clutter import Find, hidden_meanwhile
from browse.browser.elements.target import FoundElement
from browse.browser.visual import screenshots
from browse.browser.visual.page_parts import MAX_PARTS, PageImages, save_page, take_page
from browse.browser.visual.same_picture import SavedPicture
from browse.browser.visual.screenshot_file import (
    DEFAULT_MAX_PX,
    SIZES,
    Clip,
    ElementOrFile,
    ImagePrefix,
    MoreOrFile,
    element_and_file,
    hidden_and_file,
    kind_of,
    save_screenshot,
)  # fmt: skip
from browse.browser.visual.screenshots import Area, ImageKind, Screenshot
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.context import Ctx
from browse.guard.files import WritePath
from browse.registry.params import Doc, Selector, whole
from browse.registry.results import Text
from browse.registry.spec import ChangedTabs, Group, command

MAX_BASE64_BYTES = 10_000_000
MAX_EACH = 20  # parts of a page at each size
MAX_WIDTH_PX = 10_000
REMEDY = "; add --full-size to keep them all"


@command(
    group=Group.VISUAL,
    scope=Scope.READ,
    surfaces=ANYWHERE,
    writes=lambda given: not given.get("base64"),
    deadline=90.0,
    instead=dict.fromkeys(("--filename", "--path", "--output", "-o"), "browse screenshot page.png"),
)
async def screenshot(
    ctx: Ctx,
    target: ElementOrFile | None = None,
    path: ElementOrFile | None = None,
    *,
    selector: Annotated[
        Selector | None, Doc("The element to show, if the word could be taken for a file.")
    ] = None,
    viewport: Annotated[bool, Doc("Only the visible part of the page.")] = False,
    full: Annotated[
        bool, Doc("The whole page: the default.", also=("--full-page", "--fullpage", "-f"))
    ] = False,
    clip: Annotated[Clip | None, Doc("Only this area of the page, in CSS pixels.")] = None,
    base64: Annotated[bool, Doc("Print a data: URL instead of writing a file.")] = False,
    if_changed: Annotated[
        bool, Doc("Save nothing if the picture is the same as your last one of the tab.")
    ] = False,
    full_size: Annotated[
        bool, Doc("Do not scale the page down; parts have up to 16,383 pixels of its height.")
    ] = False,
) -> Text:
    """Save a screenshot of the page, of the viewport, of one element or of an area.

    The file name ends in .png, .jpg, .jpeg or .webp, or has no extension and is a PNG; without a
    name, the image is saved in a private temporary folder. A word that starts with @, . or # or
    contains [, > or = is an element, any other word is a file. A page is scaled down to 2,000
    pixels on its longer side. If it could not be read then, it is saved in numbered parts:
    page-1.png and so on.

    Examples:
        browse screenshot
        browse screenshot page.png --viewport
        browse screenshot @e3 button.png
        browse screenshot --selector main main.webp
        browse screenshot --clip 0,0,800,600 top.jpg
        browse screenshot --viewport --base64
        browse screenshot page.png --if-changed
    """
    word, file = element_and_file([target, path])
    _check(word, selector, file, viewport=viewport, full=full, clip=clip, base64=base64)
    file = file or ctx.output("browse-screenshot.png")
    kind = "png" if base64 else kind_of(file.real) or "png"
    async with AsyncExitStack() as stack:
        area: Area | None = clip
        if element := selector or word:
            found = await ctx.find(element, anyway=True)
            area = await stack.enter_async_context(
                screenshots.scrolled_into_view(ctx.tab, found, named=element[:80])
            )
        if not viewport and area is None:
            wanted = None if base64 else file
            images = await _take_page(ctx, kind, full_size=full_size, most=1 if base64 else None)
            if same := _same(ctx, f"page {kind} {full_size}", images.data, wanted, ask=if_changed):
                return same
            return await _whole_page(ctx, images, wanted, full_size=full_size)
        taken = await screenshots.take_screenshot(ctx.tab, kind=kind, area=area)
    what = " (viewport)" if viewport else " (element)" if element else ""
    if clip:
        what = f" (clip {clip.x:g},{clip.y:g},{clip.width:g},{clip.height:g})"
    kept = f"{what} {element} {kind}"
    if same := _same(ctx, kept, [taken.data], None if base64 else file, ask=if_changed):
        return same
    if base64:
        return _inline(taken)
    return await save_screenshot(taken, file, f"Screenshot saved{what}")


def _same(
    ctx: Ctx, what: str, images: Sequence[bytes], file: WritePath | None, *, ask: bool
) -> Text | None:
    """Keep a picture for the next --if-changed; return the reply if it is the last one again."""
    now = SavedPicture.of(what, images, file.real if file else "")
    caller, pictures = ctx.call.caller.holder, ctx.tab.seen.pictures
    before = pictures.add(caller, now)
    if not ask or not now.shows(before) or before is None:
        return None
    pictures.add(caller, before)  # its file is the one that exists
    where = f": {before.path}" if before.path else ""
    return Text(
        f"Not changed: the last picture is the same{where}", {"path": before.path, "changed": False}
    )


@command(group=Group.VISUAL, scope=Scope.META, writes=True, changes=ChangedTabs.OWN, deadline=150.0)
async def responsive(ctx: Ctx, prefix: ImagePrefix | None = None) -> Text:
    """Save screenshots of the page at the sizes of a phone, a tablet and a desktop.

    Sizes: 375x812, 768x1024 and 1280x720. The window's own size is restored afterwards. The prefix
    names the files: shots/home-mobile.png, shots/home-tablet.png, shots/home-desktop.png.

    Examples:
        browse responsive
        browse responsive shots/home
    """
    files = prefix or {name: ctx.output(f"browse-responsive-{name}.png") for name in SIZES}
    lines, rows = [], []
    async with screenshots.resizable(ctx.tab) as resize:
        for name, (width, height) in SIZES.items():
            await resize(width, height)
            images = await take_page(ctx.tab, longest=DEFAULT_MAX_PX, most=MAX_EACH)
            saved = await save_page(images, files[name], f"{name} ({width}x{height})")
            lines.append(saved.text)
            rows.append({"name": name, "viewport": f"{width}x{height}", **saved.data})
    return Text("\n".join(lines), {"pictures": rows})


@command(group=Group.VISUAL, scope=Scope.ADMIN, writes=True, mutates=False, deadline=90.0)
async def prettyscreenshot(
    ctx: Ctx,
    *words: MoreOrFile,
    scroll_to: Annotated[
        str | None, Doc("Scroll this to the middle of the window.", metavar="selector|text")
    ] = None,
    cleanup: Annotated[bool, Doc("Hide ads, banners and other clutter.")] = False,
    hide: Annotated[
        tuple[Selector, ...], Doc("Hide everything that matches; more may follow.")
    ] = (),
    width: Annotated[
        Annotated[int, whole(1, MAX_WIDTH_PX)] | None, Doc("Width of the window in pixels.")
    ] = None,
) -> Text:
    """Save a screenshot with clutter hidden; the page is restored afterwards.

    Shows the whole page, or with --scroll-to the viewport. The file name ends in .png, .jpg, .jpeg
    or .webp; other words after --hide are hidden too.

    Examples:
        browse prettyscreenshot
        browse prettyscreenshot --cleanup --hide '.promo' '#chat' clean.png
        browse prettyscreenshot --scroll-to 'Pricing' --width 1440 pricing.png
    """
    tab = ctx.tab
    more, path = hidden_and_file(words, hides=bool(hide))
    hide = (*hide, *more)
    file = path or ctx.output("browse-pretty.png")
    async with AsyncExitStack() as stack:
        if width:
            await (await stack.enter_async_context(screenshots.resizable(tab)))(width, None)
        await stack.enter_async_context(
            hidden_meanwhile(tab, cleaned=cleanup, hidden=hide, find=_finder(ctx))
        )
        if scroll_to:
            found = await _find_by_selector_or_text(ctx, scroll_to)
            await stack.enter_async_context(
                screenshots.scrolled_into_view(tab, found, named=scroll_to[:80], centred=True)
            )
        await asyncio.sleep(screenshots.SETTLE_S)
        kind = kind_of(file.real) or "png"
        if scroll_to:
            taken = await screenshots.take_screenshot(tab, kind=kind, longest=DEFAULT_MAX_PX)
        else:
            images = await take_page(tab, kind=kind, longest=DEFAULT_MAX_PX)
    done = "Screenshot saved" + (" (cleaned)" if cleanup else "")
    if scroll_to:
        return await save_screenshot(taken, file, f"{done} (scrolled to: {scroll_to[:80]})")
    return await save_page(images, file, done)


async def _take_page(ctx: Ctx, kind: ImageKind, *, full_size: bool, most: int | None) -> PageImages:
    longest = None if full_size else DEFAULT_MAX_PX
    return await take_page(ctx.tab, kind=kind, longest=longest, most=most or MAX_PARTS)


async def _whole_page(
    ctx: Ctx, images: PageImages, file: WritePath | None, *, full_size: bool
) -> Text:
    """Save the whole page, in parts if it is long; without a file, print the first part."""
    if file is None:
        if images.rest:
            await ctx.note(Text(f"only the top of the page is printed: {images.rest}"))
        return _inline(images.parts[0].taken)
    return await save_page(images, file, "Screenshot saved", "" if full_size else REMEDY)


def _check(
    word: str | None,
    selector: str | None,
    file: WritePath | None,
    *,
    viewport: bool,
    full: bool,
    clip: Area | None,
    base64: bool,
) -> None:
    element = word or selector
    clashes = (
        (word and selector, "--selector and an element among the words"),
        (element and clip, "--clip and an element"),
        (element and viewport, "--viewport and an element"),
        (viewport and clip, "--viewport and --clip"),
        (file and base64, "--base64 and a file"),
        (full and (viewport or clip or element), "--full and a part of the page"),
    )
    for clash, what in clashes:
        if clash:
            raise Usage(
                f"screenshot: {what} cannot be combined",
                hint="leave one of them out; `browse help screenshot` shows the forms",
            )


def _inline(taken: Screenshot) -> Text:
    if len(taken.data) > MAX_BASE64_BYTES:
        raise BrowseError(
            Code.TOO_LARGE,
            f"The image has {len(taken.data):,} bytes; --base64 prints {MAX_BASE64_BYTES:,}.",
            hint="show less of the page (--viewport, --clip, a selector), or write a file",
        )
    url = f"data:image/png;base64,{encoding.b64encode(taken.data).decode()}"
    facts = {"width": taken.width, "height": taken.height, "bytes": len(taken.data)}
    return Text(url, {"data": url, **facts, "scale": round(taken.scale, 4)}, whole=True)


def _finder(ctx: Ctx) -> Find:
    return lambda word: ctx.find(word, anyway=True)


async def _find_by_selector_or_text(ctx: Ctx, word: str) -> FoundElement:
    """Find the first element that matches a selector, else the first with this text."""
    if word.startswith("@"):
        return await ctx.find(word, anyway=True)
    for selector in (word, f"text={word}"):
        try:
            return await ctx.find(f"{selector} >> nth=0", anyway=True)
        except BrowseError as exc:
            if exc.code not in (Code.NO_MATCH, Code.SELECTOR_INVALID):
                raise
    raise BrowseError(
        Code.NO_MATCH,
        f"{word[:80]!r} was not found on the page, neither as a selector nor as text.",
        hint="look with `browse text` or `browse snapshot`",
    )
