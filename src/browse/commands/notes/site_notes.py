"""Notes on sites: what was learned there is told to the next agent that goes there."""

import asyncio
from pathlib import Path
from typing import Annotated, Any, Literal

from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.dispatch.site_notes import Host, current_host
from browse.guard.files import ReadPath, WritePath, write_output
from browse.notes.note import CLEAN_USES, MAX_BODY_BYTES, Note, State
from browse.notes.store import Store
from browse.notes.text import body_of, unfit
from browse.registry.params import Doc, ReadFile, WriteFile
from browse.registry.results import Text, from_page
from browse.registry.spec import Group, Lane, command

Action = Literal[
    "save", "list", "show", "edit", "promote-to-global", "rollback", "rm", "remove", "delete"
]


@command(
    group=Group.NOTES, scope=Scope.ROOT, lane=Lane.FREE, name="domain-skill", reads_stdin="save"
)
async def domain_skill(
    ctx: Ctx,
    action: Action = "list",
    site: Host | None = None,
    *,
    host: Annotated[Host | None, Doc("The site, instead of that of the current tab.")] = None,
    from_file: Annotated[ReadFile | None, Doc("Save this file instead of stdin.")] = None,
    out: Annotated[WriteFile | None, Doc("Write the note to this file (show).")] = None,
    global_: Annotated[bool, Doc("The note of all projects, not of this one.")] = False,
) -> Text:
    """Keep notes on a site for the next time: what works there, what does not.

    `goto` shows them when it arrives at the site. A new note is in quarantine until it was shown
    three times without a flag; then it is active, and `promote-to-global` gives it to all projects.
    `edit` opens $EDITOR in your terminal. A note belongs to exactly one host; without a name it is
    that of the current tab.

    Examples:
        browse domain-skill save --host example.com
        browse domain-skill save --from-file note.md
        browse domain-skill list
        browse domain-skill show example.com
        browse domain-skill edit example.com
        browse domain-skill promote-to-global example.com
        browse domain-skill rollback example.com
        browse domain-skill rm example.com --global
    """
    if action == "list":
        return await asyncio.to_thread(_list, ctx)
    if site and host and site != host:
        raise Usage("domain-skill: two hosts are given", hint="name one of them")
    if action == "save" and site and not from_file and not ctx.call.stdin:
        raise Usage(
            "domain-skill: save takes the host as a flag when the note comes on stdin",
            hint=f"browse domain-skill save --host {site} < note.md",
        )
    name = site or host or await current_host(ctx)
    store = ctx.parts.notes.store(everywhere=global_)
    match action:
        case "save":
            return await _save(ctx, name, from_file, everywhere=global_)
        case "show":
            return await asyncio.to_thread(_show, ctx, name, out, everywhere=global_)
        case "edit":
            raise _editor_is_yours(name)
        case "promote-to-global":
            return await asyncio.to_thread(_promote, ctx, name)
        case "rollback":
            return _changed(
                "Rolled back", name, await asyncio.to_thread(store.restore, name), store
            )
    kept = await asyncio.to_thread(store.remove, name)
    again = f"browse domain-skill rollback {name}{' --global' if global_ else ''}"
    return Text(
        f"Removed the note on {name} ({_scope(store)} scope)."
        + (f" `{again}` brings it back." if kept else ""),
        {"host": name, "scope": _scope(store), "removed": True, "kept": kept},
    )


async def _save(ctx: Ctx, host: str, file: ReadPath | None, *, everywhere: bool) -> Text:
    raw = await asyncio.to_thread(_read, file) if file else ctx.call.stdin
    # A shell that runs for a person has a terminal; agents have none.
    source: Literal["agent", "human"] = (
        "human" if ctx.call.caller.agent.startswith("/dev/") else "agent"
    )
    note = await ctx.parts.notes.save(host, body_of(raw), source=source, everywhere=everywhere)
    store = ctx.parts.notes.store(everywhere=everywhere)
    lines = [
        f"Saved (state: {note.state}, scope: {_scope(store)}).",
        f"Host:      {host}",
        f"Bytes:     {note.size}",
        f"Version:   {note.version}",
        f"Stored at: {store.path(host)}",
        f"Next: `browse goto` shows it there; after {CLEAN_USES} clean uses it is believed.",
    ]
    return Text("\n".join(lines), _facts(host, note, store))


def _read(file: ReadPath) -> bytes:
    try:
        with Path(file.real).open("rb") as opened:
            return opened.read(MAX_BODY_BYTES + 1)
    except OSError as exc:
        raise unfit(f"{file.real} cannot be read: {exc.strerror}", "check the file") from exc


def _show(ctx: Ctx, host: str, out: WritePath | None, *, everywhere: bool) -> Text:
    store = ctx.parts.notes.store(everywhere=everywhere)
    if not everywhere and not store.has(host) and ctx.parts.notes.everywhere.has(host):
        store = ctx.parts.notes.everywhere
    note = store.get(host)
    if note is None:
        raise store.missing(host)
    facts = _facts(host, note, store)
    if out:
        size = write_output(out, note.body.encode())
        return Text(f"Wrote the note on {host} to {out.real} ({size} bytes)", facts)
    lines = [f"# {host} ({_scope(store)} scope, {note.state})", f"# version: {note.version}"]
    return Text(
        "\n".join(lines),
        {**facts, **from_page(body=note.body)},
        page=note.body.rstrip("\n"),
        source=f"notes:{host}",
    )


def _promote(ctx: Ctx, host: str) -> Text:
    book = ctx.parts.notes
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


def _list(ctx: Ctx) -> Text:
    book = ctx.parts.notes
    parts = [("Project (per-project):", book.project), ("Global (cross-project):", book.everywhere)]
    lines: list[str] = []
    rows: list[dict[str, Any]] = []
    for title, store in parts:
        found = [_row(store, host) for host in store.hosts()]
        lines += [title, *map(_listed, found)] if found else []
        rows += found
    return Text("\n".join(lines) or "No domain-skills yet.", {"notes": rows})


def _row(store: Store, host: str) -> dict[str, Any]:
    try:
        note = store.get(host)
    except BrowseError as exc:
        return {"host": host, "scope": _scope(store), "state": "unusable", "why": exc.message}
    return _facts(host, note, store) if note else {"host": host, "state": "gone", "why": ""}


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
        f"(state: {note.state}, scope: {_scope(store)}).",
        _facts(host, note, store),
    )


def _facts(host: str, note: Note, store: Store) -> dict[str, Any]:
    return {
        "host": host,
        "scope": _scope(store),
        "state": note.state,
        "version": note.version,
        "bytes": note.size,
        "uses": note.uses,
        "flags": note.flags,
        "score": note.score,
        "source": note.source,
        "sha256": note.sha256,
        "saved": note.saved,
        "used": note.used,
        "path": str(store.path(host)),
    }


def _scope(store: Store) -> str:
    return "global" if store.believed is State.GLOBAL else "project"


def _editor_is_yours(host: str) -> BrowseError:
    return BrowseError(
        Code.SURFACE,
        "'domain-skill edit' opens an editor, and the daemon has no terminal.",
        hint=f"type it in a terminal, or: `browse domain-skill show {host} --out /tmp/note.md`, "
        f"then `browse domain-skill save --host {host} --from-file /tmp/note.md`",
    )
