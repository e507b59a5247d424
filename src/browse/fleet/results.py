"""What is written of a run: a line of JSON for each page, as it ends, and never two for one.

The file is the truth: a run that was killed goes on from it. Where a job changes something, a page
is noted before it is sent (`<file>.sent`), so that a lost one is known as such.
"""

import errno
import fcntl
import os
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import IO
from zlib import crc32

import msgspec

from browse.core.errors import BrowseError, Usage
from browse.core.files import write_private
from browse.fleet.extra import fault
from browse.fleet.job import Job
from browse.fleet.visit import Page, PageOutcome, PageState, lost


class Written(msgspec.Struct):
    """What a line is read for when a run goes on."""

    n: int
    url: str
    state: PageState


class Results:
    """The results of a run on stdout, where nothing can be resumed."""

    def __init__(self) -> None:
        self.before: dict[PageState, int] = dict.fromkeys(PageState, 0)

    def has(self, page: Page) -> bool:
        """Tell whether this page has its line."""
        return False

    def send(self, pages: list[Page]) -> None:
        """Note that pages are about to be sent, which may happen only once."""

    def write(self, outcome: PageOutcome) -> None:
        """Write the line of a page."""
        try:
            _write(sys.stdout.fileno(), _line(outcome))
        except BrokenPipeError:  # `… | head`: who reads has enough
            raise
        except OSError as exc:
            raise unwritten(exc, "run it again with --out, which can be resumed") from exc

    def close(self) -> None:
        """Write nothing more."""


class ResultFile(Results):
    """The results in a file; a second run on it goes on where the first ended."""

    def __init__(self, path: Path, job: Job, *, resume: bool) -> None:
        super().__init__()
        self._path = path
        self._job = job
        self._sent_path = path.with_name(f"{path.name}.sent")
        self._about = path.with_name(f"{path.name}.job")
        self._done = array("L")
        self._was_there = path.exists()  # who removed it begins anew, whatever was sent
        self._file = _opened(path)
        self._sent = None if job.repeatable else _opened(self._sent_path)
        try:
            self._begin(resume=resume)
        except BaseException:
            self.close()
            raise

    def has(self, page: Page) -> bool:
        if page.n >= len(self._done) or not self._done[page.n]:
            return False
        if self._done[page.n] != _mark(page.url):
            raise Usage(
                f"the list is not the one of {self._path}: page {page.n} was another",
                hint="--resume needs the same list; name another file with --out",
            )
        return True

    def send(self, pages: list[Page]) -> None:
        if self._sent:
            _append(self._sent, b"".join(msgspec.json.encode(it) + b"\n" for it in pages))

    def write(self, outcome: PageOutcome) -> None:
        _append(self._file, _line(outcome))
        self._note(outcome.n, outcome.url)

    def close(self) -> None:
        for file in (self._file, self._sent):
            if file:
                file.close()

    def _begin(self, *, resume: bool) -> None:
        steps = msgspec.json.encode(self._job.steps)
        is_empty = self._file.seek(0, os.SEEK_END) == 0
        was_sent = self._was_there and self._sent and self._sent.seek(0, os.SEEK_END) > 0
        is_new = is_empty and not was_sent
        if not (is_new or resume):
            what = "is of a run that has sent pages" if is_empty else "has results already"
            raise Usage(f"{self._path} {what}", hint="add --resume to go on, or name another")
        if not is_new:
            self._check(steps)
        write_private(self._about, steps)
        if is_new and self._sent and not resume:
            self._sent.truncate(0)
        self._read()

    def _check(self, steps: bytes) -> None:
        """Raise if the file is not one of results, or of those of another job."""
        other = "name another file with --out"
        if not self._about.exists():
            raise Usage(
                f"{self._path} is no file of results: it has no {self._about.name}", hint=other
            )
        if self._about.read_bytes() != steps:
            of = self._about.read_text(errors="replace")[:300]
            raise Usage(f"{self._path} has results of another job: {of}", hint=other)

    def _read(self) -> None:
        """Read what is done; a line that a kill cut off is removed, and its page done again."""
        for line in _whole_lines(self._file):
            try:
                row = msgspec.json.decode(line, type=Written)
            except msgspec.DecodeError as exc:
                raise Usage(
                    f"{self._path} has a line that is no result: {exc}", hint="name another file"
                ) from exc
            self.before[row.state] += 1
            self._note(row.n, row.url)
        for line in _whole_lines(self._sent) if self._sent else ():
            page = msgspec.json.decode(line, type=Page)
            if not self.has(page):
                self.write(lost(page))
                self.before[PageState.UNKNOWN] += 1

    def _note(self, n: int, url: str) -> None:
        if n >= len(self._done):
            self._done.extend(array("L", bytes(self._done.itemsize * (n + 1024 - len(self._done)))))
        self._done[n] = _mark(url)


def _mark(url: str) -> int:
    return crc32(url.encode("utf-8", "surrogatepass")) or 1


def _line(outcome: PageOutcome) -> bytes:
    return msgspec.json.encode(outcome) + b"\n"


def _opened(path: Path) -> IO[bytes]:
    """Open a private file to go on with, which no other run has open."""
    try:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError as exc:
        raise Usage(f"{path} cannot be written: {exc.strerror}", hint="name another file") from exc
    file = os.fdopen(fd, "r+b", buffering=0)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as exc:
        file.close()
        raise Usage(f"another run writes {path}", hint="wait for it, or name another file") from exc
    return file


def _whole_lines(file: IO[bytes]) -> Iterator[bytes]:
    """Read the lines of a file, which may be longer than memory; cut off what follows the last."""
    file.seek(0)
    size = 0
    with open(file.fileno(), "rb", closefd=False) as reader:  # it is open already
        for line in reader:
            if line.endswith(b"\n"):
                size += len(line)
                yield line
    if size < file.seek(0, os.SEEK_END):
        file.truncate(size)


def _write(fd: int, data: bytes) -> None:
    """Write all of this; nothing is left for later, when nobody could be told of a full disk."""
    left = memoryview(data)
    while left:
        left = left[os.write(fd, left) :]


def _append(file: IO[bytes], data: bytes) -> None:
    """Write all of this or nothing."""
    size = os.fstat(file.fileno()).st_size
    try:
        _write(file.fileno(), data)
    except OSError as exc:
        os.ftruncate(file.fileno(), size)
        again = "free space, and run the same command with --resume"
        raise unwritten(exc, again) from exc


def unwritten(exc: OSError, hint: str) -> BrowseError:
    """Build the error for results that cannot be written."""
    what = "the disk is full" if exc.errno in (errno.ENOSPC, errno.EDQUOT) else exc.strerror or exc
    return fault(f"The results cannot be written: {what}. What was written is whole.", hint)
