"""Notes as data: what `domain-skill list` and the dashboard show of each."""

from typing import Any

from browse.core.errors import BrowseError
from browse.notes.note import Note
from browse.notes.store import Store


def list_notes(store: Store) -> list[dict[str, Any]]:
    """Describe every note of a store, without its words; waits for the disk."""
    return [_row(store, host) for host in store.hosts()]


def note_facts(host: str, note: Note, store: Store) -> dict[str, Any]:
    """Describe a note, without its words."""
    return {
        "host": host,
        "scope": store.scope,
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


def _row(store: Store, host: str) -> dict[str, Any]:
    try:
        note = store.get(host)
    except BrowseError as exc:
        return {"host": host, "scope": store.scope, "state": "unusable", "why": exc.message}
    return note_facts(host, note, store) if note else {"host": host, "state": "gone", "why": ""}
