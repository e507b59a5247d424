"""How long a page took to load."""

from browse.browser.page.scripts import LOADING_TIMES
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.results import Text
from browse.registry.spec import Group, command


@command(group=Group.INSPECTION, scope=Scope.READ)
async def perf(ctx: Ctx) -> Text:
    """Show how long the parts of loading the page took, and when it was painted.

    `fcp` is the first paint with content, `lcp` that of the largest element so far, `cls` how much
    the layout has shifted; they are left out where the browser does not know them.

    Examples:
        browse perf
        browse perf --json
    """
    times = await LOADING_TIMES(ctx.tab.frame)
    if times is None:
        return Text("No navigation timing data available.", {"timing": None})
    lines = [
        f"{name:<12} {value:.3f}" if name == "cls" else f"{name:<12} {round(value)}ms"
        for name, value in times.items()
    ]
    return Text("\n".join(lines), {"timing": times})
