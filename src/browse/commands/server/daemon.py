"""`status`, `stop` and `restart` of the daemon."""

import os
from collections.abc import Mapping
from typing import Annotated, Any

import browse
from browse.browser.process.browser import Browser
from browse.browser.process.launch import environ_proxy
from browse.core.scopes import Reach, Scope
from browse.dispatch.context import Ctx
from browse.dispatch.services import HoldsService, LifeService
from browse.registry.params import Doc
from browse.registry.results import Text, from_page, inline_url
from browse.registry.spec import ChangedTabs, Group, Lane, command

Force = Annotated[bool, Doc("Do it even if a person has a tab, who loses what they were doing.")]

NOT_QUIET = "not in force: pages notice who reads their console, as this driver is not as expected"


def _ends(values: Mapping[str, Any]) -> ChangedTabs:
    return ChangedTabs.NONE if values["force"] else ChangedTabs.ALL


@command(group=Group.SERVER, scope=Scope.READ, lane=Lane.FREE, reach=Reach.OWN)
async def status(ctx: Ctx, *, life: LifeService, holds: HoldsService) -> Text:
    """Show whether the daemon is healthy, its mode, address, number of tabs and process id.

    Also which tabs a person has, since when, and why.

    The mode is `launched` without a window, `headed` in one (`browse connect`), and `cdp` if browse
    is attached to a browser that is not its own (`--cdp`). Then it also says which browser that is,
    and which rules do not hold in it.

    Never starts a daemon and never waits for a page.

    Examples:
        browse status
        browse status --json
    """
    tabs = ctx.browser.open_tabs
    health = _health(ctx.browser)
    owner = ctx.call.caller.is_owner
    url = (await tabs.current(ctx.call.caller)).url if tabs and owner else "about:blank"
    facts = {
        "status": health,
        "mode": ctx.browser.mode,
        "tabs": len(tabs) if tabs else 0,
        "pid": os.getpid(),
    }
    lines = [
        f"Status: {health}",
        f"Mode: {facts['mode']}",
        f"URL: {inline_url(url, 2000)}",
        f"Tabs: {facts['tabs']}",
        f"PID: {facts['pid']}",
    ]
    if owner and ctx.settings.profile and ctx.browser.mode == "launched":
        facts["profile"] = ctx.settings.profile
        lines.append(f"Profile: {ctx.settings.profile}")
    if owner and (way := _way_out(ctx.browser)):
        lines.append(f"Proxy: {way}")
    quiet = ctx.browser.is_quiet if owner and ctx.settings.stealth else None
    if quiet is not None:
        lines.append(f"Stealth: {'on' if quiet else NOT_QUIET}")
    attached = _attached(ctx.browser)
    if attached:
        product = f" ({attached['browser']})" if attached["browser"] else ""
        lines.append(f"Attached: {attached['endpoint']}{product}")
        lines += [f"Not in force: {it['rule']}: {it['why']}" for it in attached["notInForce"]]
    held = [it for it in holds.all() if ctx.sees(it.tab)]
    lines += [f"Person: has tab {it.tab.id}, {holds.told(it)}" for it in held]
    rows = [{"tabs": [tab.id for tab in it.tabs], **holds.facts(it)} for it in held]
    more = {
        "person": rows,
        "proxy": (_way_out(ctx.browser) or None) if owner else None,
        "stealth": quiet,
        "attached": attached,
        "version": browse.__version__,
        "uptime": int(life.uptime_s()),
    }
    return Text("\n".join(lines), {**facts, **more, **from_page(url=url)})


def _way_out(browser: Browser) -> str:
    """Describe the proxy behind ours, or instead of ours; "" without one."""
    if upstream := browser.upstream:
        login = "with a login; " if upstream.proxy.login else ""
        names = "it looks up host names" if upstream.looks_up else "host names are looked up here"
        return f"{upstream.proxy} ({login}{names})"
    if environ_proxy(browser.settings):
        return "from the environment (HTTPS_PROXY or ALL_PROXY): address rules hold for arguments"
    return ""


def _health(browser: Browser) -> str:
    if browser.is_lost:
        return "lost"
    return "healthy" if browser.is_up else "starting"


def _attached(browser: Browser) -> dict[str, Any] | None:
    """Return what is known of a browser that is not ours, and what does not hold in it."""
    if (found := browser.attachment) is None:
        return None
    rules = [{"rule": rule, "why": why} for rule, why in found.not_in_force]
    return {"endpoint": found.endpoint, "browser": found.product, "notInForce": rules}


@command(group=Group.SERVER, scope=Scope.CONTROL, lane=Lane.FREE, changes=_ends, destroys=True)
async def stop(ctx: Ctx, *, force: Force = False, life: LifeService) -> Text:
    """Stop the daemon and close its browser. Succeeds if none is running.

    The next daemon starts without the options of this one, such as `--proxy`. A browser that browse
    is attached to (`--cdp`) stays as it is; only the tabs that browse opened there are closed.

    Examples:
        browse stop
    """
    life.stop_soon("asked to stop", forget=True)
    return Text("Server stopped", {"stopped": True})


@command(group=Group.SERVER, scope=Scope.CONTROL, lane=Lane.FREE, changes=_ends, destroys=True)
async def restart(ctx: Ctx, *, force: Force = False, life: LifeService) -> Text:
    """Stop the daemon and start a new one; tabs, cookies and logins are discarded.

    With BROWSE_PERSIST_STATE=1 they are there again. The new one has the start options of the old
    one, such as `--proxy`, unless others are given: `browse restart --proxy off`. One that was
    attached to a browser (`--cdp`) attaches to it again.

    Over HTTP it only stops: the next command starts the new one.

    Examples:
        browse restart
    """
    life.stop_soon("asked to restart")
    return Text("Restarting...", {"stopped": True})
