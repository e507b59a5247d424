"""`view`: the live view of the running tabs."""

from typing import Annotated

from browse.auth.tickets import TicketKind
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
    access: AccessService,
) -> Text:
    """Show the running tabs to a person, in their own browser, and let them take over.

    Opens a page of the daemon on the person's desktop, or prints its address. The address works
    once, within five minutes. The person sees the tab as it changes, with or without a window of
    the browser itself. After "Take control" their mouse and keys go into the same page; agents can
    only read it until it is given back. Over ssh, the reply has the command to type at the person's
    own machine.

    Examples:
        browse view
        browse view --no-open
        browse view --tab-id 3 --json
    """
    tabs = await ctx.tabs()
    wanted = ctx.call.tab_id
    tab = tabs.find(wanted) if wanted else await tabs.current(ctx.call.caller)
    page = access.page(f"/view?tab={tab.id}", TicketKind.VIEW)
    opened = not no_open and await address.open_in_browser(ctx.settings, page)
    forward = address.forwarding(ctx.settings, page)
    lines = [f"Live view: {page}"]
    if opened:
        lines.append("It was opened in your browser.")
    if forward:
        lines.append(f"From the machine that you came from, first type: {forward}")
    lines.append("The address works once, within five minutes.")
    facts = {"url": page, "tabId": tab.id, "opened": opened, "forward": forward or None}
    return Text("\n".join(lines), facts, whole=True)
