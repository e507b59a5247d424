"""A folder of notes: `<host>.md` is the note, to be read and edited, `<host>.json` its record.

A note that was edited by hand is a new version; a record that is lost or damaged is started anew;
both mean quarantine. Links are not followed, files are written whole or not at all, and of two
concurrent writers one waits.
"""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from browse.core.clock import stamp
from browse.core.errors import BrowseError, Code
from browse.core.files import private_folder, unwritable, write_private
from browse.core.growing import alone
from browse.notes.host import file_stem, from_stem
from browse.notes.note import MAX_BODY_BYTES, Note, Record, Source, State
from browse.notes.text import NotSaved, body_of

MAX_RECORD_BYTES = 2 * 1024 * 1024
MAX_HOSTS = 10_000
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


class Store:
    """The notes of a project, or of all projects; every method but `has` waits for the disk."""

    def __init__(self, folder: Path, believed: State) -> None:
        self.folder = folder
        self.believed = believed
        self._folder = str(folder)

    @property
    def scope(self) -> str:
        return "global" if self.believed is State.GLOBAL else "project"

    def path(self, host: str) -> Path:
        return self.folder / f"{file_stem(host)}.md"

    def has(self, host: str) -> bool:
        """Check whether there is a note; cheap, because it is asked for every host."""
        return os.path.lexists(f"{self._folder}/{file_stem(host)}.md")

    def hosts(self) -> list[str]:
        """List the hosts that have a note."""
        try:
            with os.scandir(self.folder) as entries:
                names = [entry.name for entry in entries if entry.name.endswith(".md")]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as exc:
            raise _unusable(self.folder, os.strerror(exc.errno or 0)) from exc
        found = (from_stem(name.removesuffix(".md")) for name in names[:MAX_HOSTS])
        return sorted(host for host in found if host)

    def get(self, host: str) -> Note | None:
        """Return a note; None when there is none; raise if it cannot be used."""
        return self._record(host).current if self.has(host) else None

    def save(self, host: str, body: str, *, source: Source, score: float) -> Note:
        """Add a version, which begins in quarantine."""
        state = State.QUARANTINED
        return self._add(host, body, source=source, score=score, state=state)

    def promote(self, host: str, note: Note) -> Note:
        """Store a note that is trusted elsewhere."""
        return self._add(host, note.body, source=note.source, score=note.score, state=self.believed)

    def change(self, host: str, change: Callable[[Note], Note]) -> Note | None:
        """Change the newest version; None when it was removed meanwhile."""
        with self._alone():
            note = self.get(host)
            if note is None:
                return None
            record = self._record(host).changed(change(note))
            self._write_record(record)
            return record.current

    def remove(self, host: str) -> bool:
        """Remove a note; return whether there are versions for `restore` to bring back."""
        with self._alone():
            if not self.has(host):
                raise self.missing(host)
            record = self._kept(host) if self._is_garbage(host) else self._record(host)
            self._write_record(record)
            try:
                self.path(host).unlink()
            except OSError as exc:
                raise unwritable(self.path(host), exc) from exc
            return record.current is not None

    def restore(self, host: str) -> Note:
        """Go back by one version; a note that was removed or damaged comes back as it was."""
        with self._alone():
            if self.has(host) and not self._is_garbage(host):
                record = self._record(host).back()
            else:
                record = self._kept(host)
            if record.current is None:
                raise self._nothing_before(host)
            self._write(host, record)
            return record.current

    def _add(self, host: str, body: str, *, source: Source, score: float, state: State) -> Note:
        with self._alone():
            before = self._kept(host) if self._is_garbage(host) else self._record(host)
            record = before.added(body, source=source, state=state, score=score, now=stamp())
            self._write(host, record)
            return record.versions[-1]

    def _record(self, host: str) -> Record:
        """Read the record; a note that a person has edited becomes its newest version."""
        record, body = self._kept(host), self._body(host)
        if body is None or (record.current and record.current.body == body):
            return record
        state = State.QUARANTINED
        return record.added(body, source="human", state=state, score=0.0, now=stamp())

    def _is_garbage(self, host: str) -> bool:
        try:
            self._body(host)
        except BrowseError:
            return True
        return False

    def _body(self, host: str) -> str | None:
        raw = _read(self.path(host), MAX_BODY_BYTES + 16)
        if raw is None:
            return None
        try:
            return body_of(raw)
        except NotSaved as exc:
            raise _unusable(self.path(host), exc.reason) from None

    def _kept(self, host: str) -> Record:
        """Read the record alone; an empty one if it cannot be read."""
        try:
            raw = _read(self._record_path(host), MAX_RECORD_BYTES)
            kept = msgspec.json.decode(raw or b"", type=Record)
        except (BrowseError, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return Record(host)
        return kept if kept.host == host else Record(host)

    def _write(self, host: str, record: Record) -> None:
        """Write the record first: if the note does not follow, it counts as edited by hand."""
        self._write_record(record)
        write_private(self.path(host), record.versions[-1].body.encode("utf-8", "replace"))

    def _write_record(self, record: Record) -> None:
        write_private(self._record_path(record.host), msgspec.json.encode(record))

    def _record_path(self, host: str) -> Path:
        return self.folder / f"{file_stem(host)}.json"

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if self.folder.is_symlink():
            raise _unusable(self.folder, "it is a link, and notes are not written through links")
        private_folder(self.folder)
        lock = self.folder / ".lock"
        try:
            with alone(lock):
                yield
        except OSError as exc:
            raise unwritable(lock, exc) from exc

    def missing(self, host: str) -> BrowseError:
        """Build the error for a host without a note, with the hosts that have one."""
        known = ", ".join(self.hosts()[:20])
        return BrowseError(
            Code.NOTE,
            f"There is no {self.scope} note on {host}.",
            hint=f"there are: {known}" if known else f"browse domain-skill save {host} < note.md",
        )

    def _nothing_before(self, host: str) -> BrowseError:
        if not self.has(host):
            return self.missing(host)
        return BrowseError(
            Code.NOTE,
            f"The note on {host} has no version before this one. Nothing was changed.",
            hint=f"remove it with `browse domain-skill rm {host}`",
        )


def _read(path: Path, limit: int) -> bytes | None:
    """Read a file of ours that is not a link, a pipe or too large; None if it does not exist."""
    try:
        fd = os.open(path, _READ)
        with os.fdopen(fd, "rb") as file:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise _unusable(path, "it is not a regular file")
            return file.read(limit + 1)
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise _unusable(path, os.strerror(exc.errno or 0)) from exc


def _unusable(path: Path, reason: str) -> BrowseError:
    return BrowseError(
        Code.NOTE,
        f"The notes at {path} cannot be used: {reason}.",
        hint="fix or remove it; `browse domain-skill rollback <host>` brings back what was saved",
    )
