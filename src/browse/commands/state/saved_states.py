"""Save logins, storage and tabs under a name, and load them."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated

from browse.browser.storage import saved_state
from browse.browser.storage.saved_state import BLANK
from browse.browser.storage.state_file import StateFolder, checked_name
from browse.browser.tabs.deeds import ALL_TABS
from browse.commands.state.telling import (
    admit_for,
    contents,
    facts,
    listed,
    not_loaded,
    with_notes,
)
from browse.core.paths import Paths
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
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
        taken, notes = await saved_state.read_state(
            tabs, tabs.all(), current, admit_for(ctx), saved_at=now
        )
    path = await asyncio.to_thread(_shelf(ctx).write, name, taken)
    told = f"State saved: {path} ({contents(taken)})\n{WARNING.format(name)}"
    return Text(with_notes(told, notes), {"path": str(path), **facts(taken), "notes": notes})


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
    urls = await saved_state.admit_all(saved, admit_for(ctx))
    async with tabs.lock.alone():
        await saved_state.require_restorable(tabs, saved)
        tabs.deeds.add_silent(ctx.call.caller, "state load", ALL_TABS)
        fresh = await saved_state.put_storage(tabs, saved)
        for tab, page in zip(fresh, saved.pages, strict=True):
            if page.is_active:
                tabs.switch(ctx.call.caller, tab)
        notes = not_loaded(await saved_state.load_tabs(fresh, saved, urls))
    return Text(
        with_notes(f"State loaded: {contents(saved)}", notes),
        {**facts(saved), "savedAt": saved.saved_at[:40], "notes": notes},
    )


@command(family=STATE, scope=Scope.CONTROL, lane=Lane.FREE, changes=ChangedTabs.NONE)
async def state_list(ctx: Ctx) -> Text:
    """List the saved states, with date and contents.

    Examples:
        browse state list
    """
    return await asyncio.to_thread(listed, _shelf(ctx))


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
