"""Save logins, storage and tabs under a name, and load them."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Any

from browse.browser.storage import saved_state
from browse.browser.storage.saved_state import BLANK, SavedState
from browse.browser.storage.state_file import StateFolder, checked_name
from browse.core.errors import BrowseError
from browse.core.paths import Paths
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard.urls import NavUrl, check_foreign, check_url
from browse.registry.params import Param
from browse.registry.results import Text
from browse.registry.spec import ChangedTabs, Family, Group, Lane, command

DEADLINE_S = 120.0
WARNING = "[warning] it holds cookies and logins in plain text; remove it with `browse state rm {}`"
Name = Annotated[str, Param("name", checked_name, names="states")]
STATE = Family(
    "state",
    Group.STATE,
    "Save cookies, storage and tabs under a name, or load them again.",
    """A state has cookies, localStorage, IndexedDB, the session storage of each tab, and the tabs'
    addresses. Pages of `load-html` are not saved.
    """,
)


@command(
    family=STATE, scope=Scope.CONTROL, lane=Lane.FREE, deadline=DEADLINE_S, changes=ChangedTabs.NONE
)
async def state_save(ctx: Ctx, name: Name) -> Text:
    """Save the present state under a name. No other command runs meanwhile.

    Examples:
        browse state save logged-in
    """
    tabs = await ctx.tabs()
    async with tabs.lock.alone():
        current = await tabs.current(ctx.call.caller)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        taken, notes = await saved_state.read_state(tabs, current, _admit(ctx), saved_at=now)
    path = await asyncio.to_thread(_shelf(ctx).write, name, taken)
    lines = [f"State saved: {path} ({_counted(taken)})", WARNING.format(name)]
    facts = {"path": str(path), **_facts(taken), "notes": notes}
    return Text("\n".join([*lines, *(f"[note] {note}" for note in notes)]), facts)


@command(
    family=STATE,
    scope=Scope.CONTROL,
    lane=Lane.FREE,
    deadline=DEADLINE_S,
    mutates=True,
    loads=1,
    destroys=True,
)
async def state_load(ctx: Ctx, name: Name) -> Text:
    """Replace all tabs, cookies and storage with those of a saved state.

    Cookies and storage are set before the tabs load. A file that cannot be used changes nothing. No
    other command runs meanwhile.

    Examples:
        browse state load logged-in
    """
    tabs = await ctx.tabs()
    saved = await asyncio.to_thread(_shelf(ctx).read, name)
    saved.pages = saved.pages or [saved_state.SavedTab(BLANK, is_active=True)]
    urls = await _admitted(ctx, saved)
    async with tabs.lock.alone():
        await saved_state.require_restorable(tabs, saved)
        lost = await saved_state.restore_state(tabs, ctx.call.caller, saved, urls)
    notes = [f"tab {tab.id} did not load; `browse reload --tab-id {tab.id}`" for tab in lost]
    return Text(
        "\n".join([f"State loaded: {_counted(saved)}", *(f"[note] {note}" for note in notes)]),
        {**_facts(saved), "savedAt": saved.saved_at[:40], "notes": notes},
    )


@command(family=STATE, scope=Scope.CONTROL, lane=Lane.FREE, changes=ChangedTabs.NONE)
async def state_list(ctx: Ctx) -> Text:
    """List the saved states, with date and contents.

    Examples:
        browse state list
    """
    return await asyncio.to_thread(_list, _shelf(ctx))


@command(family=STATE, scope=Scope.CONTROL, lane=Lane.FREE, destroys=True, changes=ChangedTabs.NONE)
async def state_rm(ctx: Ctx, name: Name) -> Text:
    """Remove a saved state.

    Examples:
        browse state rm logged-in
    """
    await asyncio.to_thread(_shelf(ctx).remove, name)
    return Text(f"State removed: {name}", {"name": name})


def _shelf(ctx: Ctx) -> StateFolder:
    return StateFolder(Paths.of(ctx.settings).saved_states)


async def _admitted(ctx: Ctx, saved: SavedState) -> list[NavUrl | None]:
    """Check the addresses of the tabs; raise if one is refused."""
    admit = _admit(ctx)
    try:
        return [None if page.url == BLANK else await admit(page.url) for page in saved.pages]
    except BrowseError as exc:
        raise BrowseError(
            exc.code,
            "A tab of this state leads where no tab may go; nothing was changed.",
            hint="save the state again without that tab",
            page=exc.page or exc.message,
        ) from exc


def _admit(ctx: Ctx) -> saved_state.Admit:
    """Return the check of addresses: the web, and files that the caller may read."""
    roots = ctx.files.of(ctx.call.caller).reads

    async def admit(url: str) -> NavUrl:
        if url.startswith("file:"):
            return check_url(url, cwd="/", roots=roots)
        return await check_foreign(url)

    return admit


def _list(shelf: StateFolder) -> Text:
    rows = [_row(shelf, name) for name in shelf.names()]
    if not rows:
        return Text("No saved states. Save one with `browse state save <name>`.", {"states": []})
    width = max(len(row["name"]) for row in rows)
    lines = [f"{row['name']:{width}}  {row['modified']}  {row['about']}" for row in rows]
    return Text("\n".join(lines), {"states": rows})


def _row(shelf: StateFolder, name: str) -> dict[str, Any]:
    changed = datetime.fromtimestamp(shelf.path(name).stat().st_mtime, UTC)
    row = {"name": name, "modified": changed.isoformat(timespec="seconds")}
    try:
        saved = shelf.read(name)
    except BrowseError:
        return {**row, "usable": False, "about": "(cannot be used)"}
    return {**row, "usable": True, **_facts(saved), "about": _counted(saved)}


def _facts(saved: SavedState) -> dict[str, Any]:
    return {
        "cookies": len(saved.cookies),
        "pages": len(saved.pages),
        "origins": len(saved.origins),
    }


def _counted(saved: SavedState) -> str:
    return f"{len(saved.cookies)} cookies, {len(saved.pages)} pages"
