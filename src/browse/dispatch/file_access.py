"""Which files each caller may read and write, and where its output goes by default.

The owner uses the project and the temporary folder. An agent reads the project, without names that
begin with a dot, and writes only to a folder of its own. Files of browse itself are closed to all.
"""

import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

import msgspec

from browse.auth.caller import Caller
from browse.core.clock import elapsed
from browse.core.files import unwritable
from browse.core.paths import USUAL_TEMP, Paths, temp_folder
from browse.core.scopes import Surface
from browse.guard.files import NO_FILES, Roots

_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]+")
MAX_NAME_CHARS = 40
# A remote caller cannot remove its files, so the oldest go.
MAX_REMOTE_FILES = 100
# Output that nobody gave a name is kept so long; of more entries than that, the oldest go earlier,
# but none that its caller was told of within the last hour.
KEPT_S = 7 * 86_400.0
MAX_ENTRIES = 1000
TOLD_S = 3_600.0
SWEEP_S = 3_600.0


class CallerFiles(msgspec.Struct, frozen=True):
    """The folders of one caller: to read from, and to write to."""

    reads: Roots
    writes: Roots


class FileAccess:
    """The folders of all callers of a daemon."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self._closed: tuple[str, ...] | None = None
        self._usual: dict[bool, Roots] = {}
        self._journals: Roots | None = None
        self._names: dict[str, str] = {}  # of the folders of callers
        self._spare = ""
        self._swept = float("-inf")

    def of(self, caller: Caller) -> CallerFiles:
        """Return the folders of a caller."""
        if caller.surface is not Surface.LOCAL:
            return CallerFiles(NO_FILES, NO_FILES)
        closed, project = self._private(), str(self._paths.project)
        if caller.folders is not None:
            mine = Roots.of(*caller.folders, closed=closed)
            return CallerFiles(mine, mine)
        if caller.reads_as_agent:
            own = self.own(caller)
            reads = Roots.of(own, project, closed=closed, dots=False)
            return CallerFiles(reads, Roots.of(own, closed=closed, dots=False))
        if caller.is_owner not in self._usual:  # asked for with every command
            made = Roots.of(*_temporary(), project, closed=closed, dots=caller.is_owner)
            self._usual[caller.is_owner] = made
        usual = self._usual[caller.is_owner]
        return CallerFiles(usual, usual)

    def journals(self, caller: Caller) -> Roots:
        """Return the files with the steps of this project; `replay` shows a caller its own."""
        if caller.surface is not Surface.LOCAL or caller.folders is not None:
            return NO_FILES
        if self._journals is None:
            journal = str(self._paths.flow_journal)
            self._journals = Roots.of(journal, f"{journal}.1")
        return self._journals

    def own(self, caller: Caller) -> str:
        """Return the folder for output that a caller did not name; nobody else gets files there."""
        return self.own_of(caller.owner)

    def own_of(self, client: str) -> str:
        """Return this folder of the client that a tab belongs to; "" is the owner."""
        if not client:
            return self._folder()
        if client not in self._names:
            name = _NOT_IN_A_NAME.sub("-", client)[:MAX_NAME_CHARS]
            self._names[client] = f"{name}-{token_hex(4)}"
        return f"{self._folder()}/{self._names[client]}"

    def make_room(self, caller: Caller) -> None:
        """Remove the oldest files, of a remote caller so that one more is not too many."""
        now = elapsed()
        if now - self._swept >= SWEEP_S:
            self._swept = now
            self._sweep()
        if caller.surface is Surface.LOCAL:
            return
        with suppress(OSError):  # nothing was written yet
            files = sorted(Path(self.own(caller)).iterdir(), key=lambda it: it.lstat().st_mtime_ns)
            for file in files[: max(0, len(files) - MAX_REMOTE_FILES + 1)]:
                file.unlink()

    def _sweep(self) -> None:
        """Remove output that is old, in the owner's folder and in those of agents."""
        own = Path(self._folder())
        for folder in [own, *(it for it in _entries(own) if _is_folder(it))]:
            for entry in _outdated(folder):
                _remove(entry)

    def fetchable(self, caller: Caller) -> Roots:
        """Return the folders whose files a caller may fetch over HTTP."""
        if caller.is_owner:
            return Roots.of(*_temporary(), closed=self._private())
        return Roots.of(self.own(caller), closed=self._private())

    def forget(self, client: str) -> None:
        """Give a later client of the same name a folder of its own."""
        self._names.pop(client, None)

    def _private(self) -> tuple[str, ...]:
        if self._closed is None:
            self._closed = self._paths.private()
        return self._closed

    def _folder(self) -> str:
        """Return a folder that only this user can enter, and only this project uses."""
        project = hashlib.sha256(os.fsencode(self._paths.state_file)).hexdigest()[:8]
        name = f"browse-{os.getuid()}-{project}"
        folder = temp_folder().resolve() / name
        if self._spare or not _is_private(folder):
            # Somebody else has the name in a folder that all users share.
            self._spare = self._spare or tempfile.mkdtemp(prefix=f"{name}-", dir=folder.parent)
            return self._spare
        return str(folder)


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:  # nothing was written yet, or it is gone
        return []


def _is_folder(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _outdated(folder: Path) -> list[Path]:
    """List what may go: what is too old, and the oldest of too many."""
    ages = sorted(((_age_s(it), it) for it in _entries(folder)), reverse=True)
    surplus = len(ages) - MAX_ENTRIES
    return [
        it for at, (age, it) in enumerate(ages) if age > KEPT_S or (at < surplus and age > TOLD_S)
    ]


def _age_s(path: Path) -> float:
    """Return how long ago something was last written, here or in it; 0 if that is not known."""
    try:
        inside = [it.lstat() for it in path.iterdir()] if _is_folder(path) else []
        # When it came here counts as well: a file may keep the date that its server gave it.
        dates = [max(it.st_mtime, it.st_ctime) for it in (path.lstat(), *inside)]
    except OSError:
        return 0.0
    return time.time() - max(dates)


def _remove(path: Path) -> None:
    with suppress(OSError):  # somebody else removed it
        if _is_folder(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()


def _temporary() -> list[str]:
    """List the temporary folders: that of TMPDIR, and the usual one."""
    return [str(temp_folder()), *([str(USUAL_TEMP)] if USUAL_TEMP.is_dir() else [])]


def _is_private(folder: Path) -> bool:
    """Create a folder unless it exists; check whether only we can enter it."""
    try:
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        about = folder.lstat()
    except OSError as exc:
        raise unwritable(folder, exc) from exc
    ours = stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid()
    return ours and not about.st_mode & 0o077
