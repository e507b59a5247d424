"""The temporary folder of the driver and Chromium, so that no profile outlives them.

In good order they remove what they made. When one of them is killed it cannot: then we do, and
where we were killed too, our successor in the same project does.
"""

import os
import shutil
import stat
import tempfile
from pathlib import Path

from browse.core.errors import BrowseError
from browse.core.files import unwritable, write_private
from browse.core.paths import temp_folder

PREFIX = "browse-"
# Chromium puts a socket two folders below, and the address of a socket has 107 characters at most.
MAX_PARENT_CHARS = 40


class Scratch:
    """A folder in the system's temporary one, and the note of it that outlives us."""

    def __init__(self, note: Path) -> None:
        self._note = note

    def make(self) -> Path:
        """Make the folder, after removing one that was left behind."""
        self.remove()
        usual = Path(tempfile.gettempdir())  # noqa: TID251 - TMPDIR is the driver's, and we pass it on
        roomy = len(str(usual)) <= MAX_PARENT_CHARS
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=usual if roomy else temp_folder()))
        try:
            write_private(self._note, str(folder).encode("utf-8", "surrogateescape"))
        except BrowseError:
            folder.rmdir()  # without the note nobody would
            raise
        return folder

    def folder(self) -> Path:
        """Make a private folder inside of it, for a file that is not finished yet."""
        try:
            parent = self._note.read_bytes().decode("utf-8", "surrogateescape")
            return Path(tempfile.mkdtemp(dir=parent))
        except OSError as exc:
            raise unwritable(self._note, exc) from exc

    def remove(self) -> None:
        """Remove the folder that the note names; the note stays while something is left of it."""
        try:
            folder = Path(self._note.read_bytes().decode("utf-8", "surrogateescape"))
        except FileNotFoundError:
            return
        if not _is_ours(folder):
            self._note.unlink(missing_ok=True)  # a checkout may bring such a note along
            return
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            self._note.unlink(missing_ok=True)


def _is_ours(folder: Path) -> bool:
    """Tell whether a folder is one that `make` makes here: nothing else is ever removed."""
    parents = {Path(tempfile.gettempdir()), temp_folder()}  # noqa: TID251 - as in `make`
    if folder.parent not in parents or not folder.name.startswith(PREFIX):
        return False
    try:
        found = folder.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()
