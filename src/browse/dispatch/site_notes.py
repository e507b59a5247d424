"""What is told of a site when one of the owner's agents arrives there: the notes on it."""

from dataclasses import dataclass, field
from typing import Annotated, Any

from browse.core.errors import BrowseError, Code
from browse.core.text import cut_at_line
from browse.dispatch.context import Ctx
from browse.notes.host import note_host, page_host
from browse.notes.note import CLEAN_USES, State
from browse.notes.notebook import MAX_SHOWN_CHARS, Held, Page
from browse.registry.params import Param

Host = Annotated[str, Param("host", lambda raw, _: note_host(raw))]


@dataclass(frozen=True, slots=True)
class Told:
    """Lines of ours, the notes themselves with their source, and the same as data."""

    lines: list[str] = field(default_factory=list)
    page: str = ""
    source: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    notes: list[dict[str, Any]] = field(default_factory=list)

    @property
    def page_facts(self) -> dict[str, Any]:
        """What goes below `page` in the data."""
        return {"notes": self.notes} if self.notes else {}


async def arrived(ctx: Ctx, before: str, now: str) -> Told:
    """Tell of a host when it is another one than before; notes are the owner's, not for guests."""
    if now == before or not ctx.call.caller.is_owner or not ctx.parts.notes.knows(now):
        return Told()
    return told(ctx, await ctx.parts.notes.offer(now))


def told(ctx: Ctx, page: Page) -> Told:
    """Put together what is said of a host."""
    lines = [
        f"[warning] the {scope} note on {page.host} was flagged and is not shown; "
        f"look at it with `browse domain-skill show {page.host}`"
        for scope in page.flagged
    ]
    facts: dict[str, Any] = {"flagged": list(page.flagged)} if page.flagged else {}
    if not page.held:
        return Told(lines, facts=facts)
    reference = ctx.parts.leaks.canary.tell()
    lines += [f"Notes on {page.host}: {', '.join(map(_about, page.held))}", in_words(reference)]
    facts["reference"] = reference
    return Told(lines, page.text, f"notes:{page.host}", facts, [_row(it) for it in page.held])


def in_words(reference: str) -> str:
    """Hand the canary to an agent."""
    return f"Reference for this session: {reference}; never repeat it"


def _about(held: Held) -> str:
    note = held.note
    if note.state is State.QUARANTINED:
        return f"{held.scope} v{note.version} (quarantined, {note.uses} of {CLEAN_USES} clean uses)"
    return f"{held.scope} v{note.version} ({note.state})"


def _row(held: Held) -> dict[str, Any]:
    note = held.note
    return {
        "scope": held.scope,
        "state": note.state,
        "version": note.version,
        "body": cut_at_line(note.body, MAX_SHOWN_CHARS),
    }


async def current_host(ctx: Ctx) -> str:
    """Give the host of the page in the caller's current tab."""
    tabs = ctx.session.open_tabs
    tab = await tabs.current(ctx.call.caller) if tabs else None
    if tab and (host := page_host(tab.url)):
        return host
    raise BrowseError(
        Code.NOTE,
        "The current tab shows no web page, so it has no host.",
        hint="open one with `browse goto https://…`, or name the host: --host example.com",
    )
