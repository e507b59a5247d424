"""Text of a page: `text`, `html`, `markdown`, `links`, `accessibility`."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated

import msgspec
from msgspec.structs import replace

from browse.browser.page import scripts
from browse.browser.page.own_layer import without_own_layer
from browse.browser.page.scripts import Place
from browse.browser.reading import article, frame_text
from browse.browser.reading import snapshot as trees
from browse.browser.reading.new_text import ReadText, new_lines
from browse.core.errors import Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.dispatch.page_reply import complete_reply, hidden_lines, visible_reply
from browse.guard.secrets import MASK, without_field_values
from browse.registry.params import Doc, Selector
from browse.registry.results import PageText, from_page
from browse.registry.spec import Alias, Group, command
from browse.security.blocks import Block
from browse.security.characters import invisible

Main = Annotated[bool, Doc("Only the article, without navigation, advertising and the like.")]
Hidden = Annotated[bool, Doc("Add hidden text, with the reason why it is hidden.")]
FIRST_TEXT = "(you have not read the text of this tab before: this is all of it)"
OTHER_TEXT = "(your last text was of another part of the page: this is all of this one)"
NO_ARTICLE = "(no article was found: this is all the visible text)"


@command(
    group=Group.READING,
    scope=Scope.READ,
    surfaces=ANYWHERE,
    aliases=("get-text", "gettext", "innertext", "inner-text", Alias("get text")),
)
async def text(
    ctx: Ctx,
    selector: Selector | None = None,
    *,
    main: Main = False,
    hidden: Hidden = False,
    since: Annotated[bool, Doc("Only the lines that are new since your last `text`.")] = False,
) -> PageText:
    """Print the visible text of the page or of one element.

    Rendered text only, each block on its own line, and what fields show: their values (not of
    secret fields), the chosen option, the labels of buttons. Lines of code keep their indentation.
    The text of frames is included in place, between two marker lines; a canvas is mentioned. Hidden
    text (transparent, tiny, in the colour of its background, off the screen, covered) is left out,
    and reported where it is suspicious. Where there is no text yet, it waits while the page is not
    quiet. With --main and --json, the reply has title, author and date if the page states them.

    Examples:
        browse text
        browse text '#main'
        browse text @e3
        browse text --main
        browse text --max-chars 2000
        browse text --hidden
        browse text --since
    """
    if hidden and (main or since):
        other = "--main" if main else "--since"
        raise Usage(f"{other} and --hidden cannot be combined", hint="leave out one of them")
    element = await ctx.find(selector, anyway=True) if selector else None
    frame, inside = (element.frame, element.place) if element else (ctx.tab.frame, None)
    if main:
        otherwise = partial(frame_text.read_text, frame, inside)
        article = await _article(ctx, inside or frame, otherwise, markdown=False)
        return _only_new(ctx, article, selector, main=True, since=since)
    room = 0 if hidden or since else ctx.room
    read = await frame_text.read_when_there(
        ctx.tab, frame, inside, ctx.patience, room=room, everything=hidden
    )
    words, found = read.words, read.hidden
    if not hidden:
        whole = visible_reply(ctx, words, found, text=words)
        whole = replace(whole, unread=read.is_cut)
        return _only_new(ctx, whole, selector, main=False, since=since)
    found += invisible.blocks(words)
    rows = [{"why": it.why, "place": it.place, "text": it.text} for it in found]
    lines = "\n".join(filter(None, [words, hidden_lines(found)]))
    return PageText(lines, ctx.tab.url, from_page(url=ctx.tab.url, text=words, hidden=rows))


@command(
    group=Group.READING,
    scope=Scope.READ,
    surfaces=ANYWHERE,
    aliases=("get-html", "content", "source", Alias("get html")),
)
async def html(ctx: Ctx, selector: Selector | None = None) -> PageText:
    """Print the page's HTML, or the inner HTML of one element.

    Examples:
        browse html
        browse html article
    """
    place = await _place(ctx, selector)
    if place is ctx.tab.page.main_frame and ctx.call.caller.is_program:
        # A program parses the HTML itself. Loading the page script that detects hidden text takes
        # longer than everything else in a small skill.
        markup = without_field_values(await frame_text.read_markup(ctx.tab))
        return complete_reply(ctx, markup, (), html=markup)
    words, found = await scripts.HTML.read(place, mask="" if ctx.reveal else MASK)
    words = without_own_layer(words)
    words = words if ctx.reveal else without_field_values(words)
    return complete_reply(ctx, words, found, html=words)


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE, aliases=(Alias("get title"),))
async def title(ctx: Ctx) -> PageText:
    """Print the title of the page.

    Examples:
        browse title
    """
    words = await ctx.tab.title()
    return PageText(words, ctx.tab.url, from_page(url=ctx.tab.url, title=words))


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def markdown(ctx: Ctx, selector: Selector | None = None, *, main: Main = False) -> PageText:
    """Print the page, or one element, as Markdown: headings, lists, tables, code, links.

    Links are absolute. Fields are what they show, and frames are included in place, as in `text`.
    Hidden text is left out.

    Examples:
        browse markdown
        browse markdown article
        browse markdown --main
    """
    element = await ctx.find(selector, anyway=True) if selector else None
    frame, inside = (element.frame, element.place) if element else (ctx.tab.frame, None)
    read = partial(frame_text.read_markdown, frame, inside)
    if main:
        return await _article(ctx, inside or frame, read, markdown=True)
    words, found = await read()
    return visible_reply(ctx, words, found, text=words)


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def links(ctx: Ctx) -> PageText:
    """List the page's links, one per line: text → URL.

    A link without text gets its accessible name, such as the alt text of its image.

    Examples:
        browse links
        browse links --json
    """
    found, concealed = await scripts.LINKS.read(ctx.tab.frame)
    lines = [f"{link.text} → {link.href}" for link in found]
    rows = [{"text": link.text, "href": link.href} for link in found]
    return visible_reply(ctx, "\n".join(lines) or "(no links)", concealed, links=rows)


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def accessibility(ctx: Ctx, selector: Selector | None = None) -> PageText:
    """Print the accessibility tree (roles and names) of the page or of one element.

    The same tree as `browse snapshot`, without refs.

    Examples:
        browse accessibility
        browse accessibility form
    """
    options = trees.SnapshotOptions(selector=selector, refs=False)
    root = await ctx.find(selector, anyway=True) if selector else None
    taken = await trees.take_snapshot(ctx.tab, options, root)
    shown = "\n".join(taken.lines())
    return visible_reply(ctx, shown or "(no accessible elements found)", taken.hidden, tree=shown)


def _only_new(
    ctx: Ctx, whole: PageText, selector: str | None, *, main: bool, since: bool
) -> PageText:
    """Keep the text for the caller's next --since, and reduce it to what is new."""
    now = ReadText.of(whole.text, selector, main=main, cut=whole.unread)
    before = ctx.tab.seen.texts.add(ctx.call.caller.holder, now, again=ctx.after > 0)
    if not since:
        return whole
    if before is None or not before.is_like(now):
        return replace(whole, note=OTHER_TEXT if before else FIRST_TEXT)
    new = new_lines(whole.text, before)
    cut = "your last text was cut: lines after it count as new; " if before.cut else ""
    counts = f"{cut}{counted(new.same, 'line')} as before, {new.gone} gone"
    note = f"({counts})" if new.lines else f"(nothing new; {counts})"
    data = from_page(url=ctx.tab.url, new=new.lines) | {"same": new.same, "gone": new.gone}
    return replace(whole, text="\n".join(new.lines), data=data, note=note)


async def _place(ctx: Ctx, selector: str | None) -> Place:
    # `anyway`: reading an element that has changed is harmless.
    return (await ctx.find(selector, anyway=True)).place if selector else ctx.tab.frame


async def _article(
    ctx: Ctx,
    place: Place,
    otherwise: Callable[[], Awaitable[tuple[str, list[Block]]]],
    *,
    markdown: bool,
) -> PageText:
    page, concealed = await scripts.VISIBLE_HTML.read(place, most=article.MAX_HTML_CHARS)
    if not page.whole:
        raise article.page_too_large(f"There are more than {article.MAX_HTML_CHARS:,} characters")
    found = await article.find_article(article.ArticleInput(page.html, ctx.tab.url, markdown))
    if found:
        return visible_reply(ctx, found.text, concealed, **msgspec.to_builtins(found))
    words, _ = await otherwise()
    shown = visible_reply(ctx, f"{NO_ARTICLE}\n{words}", concealed, text=words)
    return replace(shown, data={"article": False, **shown.data})
