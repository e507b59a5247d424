"""Commands that list, switch, open and close tabs."""

import asyncio
import time
from typing import Annotated, Any

import msgspec

from browse.auth.terms import Terms, client_name
from browse.browser.driver_errors import NotAPage
from browse.browser.tabs import lending
from browse.browser.tabs.not_yours import INTERNAL, refuse_if_held
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.core.controls import encode_json
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import ANYWHERE, Reach, Scope
from browse.core.text import cut
from browse.dispatch.arrival import arrived
from browse.dispatch.context import Ctx
from browse.dispatch.known_address import remember_told
from browse.dispatch.services import AccessService, ArrivalService, HoldsService
from browse.guard.credentials import masked
from browse.guard.domains import covers
from browse.guard.hosts import host_of
from browse.guard.urls import NavUrl
from browse.notes.host import page_host
from browse.registry.params import AllowedDomains, Doc, Param, Secret, TabId, Url
from browse.registry.results import PageText, Relayed, Text, from_page, inline_url
from browse.registry.spec import Alias, ChangedTabs, Group, Lane, command, declared
from browse.registry.table import CommandTable
from browse.view.holds import Holds

MAX_URL_CHARS = 500  # fifty of them fit into a reply
Client = Annotated[str, Param("agent", lambda raw, _: client_name(raw))]


@command(
    group=Group.TABS,
    scope=Scope.READ,
    surfaces=ANYWHERE,
    lane=Lane.FREE,
    reach=Reach.OWN,
    aliases=("tab-list", Alias("tab list"), Alias("tabs list")),
)
async def tabs(ctx: Ctx, *, holds: HoldsService) -> PageText:
    """List the open tabs; → marks the current one. Says which a person or another agent has.

    For a tab that the caller may not see, only its number and owner are listed. Works even while a
    page is busy or a dialog is open. In a browser that is not browse's own (`--cdp`), the person's
    tabs are listed too: `browse tab <id> --take` takes one.

    Examples:
        browse tabs
        browse tabs --json
    """
    known = await ctx.tabs()
    if ctx.call.caller.is_owner:
        await known.current(ctx.call.caller)
    current = known.leases.of(ctx.call.caller.holder)
    rows = await asyncio.gather(*(_row(ctx, known, tab, current, holds) for tab in known.all()))
    rows += await _others(ctx, known)
    lines = [_line(row, holds) for row in rows]
    data: dict[str, Any] = {"tabs": rows}
    if known.popups_closed:
        lines.append(f"({known.popups_closed} popups beyond the limit of tabs were closed)")
        data["popupsClosed"] = known.popups_closed
    return PageText("\n".join(lines), "tabs", data)


async def _row(ctx: Ctx, known: Tabs, tab: Tab, current: int, holds: Holds) -> dict[str, Any]:
    if not ctx.sees(tab):
        return {"id": tab.id, "owner": tab.owner or "the owner of the browser"}
    answers = await tab.refresh_title()
    row = {
        "id": tab.id,
        "current": tab.id == current,
        "crashed": tab.crashed,
        **({"flooded": True} if tab.flooded else {}),
        **({} if answers or tab.crashed else {"busy": True}),
        **from_page(title=" ".join(tab.last_title.split()), url=cut(tab.url, MAX_URL_CHARS)),
    }
    if hold := holds.of(tab.id):
        row["person"] = holds.facts(hold)
    holder = tab.owner or known.leases.other(tab.id, ctx.call.caller.holder)
    return {**row, "heldBy": holder} if holder and holder != ctx.call.caller.holder else row


async def _others(ctx: Ctx, known: Tabs) -> list[dict[str, Any]]:
    """List the tabs of a browser that are not ours; only the owner sees them."""
    if known.others is None or not ctx.call.caller.is_owner:
        return []
    return [
        {
            "id": id,
            "current": False,
            "crashed": False,
            "theirs": True,
            **from_page(title=" ".join(it.title.split()), url=cut(it.url, MAX_URL_CHARS)),
        }
        for id, it in (await known.others.all()).items()
    ]


def _line(row: dict[str, Any], holds: Holds) -> str:
    if "page" not in row:
        return f"  [{row['id']}] (tab of {row['owner']})"
    title = row["page"]["title"] or ("" if "busy" in row else "(untitled)")
    if row["crashed"]:
        title = "(closed: it flooded the browser)" if "flooded" in row else "(crashed)"
    elif "busy" in row:
        title = f"{title} (does not answer)".strip()
    held = f" (held by {row['heldBy']})" if "heldBy" in row else ""
    if "theirs" in row:
        held = f" (the person's: `browse tab {row['id']} --take`)"
    if hold := holds.of(row["id"]):
        held += f" (a person has it, {holds.told(hold)})"
    return f"{'→' if row['current'] else ' '} [{row['id']}] {title} — {row['page']['url']}{held}"


@command(
    group=Group.TABS,
    scope=Scope.META,
    lane=Lane.FREE,
    reach=Reach.OWN,
    changes=ChangedTabs.ASIDE,
    aliases=("tab-select", "switch", Alias("tab select"), Alias("tab switch")),
)
async def tab(
    ctx: Ctx,
    id: TabId,
    *,
    take: Annotated[
        bool, Doc("Take it even if another agent works in it, it was lent, or it is the person's.")
    ] = False,
    lend: Annotated[Client | None, Doc("Lend it to this paired agent instead.")] = None,
    access: AccessService,
    holds: HoldsService,
) -> Text:
    """Switch to another tab, or lend one to a paired agent.

    Every agent and every terminal has its own current tab (BROWSE_AGENT names an agent); others
    share one, and are told what was done in it meanwhile. A tab that is lent is the agent's until
    you take it back: it may read it and, as its rights allow, act there. In a window the tab comes
    to the front, unless a person has a tab.

    Examples:
        browse tab 2
        browse tab 2 --take
        browse tab 2 --lend reader
    """
    known = await ctx.tabs()
    if lend:
        return await _lend(ctx, known.find(id), access.terms_of(lend))
    if take and ctx.call.caller.is_owner:
        await known.take_other(id)
    if take:
        lending.take_back(known, known.find(id), ctx.call.caller)
    refuse_if_held(known.leases, id, ctx.call.caller)
    known.switch(ctx.call.caller, known.find(id))
    if not holds.all():  # nothing comes before what a person is doing
        await ctx.browser.show(known.find(id))
    return Text(f"Switched to tab {id}", {"tabId": id})


async def _lend(ctx: Ctx, tab: Tab, terms: Terms) -> Text:
    if not ctx.call.caller.is_owner:
        raise BrowseError(
            Code.SCOPE, "Only the owner may lend a tab.", hint="open one of your own: newtab"
        )
    if terms.domains and not covers(terms.domains, host_of(tab.url)):
        raise BrowseError(
            Code.URL_REFUSED,
            f"The token of {terms.client} does not cover the page in tab {tab.id}.",
            hint=f"it covers: {', '.join(terms.domains)}; go there first",
        )
    await lending.lend(await ctx.tabs(), tab, terms)
    line = f"Lent tab {tab.id} to {terms.client}; `browse tab {tab.id} --take` takes it back."
    return Text(line, {"tabId": tab.id, "lentTo": terms.client})


@command(
    group=Group.TABS,
    scope=Scope.WRITE,
    surfaces=ANYWHERE,
    lane=Lane.FREE,
    reach=Reach.OWN,
    mutates=False,
    navigates=True,
    loads=1,
    aliases=("tab-new", "new-tab", Alias("tab new"), Alias("tabs new")),
)
async def newtab(
    ctx: Ctx,
    url: Url | None = None,
    *,
    allowed_domains: AllowedDomains = None,
    arrival: ArrivalService,
) -> Text:
    """Open a new tab and switch to it; open a URL in it if one is given, as `goto` does.

    Examples:
        browse newtab
        browse newtab https://example.com --json
    """
    began, status = time.time(), None
    tabs = await ctx.tabs()
    opened = await tabs.open(ctx.call.caller)
    await ctx.limit(opened, allowed_domains)
    if url:
        async with opened.lock.hold("newtab"):
            status = await _opened(tabs, opened, url)
    arrow = f" → {inline_url(str(url), 2000)} ({status or 'unknown'})" if url else ""
    warnings = ctx.warnings(url.host, host_of(opened.url)) if url else []
    notes = await arrival.shown(ctx.call.caller, "", page_host(opened.url))
    reply = await arrived(
        opened,
        f"Opened tab {opened.id}{arrow}",
        str(url) if url else "",
        notes,
        warnings=warnings + ctx.blocked(opened, began),
        facts={"tabId": opened.id, "url": str(url) if url else None, "status": status},
    )
    remember_told(opened, ctx.call.caller.holder, reply)
    return reply


async def _opened(tabs: Tabs, tab: Tab, url: NavUrl) -> int | None:
    """Open an address in a new tab; close that again if it is a download, and so no page."""
    try:
        return await tab.open(url)
    except NotAPage as exc:
        await tabs.close(tab)
        raise NotAPage("The address is a download, not a page; no tab was opened.") from exc


@command(
    group=Group.TABS,
    scope=Scope.WRITE,
    surfaces=ANYWHERE,
    lane=Lane.FREE,
    reach=Reach.OWN,
    mutates=False,
    changes=ChangedTabs.OWN,
    destroys=True,
    aliases=("tab-close", "close-tab", Alias("tab close"), Alias("tabs close")),
    navigates=True,
)
async def closetab(ctx: Ctx, id: TabId | None = None) -> Text:
    """Close a tab: the given one, or the current one. The last tab is replaced by a blank one.

    Examples:
        browse closetab
        browse closetab 3
    """
    known = await ctx.tabs()
    chosen = id or ctx.call.tab_id
    closing = known.find(chosen) if chosen else await known.current(ctx.call.caller)
    known.deeds.add_silent(ctx.call.caller, "closetab", closing.id)
    await known.close(closing)
    return Text(f"Closed tab {closing.id}", {"tabId": closing.id})


@command(
    group=Group.TABS,
    scope=Scope.ROOT,
    name="tab-each",
    lane=Lane.FREE,
    runs_words=True,
    deadline=None,
)
async def tab_each(ctx: Ctx, command: str, *words: Secret) -> Relayed:
    """Run a command in every tab in parallel, and print the results as a JSON array.

    Flags after the command are that command's. With --json before it, the array is the field
    `results` of an object.

    Examples:
        browse tab-each text
        browse tab-each snapshot -i
        browse tab-each text --max-chars 200
        browse tab-each --json js 'document.title'
    """
    if command == "tab-each":
        raise Usage(
            "tab-each: it cannot run itself", hint="Usage: browse tab-each <command> [words…]"
        )
    CommandTable(declared()).split((command, *words))
    known = await ctx.tabs()
    rows = await asyncio.gather(*(_run_on(ctx, tab, (command, *words)) for tab in known.all()))
    data = {
        "command": command,
        "args": list(words),
        "total": len(rows),
        "results": rows,
    }
    return Relayed(msgspec.json.format(encode_json(rows), indent=2).decode(), data)


async def _run_on(ctx: Ctx, tab: Tab, words: tuple[str, ...]) -> dict[str, Any]:
    shown = str if ctx.reveal else masked
    await tab.refresh_title()
    about = {"tabId": tab.id, "url": shown(tab.url), "title": shown(tab.last_title)}
    untrusted = {"untrusted": ["url", "title", "output"]}
    if tab.url.startswith(INTERNAL):
        return {**about, "status": 0, "output": "skipped: internal page", **untrusted}
    step = await ctx.run(ctx.call.inner(words, within="tab-each", tab_id=tab.id))
    status = step.error.status if step.error else 200
    return {**about, "status": status, "output": step.output.text, **untrusted}
