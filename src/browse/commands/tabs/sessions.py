"""Sessions, each with its own cookies, logins and tabs."""

from typing import Annotated

from browse.core.scopes import Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.registry.params import SESSION
from browse.registry.results import Text
from browse.registry.spec import Alias, ChangedTabs, Family, Group, Lane, command

SESSIONS = Family(
    "session",
    Group.TABS,
    "List the open sessions, or close one with its tabs, cookies and logins.",
    """Using a session creates it: `--session <name>` with any command, or BROWSE_SESSION=<name> for
    all commands. Sessions share nothing but the daemon.
    """,
    default="list",
)


@command(family=SESSIONS, scope=Scope.ROOT, lane=Lane.FREE, aliases=(Alias("sessions"),))
async def session_list(ctx: Ctx) -> Text:
    """List the open sessions, with how many tabs each has.

    Examples:
        browse session list
    """
    usual = ctx.browser.open_tabs
    counts = {"(usual)": len(usual) if usual else 0}
    counts |= {name: len(tabs) for name, tabs in ctx.browser.named().items()}
    rows = [{"session": name, "tabs": count} for name, count in counts.items()]
    lines = [f"{name}  {counted(count, 'tab')}" for name, count in counts.items()]
    return Text("\n".join(lines), {"sessions": rows})


@command(
    family=SESSIONS, scope=Scope.ROOT, lane=Lane.FREE, changes=ChangedTabs.SESSION, destroys=True
)
async def session_close(ctx: Ctx, name: Annotated[str, SESSION]) -> Text:
    """Close a session with its tabs, cookies and logins.

    Examples:
        browse session close second-account
    """
    count = await ctx.browser.sessions.close(name)
    return Text(
        f"Closed session {name} ({counted(count, 'tab')})", {"session": name, "tabs": count}
    )
