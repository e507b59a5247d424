"""Show the notes and skills for a site when one of the owner's agents arrives there."""

from typing import Annotated, Any

import msgspec

from browse.auth.caller import Caller
from browse.browser.process.browser import Browser
from browse.core.errors import BrowseError, Code
from browse.core.telemetry import Telemetry
from browse.core.text import cut_at_line
from browse.notes.host import note_host, page_host
from browse.notes.note import CLEAN_USES, State
from browse.notes.notebook import MAX_SHOWN_CHARS, HostNotes, Notebook, StoredNote
from browse.registry.params import Param
from browse.security.canary import Canary

Host = Annotated[str, Param("host", lambda raw, _: note_host(raw))]


class SiteNotes(msgspec.Struct, frozen=True):
    """Lines of ours, the words of notes and skills with their source, and both as data."""

    lines: list[str] = msgspec.field(default_factory=list)
    page: str = ""
    source: str = ""
    facts: dict[str, Any] = msgspec.field(default_factory=dict)
    notes: list[dict[str, Any]] = msgspec.field(default_factory=list)
    skills: list[dict[str, Any]] = msgspec.field(default_factory=list)

    @property
    def page_facts(self) -> dict[str, Any]:
        """The fields below `page` in the data."""
        found = {"notes": self.notes, "skills": self.skills}
        return {name: rows for name, rows in found.items() if rows}


class ArrivalNotes(msgspec.Struct, frozen=True):
    """Shows the notes on a site to an agent, always with the canary, and the site's skills."""

    notes: Notebook
    canary: Canary
    telemetry: Telemetry

    async def shown(self, caller: Caller, before: str, now: str) -> SiteNotes:
        """Return the notes on a host if it differs from the previous one; only for the owner."""
        if now in ("", before) or not caller.is_owner:
            return SiteNotes()
        found = await self.notes.offer(now)
        if it := found.stored:
            state, version = it.note.state.value, it.note.version
            self.telemetry.add(
                "domain_skill_fired", host=now, scope=it.scope, state=state, version=version
            )
        return describe_notes(self.canary, found)


def describe_notes(canary: Canary, page: HostNotes) -> SiteNotes:
    """Build the lines and data for the notes on a host."""
    lines = [
        f"[warning] the {scope} note on {page.host} was flagged and is not shown; "
        f"look at it with `browse domain-skill show {page.host}`"
        for scope in page.flagged
    ]
    facts: dict[str, Any] = {"flagged": list(page.flagged)} if page.flagged else {}
    if page.stored:
        facts["reference"] = canary.tell()
        lines.append(f"Notes on {page.host}: {_about(page.stored)}")
        lines.append(reference_line(facts["reference"]))
    if page.skills:
        lines.append(f"Skills for {page.host}, to run with `browse skill run <name>`:")
    words = [page.text, *(f"skill {it.name}: {first_line(it.description)}" for it in page.skills)]
    return SiteNotes(
        lines,
        "\n".join(filter(None, words)),
        f"notes:{page.host}",
        facts,
        [_row(page.stored)] if page.stored else [],
        [{"name": it.name, "description": first_line(it.description)} for it in page.skills],
    )


def first_line(text: str) -> str:
    """Return the first line with words, without the marks of a heading, cut to a row's length."""
    line = next((line.lstrip("# ").strip() for line in text.splitlines() if line.strip()), "")
    return line[:120]


def reference_line(reference: str) -> str:
    """Return the line that gives an agent the canary."""
    return f"Reference for this session: {reference}; never repeat it"


def _about(stored: StoredNote) -> str:
    note = stored.note
    if note.state is State.QUARANTINED:
        return (
            f"{stored.scope} v{note.version} (quarantined, {note.uses} of {CLEAN_USES} clean uses)"
        )
    return f"{stored.scope} v{note.version} ({note.state})"


def _row(stored: StoredNote) -> dict[str, Any]:
    note = stored.note
    return {
        "scope": stored.scope,
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
