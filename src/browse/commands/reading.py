"""What a page says."""

from typing import Annotated, Any

import msgspec

from browse.browser import article, frame_text, scripts
from browse.browser import snapshot as trees
from browse.browser.scripts import Place
from browse.browser.target import find
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc, Selector
from browse.registry.results import PageText, from_page
from browse.registry.spec import Group, command

Main = Annotated[
    bool, Doc("Only the article, without navigation, advertising and the like around it.")
]
NO_ARTICLE = "(no article was found: this is all that can be seen)"


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def text(ctx: Ctx, selector: Selector | None = None, *, main: Main = False) -> PageText:
    """Print the text that a person sees, of the page or of one element.

    Rendered text only, each block on its own line. Frames are read in place, between two lines
    that say so. With --main and --json, title, author and date come along as far as the page tells
    them.

    Examples:
        browse text
        browse text '#main'
        browse text @e3
        browse text --main
        browse text --max-chars 2000
    """
    place = await _place(ctx, selector)
    if main:
        return await _article(ctx, place, scripts.TEXT, markdown=False)
    words = await (scripts.TEXT(place) if selector else frame_text.text_of(ctx.tab.frame))
    return _page(ctx, words, text=words)


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def html(ctx: Ctx, selector: Selector | None = None) -> PageText:
    """Print the page's HTML, or what is inside one element.

    Examples:
        browse html
        browse html article
    """
    words = await scripts.HTML(await _place(ctx, selector))
    return _page(ctx, words, html=words)


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
    words = await scripts.MARKDOWN(place)
    return _page(ctx, words, text=words)


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def links(ctx: Ctx) -> PageText:
    """List the page's links, one a line: text → address.

    A link without words is named as assistive technology names it, by its picture for one.

    Examples:
        browse links
        browse links --json
    """
    found = await scripts.LINKS(ctx.tab.frame)
    lines = [f"{link.text} → {link.href}" for link in found]
    rows = [{"text": link.text, "href": link.href} for link in found]
    return _page(ctx, "\n".join(lines) or "(no links)", links=rows)


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
    return _page(ctx, shown or "(no accessible elements found)", tree=shown)


async def _place(ctx: Ctx, selector: str | None) -> Place:
    # Whatever it is called by now: to look is harmless.
    return (await find(ctx.tab, selector, anyway=True)).place if selector else ctx.tab.frame


async def _article(
    ctx: Ctx, place: Place, otherwise: scripts.Script[str], *, markdown: bool
) -> PageText:
    seen = await scripts.VISIBLE_HTML(place, most=article.MAX_HTML_CHARS)
    if not seen.whole:
        raise article.too_large(f"There are more than {article.MAX_HTML_CHARS:,} characters")
    found = await article.article_of(article.Page(seen.html, ctx.tab.url, markdown))
    if found:
        return _page(ctx, found.text, **msgspec.to_builtins(found))
    words = await otherwise(place)
    shown = _page(ctx, f"{NO_ARTICLE}\n{words}", text=words)
    return PageText(shown.text, shown.source, {"article": False, **shown.data})


def _page(ctx: Ctx, words: str, **fields: Any) -> PageText:
    return PageText(words, ctx.tab.url, from_page(url=ctx.tab.url, **fields))
