"""`dashboard`: the page with everything at a glance."""

from typing import Annotated

from browse.auth.tickets import TicketKind
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.dispatch.services import AccessService
from browse.registry.params import Doc
from browse.registry.results import Text
from browse.registry.spec import Group, Lane, command
from browse.view import address


@command(group=Group.SERVER, scope=Scope.ROOT, lane=Lane.FREE)
async def dashboard(
    ctx: Ctx,
    *,
    no_open: Annotated[bool, Doc("Only print the address; do not open it.")] = False,
    access: AccessService,
) -> Text:
    """Open a page that shows tabs, agents, activity, security and memory, live.

    Prints its address, and opens it where there is a desktop. The address works once, within five
    minutes. Over ssh, the reply has the command to type at your own machine.

    Examples:
        browse dashboard
        browse dashboard --no-open
    """
    page = access.page("/", TicketKind.DASHBOARD)
    opened = not no_open and await address.open_in_browser(ctx.settings, page)
    forward = address.forwarding(ctx.settings, page)
    lines = [f"Dashboard: {page}"]
    if opened:
        lines.append("It was opened in your browser.")
    if forward:
        lines.append(f"From the machine that you came from, first type: {forward}")
    lines.append("The address works once, within five minutes.")
    facts = {"url": page, "opened": opened, "forward": forward or None}
    return Text("\n".join(lines), facts, whole=True)
