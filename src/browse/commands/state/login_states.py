"""Login states: `login save` and `login use`, for a login that no form can repeat."""

from datetime import UTC, datetime
from typing import Annotated, Any

from browse.browser.storage.host_state import read_host_state, use_host_state
from browse.browser.storage.saved_state import SavedState
from browse.commands.state.logins import LOGIN, Name, shelf_of
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.guard.hosts import host_of, normal_host
from browse.guard.urls import check_foreign
from browse.registry.params import Doc, Param, Surroundings
from browse.registry.results import Text, inline_url
from browse.registry.spec import command

DEADLINE_S = 120.0


def _host(raw: str, _: Surroundings) -> str:
    try:
        return normal_host(raw)
    except ValueError:
        raise Usage(f"{raw[:60]!r} is not a host", hint="give it as shop.example") from None


Host = Annotated[str, Param("host", _host)]


@command(family=LOGIN, scope=Scope.ROOT, deadline=DEADLINE_S)
async def login_save(
    ctx: Ctx,
    name: Name,
    *,
    host: Annotated[
        tuple[Host, ...], Doc("Also take what belongs to this host; may be given several times.")
    ] = (),
) -> Text:
    """Keep the login state of the page's host: its cookies and storage, encrypted.

    For a login with more than a password: log in once, by hand if need be, and save it. It takes
    the cookies that are sent to the host, and nothing of other hosts.

    Examples:
        browse login save shop
        browse login save work --host login.work.example
    """
    hosts = list(dict.fromkeys([host_of(ctx.tab.url), *host]))
    if not hosts[0]:
        raise Usage("login save: this page has no host", hint="go to the site and log in first")
    now = datetime.now(UTC).isoformat(timespec="seconds")
    tabs = await ctx.tabs()
    state, notes = await read_host_state(tabs, ctx.tab, hosts, saved_at=now)
    if not (state.cookies or state.origins or state.pages[0].session_storage):
        raise BrowseError(
            Code.LOGIN,
            f"{', '.join(hosts)} has set no cookie and stored nothing, so there is no login state."
            " Nothing was saved.",
            hint="log in first; for another host add --host <host>",
        )
    key = await shelf_of(ctx).write("state", name, state)
    lines = [
        f"Login state {name} is saved: {contents(state)} of {', '.join(hosts)}",
        f"Its key is in {key.shown}",
        *(f"[note] {note}" for note in notes),
    ]
    facts = {"name": name, "hosts": hosts, **state_facts(state), "notes": notes}
    return Text("\n".join(lines), {**facts, "key": key.place})


@command(family=LOGIN, scope=Scope.ROOT, mutates=True, loads=1, deadline=DEADLINE_S)
async def login_use(ctx: Ctx, name: Name) -> Text:
    """Put a saved login state back, and open the page that it was saved on.

    Cookies and storage of other hosts stay as they are.

    Examples:
        browse login use shop
    """
    state = await shelf_of(ctx).read("state", name, SavedState)
    url = await check_foreign(state.pages[0].url)
    ctx.browser.sites.check(url.host)
    status, expired, notes = await use_host_state(await ctx.tabs(), ctx.tab, state, url)
    if expired:
        gone = counted(expired, "cookie")
        notes.append(f"{gone} expired since then: log in anew and save it again")
    shown = inline_url(ctx.tab.url, 2000)
    lines = [
        f"Login state {name} of {state.saved_at[:40]} is in use: {contents(state)}",
        f"Now at {shown} ({status or 'unknown'})",
        *(f"[note] {note}" for note in notes),
    ]
    facts = {"name": name, **state_facts(state), "expired": expired, "notes": notes}
    return Text("\n".join(lines), {**facts, "status": status, "page": {"url": ctx.tab.url}})


def contents(state: SavedState) -> str:
    """Say what a state holds."""
    facts = state_facts(state)
    told = [counted(facts["cookies"], "cookie"), counted(facts["stored"], "stored item")]
    if databases := facts["databases"]:
        told.append(counted(databases, "database"))
    return f"{', '.join(told[:-1])} and {told[-1]}"


def state_facts(state: SavedState) -> dict[str, Any]:
    """Count what a state holds."""
    stored = sum(len(it.get("localStorage", ())) for it in state.origins)
    stored += sum(map(len, state.pages[0].session_storage.values()))
    return {
        "cookies": len(state.cookies),
        "stored": stored,
        "databases": sum(len(it.get("indexedDB", ())) for it in state.origins),
        "savedAt": state.saved_at[:40],
    }
