"""`view`: the live view of the running tabs."""

from typing import Annotated

from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.dispatch.services import AccessService
from browse.registry.params import Doc
from browse.registry.results import Text
from browse.registry.spec import Group, Lane, command
from browse.view import address


@command(group=Group.PERSON, scope=Scope.ROOT, lane=Lane.FREE)
async def view(
    ctx: Ctx,
    *,
    no_open: Annotated[bool, Doc("Only print the address.")] = False,
    tunnel: Annotated[bool, Doc("Print an address that works through the open tunnel.")] = False,
    access: AccessService,
) -> Text:
    """Show the running tabs to a person, in their own browser, and let them take over.

    Opens a page of the daemon on the person's desktop, or prints its address. The address works
    once, within five minutes. The person sees the tab as it changes, with or without a window of
    the browser itself. After "Take control" their mouse and keys go into the same page; agents can
    only read it until it is given back. Over ssh, the reply has the command to type at the person's
    own machine. Whoever opens an address of --tunnel has your browser: send it only to yourself.

    Examples:
        browse view
        browse view --no-open
        browse view --tab-id 3 --json
        browse view --tunnel
    """
    tabs = await ctx.tabs()
    wanted = ctx.call.tab_id
    tab = tabs.find(wanted) if wanted else await tabs.current(ctx.call.caller)
    page = access.view_page(tab.id, remote=tunnel)
    opened = not (no_open or tunnel) and await address.open_in_browser(ctx.settings, page)
    forward = "" if tunnel else address.forwarding(ctx.settings, page)
    lines = [f"Live view: {page}"]
    if opened:
        lines.append("It was opened in your browser.")
    if forward:
        lines.append(f"From the machine that you came from, first type: {forward}")
    lines.append("The address works once, within five minutes.")
    facts = {"url": page, "tabId": tab.id, "opened": opened, "forward": forward or None}
    return Text("\n".join(lines), facts, whole=True)
