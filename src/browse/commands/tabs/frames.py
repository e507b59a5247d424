"""`frame`: choose the frame that commands read and act in."""

from typing import Annotated

from browse.browser.elements import frames
from browse.core.errors import Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc, Selector
from browse.registry.results import Text, from_page, inline_url
from browse.registry.spec import ChangedTabs, Group, command

MAIN = "main"


@command(group=Group.TABS, scope=Scope.META, changes=ChangedTabs.ASIDE)
async def frame(
    ctx: Ctx,
    target: Annotated[
        Selector | None, Doc("The frame's element, or `main` for the whole page.")
    ] = None,
    *,
    name: Annotated[str | None, Doc("The frame with this name.")] = None,
    url: Annotated[
        str | None, Doc("The frame whose URL contains this.", metavar="substring")
    ] = None,
) -> Text:
    """Choose the frame of the tab in which later commands look for selectors.

    Applies until `frame main`, or until the page navigates. Inside a frame, a selector finds the
    frames in it. Refs of `snapshot` work in every frame without this.

    Examples:
        browse frame 'iframe.checkout'
        browse frame @e7
        browse frame --name editor
        browse frame --url pay.example.com
        browse frame main
    """
    if sum(given is not None for given in (target, name, url)) != 1 or "" in (name, url):
        raise Usage(
            "frame: give either a target, --name or --url",
            hint="browse frame <selector|@ref|main>, or --name <name>, or --url <substring>",
        )
    if target == MAIN:
        ctx.tab.choose(None)
        return Text("Switched to main frame", {"frame": MAIN, **from_page(url=ctx.tab.url)})
    if name is not None:
        chosen = frames.frame_by_name(ctx.tab, name)
    elif url is not None:
        chosen = frames.frame_by_url(ctx.tab, url)
    else:
        word = str(target)
        holder = await ctx.find(word, anyway=True)
        chosen = await frames.frame_in_element(ctx.tab, word, holder)
    ctx.tab.choose(chosen)
    return Text(
        f"Switched to frame: {inline_url(chosen.url, 2000)}",
        {"frame": "inner", **from_page(name=chosen.name, url=chosen.url)},
    )
