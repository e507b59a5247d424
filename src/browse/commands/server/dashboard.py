"""`dashboard`: the page with everything at a glance."""

from typing import Annotated

from browse.auth.tickets import CODE_S, TicketKind
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.dispatch.services import AccessService
from browse.registry.params import Doc
from browse.registry.results import Text
from browse.registry.spec import Group, Lane, command


@command(group=Group.SERVER, scope=Scope.ROOT, lane=Lane.FREE, opens_page=True)
async def dashboard(
    ctx: Ctx,
    *,
    no_open: Annotated[bool, Doc("Only print the address; do not open it.")] = False,
    access: AccessService,
) -> Text:
    """Open a page that shows tabs, agents, activity, security and memory, live.

    Prints its address, and opens it where there is a desktop. The address works once, for five
    minutes. Elsewhere, forward the port (`ssh -L`) and open the address there.

    Examples:
        browse dashboard
        browse dashboard --no-open
    """
    address = access.page("/", TicketKind.DASHBOARD)
    lines = f"Dashboard: {address}\nThe address works once, within {CODE_S // 60} minutes."
    return Text(lines, {"url": address, "validSeconds": CODE_S}, whole=True)
