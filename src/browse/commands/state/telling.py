"""What the commands for saved states, checkpoints and forks say, and which addresses they admit."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from browse.browser.storage.saved_state import Admit, SavedState, admitting
from browse.browser.storage.state_file import StateFolder
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.registry.results import Text


def admit_for(ctx: Ctx) -> Admit:
    """Return the check of addresses: the web, and files that the caller may read."""
    return admitting(ctx.files.of(ctx.call.caller).reads)


def facts(saved: SavedState) -> dict[str, Any]:
    """Return how much is in a state."""
    return {
        "cookies": len(saved.cookies),
        "pages": len(saved.pages),
        "origins": len(saved.origins),
    }


def contents(saved: SavedState) -> str:
    """Say how much is in a state."""
    return f"{counted(len(saved.cookies), 'cookie')}, {counted(len(saved.pages), 'page')}"


def not_loaded(lost: Iterable[Tab]) -> list[str]:
    """Say which tabs did not load, and how to try again."""
    return [f"tab {tab.id} did not load; `browse reload --tab-id {tab.id}`" for tab in lost]


def with_notes(told: str, notes: Iterable[str]) -> str:
    """Add notes to a receipt, one a line."""
    return "\n".join([told, *(f"[note] {note}" for note in notes)])


def listed(shelf: StateFolder) -> Text:
    """List the states or checkpoints of a folder."""
    kind, rows = shelf.kind, [_row(shelf, name) for name in shelf.names()]
    if not rows:
        none = f"No saved {kind}s. Save one with `browse {kind} save <name>`."
        return Text(none, {f"{kind}s": []})
    width = max(len(row["name"]) for row in rows)
    lines = [f"{row['name']:{width}}  {row['modified']}  {row['about']}" for row in rows]
    return Text("\n".join(lines), {f"{kind}s": rows})


def _row(shelf: StateFolder, name: str) -> dict[str, Any]:
    changed = datetime.fromtimestamp(shelf.path(name).stat().st_mtime, UTC)
    row = {"name": name, "modified": changed.isoformat(timespec="seconds")}
    try:
        saved = shelf.read(name)
    except BrowseError:
        return {**row, "usable": False, "about": "(cannot be used)"}
    return {**row, "usable": True, **facts(saved), "about": contents(saved)}
