"""The temporary folder of the driver and Chromium, so that no profile is left behind.

Usually they remove their own files. If one of them is killed, we remove them; if we are killed too,
the next daemon of the project does.
"""

import errno
import os
import shutil
import stat
import tempfile
from pathlib import Path

from browse.core.errors import BrowseError
from browse.core.files import unwritable, write_private
from browse.core.paths import USUAL_TEMP, temp_folder

PREFIX = "browse-"
# Chromium creates a socket two folders below, and a socket's path has 107 characters at most.
MAX_PARENT_CHARS = 40


class Scratch:
    """A folder in the system's temporary folder, and a note with its path for the next daemon."""

    def __init__(self, note: Path) -> None:
        self._note = note

    def make(self) -> Path:
        """Create the folder, after removing one that was left behind."""
        self.remove()
        usual = temp_folder()
        roomy = len(str(usual)) <= MAX_PARENT_CHARS
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=usual if roomy else USUAL_TEMP))
        try:
            write_private(self._note, str(folder).encode("utf-8", "surrogateescape"))
        except BrowseError:
            folder.rmdir()  # without the note it would never be removed
            raise
        return folder

    def folder(self) -> Path:
        """Create a private folder inside it, for an unfinished file."""
        try:
            return Path(tempfile.mkdtemp(dir=self._parent()))
        except OSError as exc:
            raise unwritable(self._note, exc) from exc

    def downloads(self) -> Path:
        """Return the private folder inside it in which Chromium puts what pages download."""
        try:
            folder = self._parent() / "downloads"
            folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as exc:
            raise unwritable(self._note, exc) from exc
        return folder

    def _parent(self) -> Path:
        parent = Path(self._note.read_bytes().decode("utf-8", "surrogateescape"))
        if not _is_ours(parent):  # somebody else may have written the note since
            raise NotADirectoryError(errno.ENOTDIR, "not a folder of ours")
        return parent

    def remove(self) -> None:
        """Remove the folder that the note names; keep the note if something of it is left."""
        try:
            folder = Path(self._note.read_bytes().decode("utf-8", "surrogateescape"))
        except FileNotFoundError:
            return
        if not _is_ours(folder):
            self._note.unlink(missing_ok=True)  # the note may come from a git checkout
            return
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            self._note.unlink(missing_ok=True)


def _is_ours(folder: Path) -> bool:
    """Check whether `make` can have created a folder: nothing else is ever removed."""
    if folder.parent not in (temp_folder(), USUAL_TEMP) or not folder.name.startswith(PREFIX):
        return False
    try:
        found = folder.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
