"""What a page says."""

from browse.browser import scripts
from browse.browser.target import find
from browse.core.scopes import ANYWHERE, Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Selector
from browse.registry.results import PageText, from_page
from browse.registry.spec import Group, command


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def text(ctx: Ctx, selector: Selector | None = None) -> PageText:
    """Print the text that a person sees, of the page or of one element.

    Rendered text only, each block on its own line.

    Examples:
        browse text
        browse text '#main'
        browse text @e3
        browse text --max-chars 2000
    """
    return await _read(ctx, scripts.TEXT, selector, "text")


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def html(ctx: Ctx, selector: Selector | None = None) -> PageText:
    """Print the page's HTML, or what is inside one element.

    Examples:
        browse html
        browse html article
    """
    return await _read(ctx, scripts.HTML, selector, "html")


@command(group=Group.READING, scope=Scope.READ, surfaces=ANYWHERE)
async def links(ctx: Ctx) -> PageText:
    """List the page's links, one a line: text → address.

    Examples:
        browse links
        browse links --json
    """
    found = await scripts.LINKS(ctx.tab.frame)
    lines = [f"{link.text} → {link.href}" for link in found]
    rows = [{"text": link.text, "href": link.href} for link in found]
    return PageText(
        "\n".join(lines) or "(no links)", ctx.tab.url, from_page(url=ctx.tab.url, links=rows)
    )


async def _read(
    ctx: Ctx, script: scripts.Script[str], selector: str | None, field: str
) -> PageText:
    # Whatever it is called by now: to look is harmless.
    place = (await find(ctx.tab, selector, anyway=True)).place if selector else ctx.tab.frame
    words = await script(place)
    return PageText(words, ctx.tab.url, from_page(url=ctx.tab.url, **{field: words}))
