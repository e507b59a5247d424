"""Taking what is in the way off a page."""

from typing import Annotated

from browse.browser.actions.clutter import EVERYTHING, clean, restore
from browse.core.errors import Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc
from browse.registry.results import Text
from browse.registry.spec import Group, command

# What the script counts, as replies call it; {} is the number.
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
    ads: Annotated[bool, Doc("Advertisements, their labels and the room kept for them.")] = False,
    cookies: Annotated[bool, Doc("Cookie and consent banners.")] = False,
    sticky: Annotated[bool, Doc("What stays in place while the page scrolls.")] = False,
    social: Annotated[bool, Doc("Buttons to share and to follow.")] = False,
    overlays: Annotated[bool, Doc("Paywalls, pop-ups, chat bubbles.")] = False,
    clutter: Annotated[bool, Doc("Related stories, newsletters, comments.")] = False,
    all: Annotated[bool, Doc("All of these, as without a flag.")] = False,
    undo: Annotated[bool, Doc("Show again what was hidden.")] = False,
) -> Text:
    """Hide ads, banners, overlays and the like, so that the page can be read.

    Nothing is removed: `--undo` shows it again. The page may also scroll again where a banner had
    locked it. Navigation and the page's main part stay.

    Examples:
        browse cleanup
        browse cleanup --ads --cookies
        browse cleanup --undo
    """
    asked = {
        "ads": ads, "cookies": cookies, "sticky": sticky,
        "social": social, "overlays": overlays, "clutter": clutter,
    }  # fmt: skip
    chosen = [name for name in EVERYTHING if asked[name]]
    if undo:
        return await _undo(ctx, alone=not (chosen or all))
    groups = EVERYTHING if all or not chosen else chosen
    found = await clean(ctx.tab, groups)
    told = [words.format(found[name]) for name, words in CALLED.items() if found.get(name)]
    line = f"Cleaned up: {', '.join(told)}" if told else "No clutter elements found to remove."
    return Text(line, {"groups": list(groups), "found": found})


async def _undo(ctx: Ctx, *, alone: bool) -> Text:
    if not alone:
        raise Usage(
            "cleanup: --undo takes everything back and goes with no other flag",
            hint="browse cleanup --undo, then clean again what you want",
        )
    restored = await restore(ctx.tab)
    line = f"Put back {restored} elements." if restored else "There is nothing to put back."
    return Text(line, {"restored": restored})
