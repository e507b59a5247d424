"""Saving logins, storage and tabs under a name, and going back to them."""

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from browse.browser.storage import saved_state
from browse.browser.storage.saved_state import BLANK, State
from browse.browser.storage.state_file import Shelf, checked_name
from browse.core.errors import BrowseError, Usage
from browse.core.paths import Paths, temp_folder
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.guard.files import Roots
from browse.guard.urls import NavUrl, check_foreign, check_url
from browse.registry.params import Param
from browse.registry.results import Text
from browse.registry.spec import Group, Lane, command

DEADLINE_S = 120.0
WARNING = "[warning] it holds cookies and logins in plain text; remove it with `browse state rm {}`"
Name = Annotated[str, Param("name", checked_name)]
Action = Literal["save", "load", "list", "rm"]


@command(
    group=Group.STATE,
    scope=Scope.CONTROL,
    lane=Lane.FREE,
    deadline=DEADLINE_S,
    mutates=lambda values: values["action"] == "load",
)
async def state(ctx: Ctx, action: Action, name: Name | None = None) -> Text:
    """Save cookies, storage and tabs under a name, or go back to them.

    A state has cookies, localStorage, IndexedDB, the session storage of each tab, and the tabs'
    addresses. `load` closes all tabs and opens the saved ones, with everything in place before the
    pages load; a file that cannot be used changes nothing. Pages of `load-html` are not saved. No
    other command runs meanwhile.

    Examples:
        browse state save logged-in
        browse state load logged-in
        browse state list
        browse state rm logged-in
    """
    shelf = Shelf(Paths.of(ctx.settings).saved_states)
    if action == "list":
        if name:
            raise Usage("state: list takes no name", hint="browse state list")
        return await asyncio.to_thread(_list, shelf)
    if name is None:
        raise Usage(f"state: {action} needs a name", hint=f"browse state {action} <name>")
    if action == "rm":
        await asyncio.to_thread(shelf.remove, name)
        return Text(f"State removed: {name}", {"name": name})
    return await (_save if action == "save" else _load)(ctx, shelf, name)


async def _save(ctx: Ctx, shelf: Shelf, name: str) -> Text:
    tabs = await ctx.tabs()
    async with tabs.lock.alone():
        current = await tabs.current(ctx.call.caller)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        taken, notes = await saved_state.take(tabs, current, _admit(ctx), saved_at=now)
    path = await asyncio.to_thread(shelf.write, name, taken)
    lines = [f"State saved: {path} ({_counted(taken)})", WARNING.format(name)]
    facts = {"path": str(path), **_facts(taken), "notes": notes}
    return Text("\n".join([*lines, *(f"[note] {note}" for note in notes)]), facts)


async def _load(ctx: Ctx, shelf: Shelf, name: str) -> Text:
    saved = await asyncio.to_thread(shelf.read, name)
    saved.pages = saved.pages or [saved_state.SavedTab(BLANK, is_active=True)]
    urls = await _admitted(ctx, saved)
    tabs = await ctx.tabs()
    async with tabs.lock.alone():
        await saved_state.rehearse(tabs, saved)
        lost = await saved_state.put(tabs, ctx.call.caller, saved, urls)
    notes = [f"tab {tab.id} did not load; `browse reload --tab-id {tab.id}`" for tab in lost]
    return Text(
        "\n".join([f"State loaded: {_counted(saved)}", *(f"[note] {note}" for note in notes)]),
        {**_facts(saved), "savedAt": saved.saved_at[:40], "notes": notes},
    )


async def _admitted(ctx: Ctx, saved: State) -> list[NavUrl | None]:
    """Check where the tabs lead; one that is refused refuses the whole."""
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
    """Tabs may show the web, and files of the project and the temporary folder."""
    roots = Roots.of(str(temp_folder()), str(Paths.of(ctx.settings).project))

    async def admit(url: str) -> NavUrl:
        if url.startswith("file:"):
            return check_url(url, cwd="/", roots=roots)
        return await check_foreign(url)

    return admit


def _list(shelf: Shelf) -> Text:
    rows = [_row(shelf, name) for name in shelf.names()]
    if not rows:
        return Text("No saved states. Save one with `browse state save <name>`.", {"states": []})
    width = max(len(row["name"]) for row in rows)
    lines = [f"{row['name']:{width}}  {row['modified']}  {row['about']}" for row in rows]
    return Text("\n".join(lines), {"states": rows})


def _row(shelf: Shelf, name: str) -> dict[str, Any]:
    changed = datetime.fromtimestamp(shelf.path(name).stat().st_mtime, UTC)
    row = {"name": name, "modified": changed.isoformat(timespec="seconds")}
    try:
        saved = shelf.read(name)
    except BrowseError:
        return {**row, "usable": False, "about": "(cannot be used)"}
    return {**row, "usable": True, **_facts(saved), "about": _counted(saved)}


def _facts(saved: State) -> dict[str, Any]:
    return {
        "cookies": len(saved.cookies),
        "pages": len(saved.pages),
        "origins": len(saved.origins),
    }


def _counted(saved: State) -> str:
    return f"{len(saved.cookies)} cookies, {len(saved.pages)} pages"
