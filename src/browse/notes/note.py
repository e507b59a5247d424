"""A note and its states: every change makes a new value, and nothing here touches a disk.

A note begins in quarantine. Shown three times without a flag, it is trusted: `active` in a
project, `global` for all projects. One flag sends it back to quarantine.
"""

import hashlib
from enum import StrEnum
from typing import Literal

import msgspec

CLEAN_USES = 3
MAX_VERSIONS = 10
MAX_BODY_BYTES = 16 * 1024

Source = Literal["agent", "human"]


class State(StrEnum):
    """How far a note is trusted."""

    QUARANTINED = "quarantined"
    ACTIVE = "active"
    GLOBAL = "global"


class Note(msgspec.Struct, frozen=True):
    """One version of a note."""

    version: int
    body: str
    state: State
    source: Source
    saved: str
    uses: int = 0
    flags: int = 0
    score: float = 0.0
    used: str = ""

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.body.encode("utf-8", "replace")).hexdigest()

    @property
    def size(self) -> int:
        return len(self.body.encode("utf-8", "replace"))

    def shown(self, *, believed: State, score: float, now: str) -> "Note":
        """Count one showing without a flag."""
        uses = self.uses + 1
        state = believed if uses >= CLEAN_USES else self.state
        return msgspec.structs.replace(self, uses=uses, state=state, score=score, used=now)

    def flagged(self, *, score: float, now: str) -> "Note":
        """Send it back to quarantine."""
        return msgspec.structs.replace(
            self,
            uses=0,
            flags=self.flags + 1,
            state=State.QUARANTINED,
            score=score,
            used=now,
        )


class Record(msgspec.Struct, frozen=True):
    """The versions of a host's note, the newest last; `last` is the highest number ever used."""

    host: str
    last: int = 0
    versions: tuple[Note, ...] = ()

    @property
    def current(self) -> Note | None:
        return self.versions[-1] if self.versions else None

    def added(self, body: str, *, source: Source, state: State, score: float, now: str) -> "Record":
        """Add a version; drop the oldest beyond the limit."""
        note = Note(self.last + 1, body, state, source, now, score=score)
        return Record(self.host, note.version, (*self.versions, note)[-MAX_VERSIONS:])

    def changed(self, note: Note) -> "Record":
        """Replace the newest version."""
        return Record(self.host, self.last, (*self.versions[:-1], note))

    def back(self) -> "Record":
        """Drop the newest version: the one before it is current again, with a new number."""
        if len(self.versions) < 2:
            return Record(self.host, self.last)
        *older, before = self.versions[:-1]
        number = self.last + 1
        return Record(self.host, number, (*older, msgspec.structs.replace(before, version=number)))
