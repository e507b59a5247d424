"""Show the browser in a window, and go back to none."""

from typing import Annotated

from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.params import Doc
from browse.registry.results import Text, from_page, inline_url
from browse.registry.spec import ChangedTabs, Group, Lane, command

# Starting a browser, and loading every tab in it.
DEADLINE_S = 90.0


@command(
    group=Group.SERVER,
    scope=Scope.CONTROL,
    lane=Lane.FREE,
    changes=ChangedTabs.ALL,
    deadline=DEADLINE_S,
    loads=1,
)
async def connect(
    ctx: Ctx,
    *,
    supervise: Annotated[
        bool, Doc("Stay, and open the window again if it is lost, until Ctrl-C.")
    ] = False,
    display: Annotated[
        str, Doc("X display to open it on; default that of the terminal, else a virtual one.")
    ] = "",
    xauthority: Annotated[str, Doc("File with the display's cookie; default as above.")] = "",
) -> Text:
    """Show the browser in a window, in which a person can watch and take part.

    The tabs move there with their numbers, logins, storage, scroll positions and what was typed;
    their pages are loaded again, so take a new snapshot. Without a display, a virtual one is used
    (Xvfb). If it fails, the browser stays as it was.

    With `--cdp <address>` browse attaches to a browser that runs, instead of starting one: a port,
    an http address, or the ws address of its DevTools. If that browser was closed, `connect`
    attaches again.

    Examples:
        browse connect
        browse connect --supervise
        browse connect --display :0
    """
    if ctx.browser.mode == "cdp":
        return await _attach(ctx)
    from browse.browser.window.switch import open_window  # nobody else needs it

    asked = {"DISPLAY": display, "XAUTHORITY": xauthority} if display else {}
    notes = await open_window(ctx.browser, ctx.call.caller, display=asked)
    tabs = await ctx.tabs()
    url = (await tabs.current(ctx.call.caller)).url
    facts = {"connected": True, "mode": ctx.browser.mode, "tabs": len(tabs), "notes": notes or []}
    first = "Already connected in headed mode." if notes is None else "Connected to real Chrome"
    lines = [
        first,
        f"Mode: {ctx.browser.mode}",
        f"URL: {inline_url(url, 2000)}",
        f"Tabs: {len(tabs)}",
        *(f"[note] {note}" for note in notes or []),
    ]
    return Text("\n".join(lines), {**facts, **from_page(url=url)})


async def _attach(ctx: Ctx) -> Text:
    """Say to which browser we are attached; attach again if it was lost."""
    from browse.browser.attach.again import attach_again  # as above

    again = await attach_again(ctx.browser)
    tabs = await ctx.tabs()
    url = (await tabs.current(ctx.call.caller)).url
    found = ctx.browser.attachment
    to = f"{found.endpoint} ({found.product})" if found else ""
    lines = [
        f"Attached {'again ' if again else ''}to {to}",
        f"Mode: {ctx.browser.mode}",
        f"URL: {inline_url(url, 2000)}",
        f"Tabs: {len(tabs)}",
    ]
    facts = {"connected": True, "mode": ctx.browser.mode, "tabs": len(tabs), "again": again}
    return Text("\n".join(lines), {**facts, "notes": [], **from_page(url=url)})


@command(
    group=Group.SERVER,
    scope=Scope.CONTROL,
    lane=Lane.FREE,
    changes=ChangedTabs.ALL,
    deadline=DEADLINE_S,
    loads=1,
)
async def disconnect(ctx: Ctx) -> Text:
    """Close the window and go on without one; tabs, logins and what was typed move along.

    Examples:
        browse disconnect
    """
    if ctx.browser.mode == "cdp":
        text = "Attached to a browser, without a window of our own. `browse stop` lets go of it."
        return Text(text, {"disconnected": False, "mode": ctx.browser.mode, "notes": []})
    from browse.browser.window.switch import close_window  # nobody else needs it

    notes = await close_window(ctx.browser)
    if notes is None:
        text = "Not in headed mode — nothing to disconnect."
        return Text(text, {"disconnected": False, "mode": ctx.browser.mode, "notes": []})
    lines = ["Disconnected from real browser.", *(f"[note] {note}" for note in notes)]
    facts = {"disconnected": True, "mode": ctx.browser.mode, "notes": notes}
    return Text("\n".join(lines), facts)
