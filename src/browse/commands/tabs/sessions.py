"""Sessions: browsers within the browser, each with cookies and tabs of its own."""

from typing import Annotated, Literal

from browse.core.errors import Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.params import SESSION
from browse.registry.results import Text
from browse.registry.spec import Group, Lane, command


@command(group=Group.TABS, scope=Scope.ROOT, lane=Lane.FREE)
async def session(
    ctx: Ctx,
    action: Literal["list", "close"] = "list",
    name: Annotated[str, SESSION] | None = None,
) -> Text:
    """List the sessions that are open, or close one with its tabs, cookies and logins.

    A session is made by using it: `--session <name>` with any command, or BROWSE_SESSION=<name> for
    all. It shares nothing with the others but the daemon.

    Examples:
        browse session list
        browse session close second-account
    """
    if action == "close":
        if not name:
            raise Usage("session close: no name is given", hint="browse session close <name>")
        count = await ctx.session.close_named(name)
        return Text(f"Closed session {name} ({count} tabs)", {"session": name, "tabs": count})
    if name:
        raise Usage("session list takes no name", hint="browse session list")
    usual = ctx.session.open_tabs
    rows = [{"session": "(usual)", "tabs": len(usual) if usual else 0}]
    rows += [{"session": it, "tabs": len(tabs)} for it, tabs in ctx.session.named().items()]
    lines = [f"{row['session']}  {row['tabs']} tabs" for row in rows]
    return Text("\n".join(lines), {"sessions": rows})
