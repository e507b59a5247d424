"""`cleanup`: hide clutter on a page."""

from typing import Annotated

from browse.browser.actions.clutter import ALL_CLUTTER, hide_clutter, show_hidden
from browse.core.errors import Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc
from browse.registry.results import Text
from browse.registry.spec import Group, command

# What the script counts, and its name in replies; {} is the number.
CALLED = {
    "ads": "ads",
    "cookies": "cookie banners",
    "social": "social widgets",
    "overlays": "overlays",
    "clutter": "clutter",
    "sticky": "{} sticky/fixed elements",
    "locked": "scroll unlocked",
    "blurred": "{} blurred elements",
    "shortened": "{} shortened texts",
    "labels": "{} ad labels",
    "placeholders": "{} empty placeholders",
}


@command(group=Group.STYLE, scope=Scope.ADMIN, mutates=False)
async def cleanup(
    ctx: Ctx,
    *,
    ads: Annotated[bool, Doc("Ads, their labels and placeholders.")] = False,
    cookies: Annotated[bool, Doc("Cookie and consent banners.")] = False,
    sticky: Annotated[bool, Doc("Sticky and fixed elements.")] = False,
    social: Annotated[bool, Doc("Social media buttons to share and follow.")] = False,
    overlays: Annotated[bool, Doc("Paywalls, pop-ups, chat bubbles.")] = False,
    clutter: Annotated[bool, Doc("Related stories, newsletters, comments.")] = False,
    all: Annotated[bool, Doc("All of these; the default without flags.")] = False,
    undo: Annotated[bool, Doc("Show everything again that was hidden.")] = False,
) -> Text:
    """Hide ads, banners, overlays and the like, so that the page can be read.

    Nothing is removed: `--undo` shows it again. Scrolling that a banner had locked is enabled.
    Navigation and the page's main content stay.

    Examples:
        browse cleanup
        browse cleanup --ads --cookies
        browse cleanup --undo
    """
    asked = {
        "ads": ads, "cookies": cookies, "sticky": sticky,
        "social": social, "overlays": overlays, "clutter": clutter,
    }  # fmt: skip
    chosen = [name for name in ALL_CLUTTER if asked[name]]
    if undo:
        return await _undo(ctx, alone=not (chosen or all))
    groups = ALL_CLUTTER if all or not chosen else chosen
    found = await hide_clutter(ctx.tab, groups)
    hidden = [words.format(found[name]) for name, words in CALLED.items() if found.get(name)]
    line = f"Cleaned up: {', '.join(hidden)}" if hidden else "No clutter elements found to remove."
    return Text(line, {"groups": list(groups), "found": found})


async def _undo(ctx: Ctx, *, alone: bool) -> Text:
    if not alone:
        raise Usage(
            "cleanup: --undo undoes everything and cannot be combined with other flags",
            hint="run `browse cleanup --undo`, then clean up again",
        )
    restored = await show_hidden(ctx.tab)
    line = f"Put back {restored} elements." if restored else "There is nothing to put back."
    return Text(line, {"restored": restored})
