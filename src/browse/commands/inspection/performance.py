"""`perf`: how long a page took to load."""

from browse.browser.page.scripts import LOADING_TIMES
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.results import Text
from browse.registry.spec import Group, command


@command(group=Group.INSPECTION, scope=Scope.READ)
async def perf(ctx: Ctx) -> Text:
    """Show the load times of the page, and its paint metrics (FCP, LCP, CLS).

    `fcp` is the first contentful paint, `lcp` the largest contentful paint so far, `cls` the
    cumulative layout shift; each is left out if the browser does not report it.

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
