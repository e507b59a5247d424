"""`extension`: the side panel for the person's own Chrome."""

import asyncio
from urllib.parse import urlsplit

from browse.auth.tickets import CODE_S, TicketKind
from browse.core.extension_id import ID, copy_extension, extension_folder
from browse.core.paths import Paths
from browse.core.scopes import Scope
from browse.dispatch.access import Access
from browse.dispatch.context import Ctx
from browse.dispatch.services import AccessService
from browse.registry.results import Text
from browse.registry.spec import Family, Group, Lane, command

EXTENSION = Family(
    "extension",
    Group.SERVER,
    "Use the side panel in your own Chrome.",
    """The agent's own window has the side panel by itself. In your Chrome it shows notes and
    commands as they run; it cannot look into your own tabs.
    """,
)


@command(family=EXTENSION, scope=Scope.ROOT, lane=Lane.FREE)
async def extension_path(ctx: Ctx) -> Text:
    """Print the folder of the extension.

    Examples:
        browse extension path
    """
    folder = extension_folder()
    return Text(str(folder), {"path": str(folder), "id": ID}, whole=True)


@command(family=EXTENSION, scope=Scope.ROOT, lane=Lane.FREE)
async def extension_install(ctx: Ctx, *, access: AccessService) -> Text:
    """Copy the extension to a folder that stays, and say how to load and pair it.

    Examples:
        browse extension install
    """
    folder = await asyncio.to_thread(copy_extension, Paths.of(ctx.settings).extension)
    code, port = _code(access)
    lines = [
        f"Copied to {folder}",
        "1. Open chrome://extensions and turn on Developer mode.",
        f"2. Press Load unpacked and choose {folder}",
        "3. Press Ctrl+Shift+Y (Command+Shift+Y on a Mac): the side panel opens.",
        f"4. Type there: port {port}, code {code}",
        f"The code works once, for {CODE_S // 60} minutes; `browse extension pair` gives another.",
    ]
    return Text("\n".join(lines), {"path": str(folder), "port": port, "code": code}, whole=True)


@command(family=EXTENSION, scope=Scope.ROOT, lane=Lane.FREE)
async def extension_pair(ctx: Ctx, *, access: AccessService) -> Text:
    """Print a port and a one-time code for a side panel in your own Chrome.

    Examples:
        browse extension pair
    """
    code, port = _code(access)
    line = f"port {port}, code {code} (works once, for {CODE_S // 60} minutes)"
    return Text(line, {"port": port, "code": code}, whole=True)


def _code(access: Access) -> tuple[str, int]:
    return access.tickets.code(TicketKind.EXTENSION), urlsplit(access.local_url).port or 0
