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
    return await address.told(ctx.settings, "Dashboard", page, opens=not no_open)
