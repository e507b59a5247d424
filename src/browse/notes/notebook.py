"""What a daemon can show for a host: notes of its project or of all projects, and skills.

Notes are scanned each time they are shown. A flagged one is not shown and loses its trust; a
clean one counts one use. An error of the disk never prevents opening a page.
"""

import asyncio
import logging
from collections.abc import Callable
from functools import partial

import msgspec
from msgspec.structs import replace

from browse.core import config_file
from browse.core.clock import stamp
from browse.core.errors import BrowseError
from browse.core.paths import Paths
from browse.core.text import cut_at_line
from browse.guard.sites import Sites
from browse.notes.note import Note, Source, State
from browse.notes.store import Store
from browse.notes.suggestion import Suggest, Suggestion
from browse.notes.text import Blocked

log = logging.getLogger(__name__)
MAX_SHOWN_CHARS = 4_000
MAX_SKILLS = 5
# The score from which words count as an attack.
BLOCK = 0.85
KNOB = "domain_skill_prompts"
OFF = ("off", "false", "no", "0")

Score = Callable[[str], float]


class StoredNote(msgspec.Struct, frozen=True):
    """A note and where it is stored: `project` or `global`."""

    scope: str
    note: Note


class HostNotes(msgspec.Struct, frozen=True):
    """What to show for a host: its note, the places whose notes were flagged, its skills."""

    host: str
    stored: StoredNote | None = None
    flagged: tuple[str, ...] = ()
    skills: tuple[Suggestion, ...] = ()

    @property
    def text(self) -> str:
        """The note's words, within the limit."""
        whole = self.stored.note.body.strip() if self.stored else ""
        shown = cut_at_line(whole, MAX_SHOWN_CHARS)
        return shown if shown == whole else f"{shown}\n…"


class Notebook:
    """The notes of a project, which hide those of all projects on the same host."""

    def __init__(
        self,
        paths: Paths,
        sites: Sites,
        *,
        score: Score = lambda _: 0.0,
        programs: Suggest = lambda _: [],
    ) -> None:
        self.project = Store(paths.project_notes, State.ACTIVE)
        self.everywhere = Store(paths.global_notes, State.GLOBAL)
        self._config = paths.config_yaml
        self._sites = sites
        self._score = score
        self._programs = programs

    def store(self, *, everywhere: bool) -> Store:
        return self.everywhere if everywhere else self.project

    def knows(self, host: str) -> bool:
        """Check whether there is a note on a host: two lookups in a folder."""
        return bool(host) and (self.project.has(host) or self.everywhere.has(host))

    async def offer(self, host: str) -> HostNotes:
        """Return what to show when a page of a host was opened, unless that is turned off."""
        return await asyncio.to_thread(self._offer, host)

    async def open(self, host: str) -> HostNotes:
        """Return what to show of a host on request; that does not count as a use."""
        return await asyncio.to_thread(self._open, host, used=False)

    async def save(self, host: str, body: str, *, source: Source, everywhere: bool) -> Note:
        """Add a version of a note, unless its words count as an attack."""
        return await asyncio.to_thread(self._save, host, body, source, everywhere)

    async def suggestions(self, host: str = "") -> list[Suggestion]:
        """List what is kept for a host, else for all: notes, then programs."""
        return await asyncio.to_thread(self._suggestions, host)

    def _save(self, host: str, body: str, source: Source, everywhere: bool) -> Note:
        score = self._score(body)
        if reason := self._objection(body, score):
            raise Blocked(reason, "score" if score >= BLOCK else "blocklist")
        return self.store(everywhere=everywhere).save(host, body, source=source, score=score)

    def _offer(self, host: str) -> HostNotes:
        skills = self._skills(host)
        if not (skills or self.knows(host)) or not self._is_wanted():
            return HostNotes(host)
        return replace(self._open(host, used=True), skills=skills)

    def _skills(self, host: str) -> tuple[Suggestion, ...]:
        """List the skills of a host, without those whose description counts as an attack."""
        found = [it for it in self._programs(host) if host]
        words = ((it, f"{it.name} {it.description}") for it in found[:MAX_SKILLS])
        return tuple(it for it, said in words if not self._objection(said, self._score(said)))

    def _open(self, host: str, *, used: bool) -> HostNotes:
        flagged: list[str] = []
        for scope, store in (("project", self.project), ("global", self.everywhere)):
            note = _read(store, host)
            if note is None:
                continue
            score = self._score(note.body)
            if reason := self._objection(note.body, score):
                log.warning("the %s note on %s was flagged: %s", scope, host, reason)
                _write(store, host, partial(Note.flagged, score=score, now=stamp()))
                flagged.append(scope)
                continue
            count = partial(Note.shown, believed=store.believed, score=score, now=stamp())
            shown = (used and _write(store, host, count)) or note
            return HostNotes(host, StoredNote(scope, shown), tuple(flagged))
        return HostNotes(host, flagged=tuple(flagged))

    def _objection(self, body: str, score: float) -> str:
        if score >= BLOCK:
            return f"it reads like instructions to an agent (score {score:.2f}, limit {BLOCK})"
        if self._sites.filter != "off" and self._sites.blocklist.found_in(body):
            return "it names an address on the blocklist"
        return ""

    def _is_wanted(self) -> bool:
        try:
            value = config_file.last_value(self._config, KNOB)
        except config_file.Unreadable as exc:
            log.warning("%s", exc)
            return True
        return (value or "").strip().lower() not in OFF

    def _suggestions(self, host: str) -> list[Suggestion]:
        found: dict[str, Suggestion] = {}
        for store in (self.everywhere, self.project):  # a project's note stands before the other
            for name in [host] if host else store.hosts():
                if note := _read(store, name):
                    found[name] = _suggestion(name, note)
        return [*(found[name] for name in sorted(found)), *self._programs(host)]


def _suggestion(host: str, note: Note) -> Suggestion:
    heads = [line.lstrip("#").strip() for line in note.body.splitlines() if line.startswith("#")]
    return Suggestion("note", host, host, note.body, tuple(heads), note.state)


def _read(store: Store, host: str) -> Note | None:
    try:
        return store.get(host)
    except BrowseError as exc:
        log.warning("%s", exc.message)
        return None


def _write(store: Store, host: str, change: Callable[[Note], Note]) -> Note | None:
    try:
        return store.change(host, change)
    except BrowseError as exc:
        log.warning("a use of the note on %s was not counted: %s", host, exc.message)
        return None
