"""Which files each caller may read and write, and where its output goes by default.

The owner uses the project and the temporary folder. An agent reads the project, without names that
begin with a dot, and writes only to a folder of its own. Files of browse itself are closed to all.
"""

import hashlib
import os
import re
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

from browse.auth.caller import Caller
from browse.core.files import unwritable
from browse.core.paths import USUAL_TEMP, Paths, temp_folder
from browse.core.scopes import Surface
from browse.guard.files import NO_FILES, Roots

_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]+")
MAX_NAME_CHARS = 40
# A remote caller cannot remove its files, so the oldest go.
MAX_REMOTE_FILES = 100


@dataclass(frozen=True, slots=True)
class CallerFiles:
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
        if caller.is_owner:
            return self._folder()
        if caller.name not in self._names:
            name = _NOT_IN_A_NAME.sub("-", caller.name)[:MAX_NAME_CHARS]
            self._names[caller.name] = f"{name}-{token_hex(4)}"
        return f"{self._folder()}/{self._names[caller.name]}"

    def make_room(self, caller: Caller) -> None:
        """Remove the oldest files of a remote caller, so that one more is not too many."""
        if caller.surface is Surface.LOCAL:
            return
        with suppress(OSError):  # nothing was written yet
            files = sorted(Path(self.own(caller)).iterdir(), key=lambda it: it.lstat().st_mtime_ns)
            for file in files[: max(0, len(files) - MAX_REMOTE_FILES + 1)]:
                file.unlink()

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
