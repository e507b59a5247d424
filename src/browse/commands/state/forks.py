"""`fork`: another session that begins as the current one is."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

from browse.browser.storage import saved_state, session_copies
from browse.browser.storage.saved_state import SavedState
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.commands.state.telling import admit_for, contents, facts, not_loaded, with_notes
from browse.core.errors import BrowseError, Code
from browse.core.scopes import Scope
from browse.core.tasks import spawn
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.guard.urls import NavUrl
from browse.registry.params import SESSION
from browse.registry.results import Text
from browse.registry.spec import ChangedTabs, Group, Lane, command

DEADLINE_S = 120.0


@command(
    group=Group.STATE,
    scope=Scope.ROOT,
    lane=Lane.FREE,
    deadline=DEADLINE_S,
    loads=1,
    changes=ChangedTabs.NONE,
)
async def fork(ctx: Ctx, name: Annotated[str, SESSION]) -> Text:
    """Make an isolated session from the current one: the same logins, storage and tabs.

    The new session has its own copy of cookies, localStorage, session storage and IndexedDB, of the
    tabs with their limits, and of what is emulated. What is done in one of them does not reach the
    other. Use it with `--session <name>` or BROWSE_SESSION=<name>; `browse session close <name>`
    ends it. Nothing is written to disk. Tabs of paired agents, pages of `load-html`, routes and
    recordings are not copied.

    Examples:
        browse fork second
        browse fork third --session second
    """
    tabs = await ctx.tabs()
    _refuse_if_open(ctx, name)
    chosen = [tab for tab in tabs.all() if not tab.owner]
    now = datetime.now(UTC).isoformat(timespec="seconds")
    async with tabs.lock.shared():
        current = await tabs.current(ctx.call.caller)
        taken, notes = await saved_state.read_state(
            tabs, chosen, current, admit_for(ctx), saved_at=now
        )
        urls = await saved_state.admit_all(taken, admit_for(ctx))
    if left := len(tabs) - len(chosen):
        notes.append(f"{counted(left, 'tab')} of paired agents: not copied")
    _refuse_if_open(ctx, name)
    fresh, lost = await _make(ctx, name, tabs, chosen, taken, urls)
    notes += not_loaded(lost)
    told = f"Forked into session {name}: {contents(taken)}; use it with --session {name}"
    more = {"session": name, "tabs": [tab.id for tab in fresh], "notes": notes}
    return Text(with_notes(told, notes), {**more, **facts(taken)})


async def _make(
    ctx: Ctx,
    name: str,
    source: Tabs,
    chosen: Sequence[Tab],
    taken: SavedState,
    urls: Sequence[NavUrl | None],
) -> tuple[list[Tab], list[Tab]]:
    """Open the session and fill it; one that cannot be filled is closed again."""
    copy = await ctx.browser.tabs(name)
    try:
        async with copy.lock.alone():
            await session_copies.copy_emulation(source, copy)
            fresh = await saved_state.put_storage(copy, taken)
            for tab, origin, page in zip(fresh, chosen, taken.pages, strict=True):
                await session_copies.copy_limits(source, origin, copy, tab)
                if page.is_active:
                    copy.choice.first = tab.id
            return fresh, await saved_state.load_tabs(fresh, taken, urls)
    except BaseException:
        # In its own task: in a cancelled one, timeouts of Python 3.11.2 fail.
        await spawn(ctx.browser.sessions.close(name), name=f"close session {name}")
        raise


def _refuse_if_open(ctx: Ctx, name: str) -> None:
    if ctx.browser.sessions.has(name):
        raise BrowseError(
            Code.SESSION_EXISTS,
            f"There is a session {name!r} already; nothing was changed.",
            hint=f"choose another name, or end it: `browse session close {name}`",
        )
