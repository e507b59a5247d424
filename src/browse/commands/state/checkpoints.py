"""Checkpoints: a whole session to go back to, with the tabs and whose current tab each is."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

from browse.browser.storage import saved_state
from browse.browser.storage.saved_state import SavedState
from browse.browser.storage.state_file import StateFolder, checked_checkpoint
from browse.browser.tabs.deeds import ALL_TABS
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
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
Name = Annotated[str, Param("name", checked_checkpoint, names="checkpoints")]
CHECKPOINT = Family(
    "checkpoint",
    Group.STATE,
    "Save the whole session, and go back to it later.",
    """A checkpoint has what `state save` saves, and whose current tab each tab is: after
    `checkpoint restore`, every agent is in the tab where it was.
    """,
    default="save",
)


@command(
    family=CHECKPOINT,
    scope=Scope.CONTROL,
    lane=Lane.FREE,
    deadline=DEADLINE_S,
    changes=ChangedTabs.NONE,
)
async def checkpoint_save(ctx: Ctx, name: Name) -> Text:
    """Save the whole session under a name. No other command runs in it meanwhile.

    The checkpoint of that name before is kept as a backup.

    Examples:
        browse checkpoint before-checkout
        browse checkpoint save before-checkout --session work
    """
    tabs = await ctx.tabs()
    async with tabs.lock.alone():
        current = await tabs.current(ctx.call.caller)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        chosen = tabs.all()
        taken, notes = await saved_state.read_state(
            tabs, chosen, current, admit_for(ctx), saved_at=now
        )
        for tab, page in zip(chosen, taken.pages, strict=True):
            page.holders = tabs.leases.users(tab.id)
    path = await asyncio.to_thread(_shelf(ctx).write, name, taken)
    told = f"Checkpoint saved: {name} ({contents(taken)}); `browse checkpoint restore {name}`"
    more = {"name": name, "path": str(path), **facts(taken), "notes": notes}
    return Text(with_notes(told, notes), more)


@command(
    family=CHECKPOINT,
    scope=Scope.CONTROL,
    lane=Lane.FREE,
    deadline=DEADLINE_S,
    mutates=True,
    loads=1,
    destroys=True,
)
async def checkpoint_restore(ctx: Ctx, name: Name) -> Text:
    """Go back to a checkpoint: all tabs, cookies and storage of the session are replaced.

    Cookies and storage are there before the pages load. The tabs have new numbers. A checkpoint
    that cannot be used changes nothing. No other command runs in the session meanwhile.

    Examples:
        browse checkpoint restore before-checkout
    """
    tabs = await ctx.tabs()
    saved = await asyncio.to_thread(_shelf(ctx).read, name)
    saved.pages = saved.pages or [saved_state.SavedTab(saved_state.BLANK, is_active=True)]
    urls = await saved_state.admit_all(saved, admit_for(ctx))
    async with tabs.lock.alone():
        await saved_state.require_restorable(tabs, saved)
        tabs.deeds.add_silent(ctx.call.caller, "checkpoint restore", ALL_TABS)
        fresh = await saved_state.put_storage(tabs, saved)
        _give_back(ctx, tabs, fresh, saved)
        notes = not_loaded(await saved_state.load_tabs(fresh, saved, urls))
    told = f"Restored checkpoint {name}: {contents(saved)} (tabs {_numbers(fresh)})"
    more = {"tabs": [tab.id for tab in fresh], "savedAt": saved.saved_at[:40], "notes": notes}
    return Text(with_notes(told, notes), {"name": name, **facts(saved), **more})


@command(family=CHECKPOINT, scope=Scope.CONTROL, lane=Lane.FREE, changes=ChangedTabs.NONE)
async def checkpoint_list(ctx: Ctx) -> Text:
    """List the checkpoints, with date and contents.

    Examples:
        browse checkpoint list
    """
    return await asyncio.to_thread(listed, _shelf(ctx))


@command(
    family=CHECKPOINT,
    scope=Scope.CONTROL,
    lane=Lane.FREE,
    destroys=True,
    changes=ChangedTabs.NONE,
)
async def checkpoint_rm(ctx: Ctx, name: Name) -> Text:
    """Remove a checkpoint and its backup.

    Examples:
        browse checkpoint rm before-checkout
    """
    await asyncio.to_thread(_shelf(ctx).remove, name)
    return Text(f"Checkpoint removed: {name}", {"name": name})


def _shelf(ctx: Ctx) -> StateFolder:
    return StateFolder(Paths.of(ctx.settings).checkpoints, "checkpoint")


def _give_back(ctx: Ctx, tabs: Tabs, fresh: Sequence[Tab], saved: SavedState) -> None:
    """Make the tabs current again for whom they were; the caller goes where it was, or first."""
    for tab, page in zip(fresh, saved.pages, strict=True):
        for holder in page.holders:
            tabs.leases.take(holder, tab.id)
        if page.is_active:
            tabs.choice.first = tab.id
    if ctx.call.caller.holder not in tabs.leases.holders():
        active = next((tab for tab in fresh if tab.id == tabs.choice.first), fresh[0])
        tabs.switch(ctx.call.caller, active)


def _numbers(fresh: Sequence[Tab]) -> str:
    return ", ".join(str(tab.id) for tab in fresh)
