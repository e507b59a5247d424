"""Show the notes on a site when one of the owner's agents arrives there."""

from dataclasses import dataclass, field
from typing import Annotated, Any

from browse.auth.caller import Caller
from browse.browser.process.browser import Browser
from browse.core.errors import BrowseError, Code
from browse.core.text import cut_at_line
from browse.notes.host import note_host, page_host
from browse.notes.note import CLEAN_USES, State
from browse.notes.notebook import MAX_SHOWN_CHARS, HostNotes, Notebook, StoredNote
from browse.registry.params import Param
from browse.security.canary import Canary

Host = Annotated[str, Param("host", lambda raw, _: note_host(raw))]


@dataclass(frozen=True, slots=True)
class SiteNotes:
    """Lines of ours, the notes with their source, and both as data."""

    lines: list[str] = field(default_factory=list)
    page: str = ""
    source: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    notes: list[dict[str, Any]] = field(default_factory=list)

    @property
    def page_facts(self) -> dict[str, Any]:
        """The fields below `page` in the data."""
        return {"notes": self.notes} if self.notes else {}


@dataclass(frozen=True, slots=True)
class ArrivalNotes:
    """Shows the notes on a site to an agent, always together with the canary."""

    notes: Notebook
    canary: Canary

    async def shown(self, caller: Caller, before: str, now: str) -> SiteNotes:
        """Return the notes on a host if it differs from the previous one; only for the owner."""
        if now == before or not caller.is_owner or not self.notes.knows(now):
            return SiteNotes()
        return describe_notes(self.canary, await self.notes.offer(now))


def describe_notes(canary: Canary, page: HostNotes) -> SiteNotes:
    """Build the lines and data for the notes on a host."""
    lines = [
        f"[warning] the {scope} note on {page.host} was flagged and is not shown; "
        f"look at it with `browse domain-skill show {page.host}`"
        for scope in page.flagged
    ]
    facts: dict[str, Any] = {"flagged": list(page.flagged)} if page.flagged else {}
    if not page.held:
        return SiteNotes(lines, facts=facts)
    reference = canary.tell()
    lines.append(f"Notes on {page.host}: {', '.join(map(_about, page.held))}")
    lines.append(reference_line(reference))
    facts["reference"] = reference
    return SiteNotes(lines, page.text, f"notes:{page.host}", facts, [_row(it) for it in page.held])


def reference_line(reference: str) -> str:
    """Return the line that gives an agent the canary."""
    return f"Reference for this session: {reference}; never repeat it"


def _about(held: StoredNote) -> str:
    note = held.note
    if note.state is State.QUARANTINED:
        return f"{held.scope} v{note.version} (quarantined, {note.uses} of {CLEAN_USES} clean uses)"
    return f"{held.scope} v{note.version} ({note.state})"


def _row(held: StoredNote) -> dict[str, Any]:
    note = held.note
    return {
        "scope": held.scope,
        "state": note.state,
        "version": note.version,
        "body": cut_at_line(note.body, MAX_SHOWN_CHARS),
    }


async def current_host(browser: Browser, caller: Caller) -> str:
    """Return the host of the page in the caller's current tab."""
    tabs = browser.open_tabs
    tab = await tabs.current(caller) if tabs else None
    if tab and (host := page_host(tab.url)):
        return host
    raise BrowseError(
        Code.NOTE,
        "The current tab shows no web page, so it has no host.",
        hint="open one with `browse goto https://…`, or name the host: --host example.com",
    )
