"""The size of a tab's window."""

from typing import Annotated

from browse.browser.emulation import values
from browse.browser.emulation.emulation import ScreenMetrics
from browse.browser.page import scripts
from browse.browser.tabs.tab import Tab
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc, Param
from browse.registry.results import Text
from browse.registry.spec import Alias, ChangedTabs, Group, command

Size = Annotated[tuple[int, int], Param("WxH", lambda raw, _: values.parse_size(raw))]
Scale = Annotated[
    float, Param("n", lambda raw, _: values.parse_number(raw, *values.SCALES, "a scale"))
]


def _size(words: list[str]) -> list[str]:
    return ["x".join(words)] if len(words) == 2 and all(map(str.isdecimal, words)) else words


@command(
    group=Group.NETWORK,
    scope=Scope.WRITE,
    mutates=False,
    changes=lambda it: ChangedTabs.OWN if it["size"] or it["scale"] else ChangedTabs.NONE,
    aliases=("resize", "set-viewport", Alias("set viewport")),
    respell=_size,
)
async def viewport(
    ctx: Ctx,
    size: Annotated[Size | None, Doc("Width and height in CSS pixels.")] = None,
    *,
    scale: Annotated[Scale | None, Doc("Device pixels per CSS pixel, from 1 to 3.")] = None,
) -> Text:
    """Set the viewport size of the tab and of tabs opened later; without a size, print it.

    The page is not reloaded.

    Examples:
        browse viewport 375x812
        browse viewport 1280x720 --scale 2
        browse viewport
    """
    tab = ctx.tab
    asked = size is not None or scale is not None
    if asked:
        now = await _screen(tab)
        width, height = size or (now.width, now.height)
        tab.screen = ScreenMetrics(width, height, scale or tab.screen.scale, tab.screen.mobile)
        (await ctx.tabs()).emulation.screen = tab.screen
        _ = tab.frame  # raises if the tab has crashed; its next page gets the size
        await tab.emulate()
    now = await _screen(tab)
    facts = {"width": now.width, "height": now.height, "scale": now.scale}
    return Text(f"Viewport {'set to ' if asked else 'is '}{now}", facts)


async def _screen(tab: Tab) -> ScreenMetrics:
    """Return the size of the tab's page: the chosen one, or that of the window it is in."""
    if not tab.fits_window:
        return tab.screen
    shown = await scripts.VIEWPORT(tab.page.main_frame)
    return ScreenMetrics(int(shown.width), int(shown.height), shown.scale)
