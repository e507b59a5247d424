"""What a page says."""

from dataclasses import replace
from typing import Annotated

import msgspec

from browse.browser.elements.target import find
from browse.browser.page import scripts
from browse.browser.page.scripts import Place
from browse.browser.reading import article, frame_text
from browse.browser.reading import snapshot as trees
from browse.browser.reading.hidden_text import blocks
from browse.core.errors import Usage
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.context import Ctx
from browse.dispatch.page_reply import entire, seen, spelled
from browse.guard.secrets import without_field_values
from browse.registry.params import Doc, Selector
from browse.registry.results import PageText, from_page
from browse.registry.spec import Group, command
from browse.security import invisible

Main = Annotated[
    bool, Doc("Only the article, without navigation, advertising and the like around it.")
]
Hidden = Annotated[bool, Doc("Add the words that a person cannot see, and why.")]
NO_ARTICLE = "(no article was found: this is all that can be seen)"


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def text(
    ctx: Ctx, selector: Selector | None = None, *, main: Main = False, hidden: Hidden = False
) -> PageText:
    """Print the text that a person sees, of the page or of one element.

    Rendered text only, each block on its own line. Frames are read in place, between two lines
    that say so. Words that are there and cannot be seen (transparent, tiny, in the colour of what
    is behind them, off the screen, covered) are left out, and reported where that is suspicious.
    With --main and --json, title, author and date come along as far as the page tells them.

    Examples:
        browse text
        browse text '#main'
        browse text @e3
        browse text --main
        browse text --max-chars 2000
        browse text --hidden
    """
    if main and hidden:
        raise Usage("--main and --hidden do not go together", hint="leave out one of them")
    place = await _place(ctx, selector)
    if main:
        return await _article(ctx, place, scripts.TEXT, markdown=False)
    if selector:
        words, concealed = await scripts.TEXT.read(place, everything=hidden)
        found = blocks(concealed)
    else:
        words, found = await frame_text.text_of(ctx.tab.frame, everything=hidden)
    if not hidden:
        return seen(ctx, words, found, text=words)
    found += invisible.blocks(words)
    rows = [{"why": it.why, "place": it.place, "text": it.text} for it in found]
    lines = "\n".join(filter(None, [words, spelled(found)]))
    return PageText(lines, ctx.tab.url, from_page(url=ctx.tab.url, text=words, hidden=rows))


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def html(ctx: Ctx, selector: Selector | None = None) -> PageText:
    """Print the page's HTML, or what is inside one element.

    Examples:
        browse html
        browse html article
    """
    place = await _place(ctx, selector)
    if place is ctx.tab.page.main_frame and ctx.call.caller.is_program:
        # A program takes it apart by itself. To load what tells a model of hidden words into a new
        # page takes longer than all the rest of a small skill.
        markup = without_field_values(await frame_text.markup_of(ctx.tab))
        return entire(ctx, markup, (), html=markup)
    words, found = await scripts.HTML.read(place)
    words = words if ctx.reveal else without_field_values(words)
    return entire(ctx, words, found, html=words)


@command(group=Group.READING, scope=Scope.READ)
async def markdown(ctx: Ctx, selector: Selector | None = None, *, main: Main = False) -> PageText:
    """Print the page, or one element, as Markdown: headings, lists, tables, code, links.

    Addresses are absolute. What a person cannot see is left out.

    Examples:
        browse markdown
        browse markdown article
        browse markdown --main
    """
    place = await _place(ctx, selector)
    if main:
        return await _article(ctx, place, scripts.MARKDOWN, markdown=True)
    words, found = await scripts.MARKDOWN.read(place)
    return seen(ctx, words, found, text=words)


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def links(ctx: Ctx) -> PageText:
    """List the page's links, one a line: text → address.

    A link without words is named as assistive technology names it, by its picture for one.

    Examples:
        browse links
        browse links --json
    """
    found, concealed = await scripts.LINKS.read(ctx.tab.frame)
    lines = [f"{link.text} → {link.href}" for link in found]
    rows = [{"text": link.text, "href": link.href} for link in found]
    return seen(ctx, "\n".join(lines) or "(no links)", concealed, links=rows)


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def accessibility(ctx: Ctx, selector: Selector | None = None) -> PageText:
    """Print the page, or one element, as the tree of roles and names that screen readers use.

    The same tree as `browse snapshot`, without refs.

    Examples:
        browse accessibility
        browse accessibility form
    """
    taken = await trees.take(ctx.tab, trees.Options(selector=selector, refs=False))
    shown = "\n".join(taken.lines())
    return seen(ctx, shown or "(no accessible elements found)", taken.hidden, tree=shown)


async def _place(ctx: Ctx, selector: str | None) -> Place:
    # Whatever it is called by now: to look is harmless.
    return (await find(ctx.tab, selector, anyway=True)).place if selector else ctx.tab.frame


async def _article(
    ctx: Ctx, place: Place, otherwise: scripts.Script[str], *, markdown: bool
) -> PageText:
    page, concealed = await scripts.VISIBLE_HTML.read(place, most=article.MAX_HTML_CHARS)
    if not page.whole:
        raise article.too_large(f"There are more than {article.MAX_HTML_CHARS:,} characters")
    found = await article.article_of(article.Page(page.html, ctx.tab.url, markdown))
    if found:
        return seen(ctx, found.text, concealed, **msgspec.to_builtins(found))
    words = await otherwise(place)
    shown = seen(ctx, f"{NO_ARTICLE}\n{words}", concealed, text=words)
    return replace(shown, data={"article": False, **shown.data})
