"""Notes on sites, shown to the next agent that goes there."""

import asyncio
from typing import Annotated, Any

from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.dispatch.services import NotesService, TelemetryService
from browse.dispatch.site_notes import Host, current_host
from browse.guard.files import WritePath, write_output
from browse.notes.listing import list_notes, note_facts
from browse.notes.note import CLEAN_USES, MAX_BODY_BYTES, Note, Source, State
from browse.notes.notebook import Notebook
from browse.notes.store import Store
from browse.notes.text import Blocked, body_of
from browse.registry.params import Doc, ReadFile, WriteFile
from browse.registry.results import Text, from_page
from browse.registry.spec import Family, Group, Lane, command

NOTES = Family(
    "domain-skill",
    Group.NOTES,
    "Keep notes on sites for the next visit: what works there, what does not.",
    """`goto` shows them when it opens the site. A new note is in quarantine until it was shown
    three times without a flag; then it is active, and `promote-to-global` copies it to all
    projects. A note belongs to exactly one host; the default is the host of the current tab.
    """,
    default="list",
)
OfHost = Annotated[Host | None, Doc("The host; default: that of the current tab.")]
Everywhere = Annotated[bool, Doc("The note for all projects, not for this one.")]


@command(family=NOTES, scope=Scope.ROOT, lane=Lane.FREE)
async def domain_skill_list(ctx: Ctx, *, notes: NotesService) -> Text:
    """List the notes of this project and of all projects, with their state and use.

    Examples:
        browse domain-skill list
        browse domain-skill
    """
    return await asyncio.to_thread(_list, notes)


@command(family=NOTES, scope=Scope.ROOT, lane=Lane.FREE, reads_stdin=True)
async def domain_skill_save(
    ctx: Ctx,
    site: Host | None = None,
    *,
    host: OfHost = None,
    from_file: Annotated[
        ReadFile | None, Doc("Read the note from this file instead of stdin.")
    ] = None,
    global_: Everywhere = False,
    notes: NotesService,
    telemetry: TelemetryService,
) -> Text:
    """Save a note on a site, from stdin or a file; `rollback` restores the previous one.

    Examples:
        browse domain-skill save example.com
        browse domain-skill save --from-file note.md
    """
    name = await _host(ctx, site, host)
    raw = ctx.call.stdin
    if from_file:
        raw = await asyncio.to_thread(from_file.read, MAX_BODY_BYTES + 1)
    body, store = body_of(raw), notes.store(everywhere=global_)
    # A person's shell has a terminal; agents have none.
    source: Source = "human" if ctx.call.caller.agent.startswith("/dev/") else "agent"
    try:
        note = await notes.save(name, body, source=source, everywhere=global_)
    except Blocked as exc:
        telemetry.add("domain_skill_save_blocked", host=name, scope=store.scope, reason=exc.by)
        raise
    scope, state = store.scope, note.state.value
    telemetry.add("domain_skill_saved", host=name, scope=scope, state=state, bytes=note.size)
    return _saved(name, note, store)


@command(family=NOTES, scope=Scope.ROOT, lane=Lane.FREE)
async def domain_skill_show(
    ctx: Ctx,
    site: Host | None = None,
    *,
    host: OfHost = None,
    out: Annotated[WriteFile | None, Doc("Write the note to this file.")] = None,
    global_: Everywhere = False,
    notes: NotesService,
) -> Text:
    """Show the note on a site: that of this project, else that for all projects.

    Examples:
        browse domain-skill show example.com
        browse domain-skill show --out note.md
    """
    name = await _host(ctx, site, host)
    return await asyncio.to_thread(_show, notes, name, out, everywhere=global_)


@command(family=NOTES, scope=Scope.ROOT, lane=Lane.FREE)
async def domain_skill_edit(
    ctx: Ctx, site: Host | None = None, *, host: OfHost = None, global_: Everywhere = False
) -> Text:
    """Edit the note on a site in $EDITOR, in your terminal.

    Examples:
        browse domain-skill edit example.com
    """
    raise _editor_is_yours(await _host(ctx, site, host))


@command(family=NOTES, scope=Scope.ROOT, lane=Lane.FREE)
async def domain_skill_promote_to_global(
    ctx: Ctx, site: Host | None = None, *, host: OfHost = None, notes: NotesService
) -> Text:
    """Copy an active note of this project to all projects.

    Examples:
        browse domain-skill promote-to-global example.com
    """
    return await asyncio.to_thread(_promote, notes, await _host(ctx, site, host))


@command(family=NOTES, scope=Scope.ROOT, lane=Lane.FREE)
async def domain_skill_rollback(
    ctx: Ctx,
    site: Host | None = None,
    *,
    host: OfHost = None,
    global_: Everywhere = False,
    notes: NotesService,
) -> Text:
    """Restore the previous version of a note, or a removed note.

    Examples:
        browse domain-skill rollback example.com
    """
    name, store = await _host(ctx, site, host), notes.store(everywhere=global_)
    return _changed("Rolled back", name, await asyncio.to_thread(store.restore, name), store)


@command(
    family=NOTES, scope=Scope.ROOT, lane=Lane.FREE, aliases=("remove", "delete"), destroys=True
)
async def domain_skill_rm(
    ctx: Ctx,
    site: Host | None = None,
    *,
    host: OfHost = None,
    global_: Everywhere = False,
    notes: NotesService,
) -> Text:
    """Remove the note on a site; `rollback` restores it.

    Examples:
        browse domain-skill rm example.com --global
    """
    name, store = await _host(ctx, site, host), notes.store(everywhere=global_)
    kept = await asyncio.to_thread(store.remove, name)
    again = f"browse domain-skill rollback {name}{' --global' if global_ else ''}"
    return Text(
        f"Removed the note on {name} ({store.scope} scope)."
        + (f" `{again}` brings it back." if kept else ""),
        {"host": name, "scope": store.scope, "removed": True, "kept": kept},
    )


async def _host(ctx: Ctx, site: str | None, host: str | None) -> str:
    return _one_host(site, host) or await current_host(ctx.browser, ctx.call.caller)


def _one_host(site: str | None, host: str | None) -> str | None:
    if site and host and site != host:
        raise Usage("domain-skill: two hosts are given", hint="name one of them")
    return site or host


def _saved(host: str, note: Note, store: Store) -> Text:
    lines = [
        f"Saved (state: {note.state}, scope: {store.scope}).",
        f"Host:      {host}",
        f"Bytes:     {note.size}",
        f"Version:   {note.version}",
        f"Stored at: {store.path(host)}",
        f"Next: `browse goto` shows it there; after {CLEAN_USES} clean uses it is believed.",
    ]
    return Text("\n".join(lines), note_facts(host, note, store))


def _show(notes: Notebook, host: str, out: WritePath | None, *, everywhere: bool) -> Text:
    store = notes.store(everywhere=everywhere)
    if not everywhere and not store.has(host) and notes.everywhere.has(host):
        store = notes.everywhere
    note = store.get(host)
    if note is None:
        raise store.missing(host)
    facts = note_facts(host, note, store)
    if out:
        size = write_output(out, note.body.encode())
        return Text(f"Wrote the note on {host} to {out.real} ({size} bytes)", facts)
    lines = [f"# {host} ({store.scope} scope, {note.state})", f"# version: {note.version}"]
    return Text(
        "\n".join(lines),
        {**facts, **from_page(body=note.body)},
        page=note.body.rstrip("\n"),
        source=f"notes:{host}",
    )


def _promote(book: Notebook, host: str) -> Text:
    note = book.project.get(host)
    if note is None:
        raise book.project.missing(host)
    if note.state is not State.ACTIVE:
        raise BrowseError(
            Code.NOTE,
            f"The note on {host} is quarantined: it has {note.uses} of {CLEAN_USES} clean uses.",
            hint=f"it becomes active by being used: browse goto https://{host}",
        )
    return _changed("Promoted", host, book.everywhere.promote(host, note), book.everywhere)


def _list(book: Notebook) -> Text:
    parts = [("Project (per-project):", book.project), ("Global (cross-project):", book.everywhere)]
    lines: list[str] = []
    rows: list[dict[str, Any]] = []
    for title, store in parts:
        found = list_notes(store)
        lines += [title, *map(_listed, found)] if found else []
        rows += found
    return Text("\n".join(lines) or "No domain-skills yet.", {"notes": rows})


def _listed(row: dict[str, Any]) -> str:
    if "why" in row:
        return f"  [{row['state']}] {row['host']} — {row['why']}"
    return (
        f"  [{row['state']}] {row['host']} — v{row['version']}, {row['bytes']} bytes, "
        f"used {row['uses']}× ({row['flags']} flags)"  # noqa: RUF001 - as it is meant
    )


def _changed(how: str, host: str, note: Note, store: Store) -> Text:
    return Text(
        f"{how}: the note on {host} is version {note.version} "
        f"(state: {note.state}, scope: {store.scope}).",
        note_facts(host, note, store),
    )


def _editor_is_yours(host: str) -> BrowseError:
    return BrowseError(
        Code.SURFACE,
        "'domain-skill edit' opens an editor, and the daemon has no terminal.",
        hint=f"type it in a terminal, or: `browse domain-skill show {host} --out /tmp/note.md`, "
        f"then `browse domain-skill save {host} --from-file /tmp/note.md`",
    )
