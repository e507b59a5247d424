"""What is said about paths that cannot be used."""

import errno
import os
import stat
from typing import Literal

from browse.core.errors import BrowseError, Code

_SHOWN_CHARS = 200
_DENIED = ("permission is denied", "Change its permissions, or choose a file or folder you own.")
_FULL = ("no space is left for it", "Free some space, or choose a folder on another disk.")
_REASONS: dict[int, tuple[str, str]] = {
    errno.EACCES: _DENIED,
    errno.EPERM: _DENIED,
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: ("it is larger than the system allows", "Save less, or raise `ulimit -f`."),
    errno.EROFS: ("the file system is read-only", "Choose a folder that can be written."),
    errno.ELOOP: (
        "its links run in a circle, or a link took its place after the check",
        "Look at the links on its path with `ls -l`.",
    ),
    errno.ENOTDIR: (
        "something on its path is not a real folder (a file, or a link made after the check)",
        "Look at each folder of the path with `ls -ld`.",
    ),
    errno.EISDIR: ("it is a directory", "Name a file inside it."),
    errno.ENAMETOOLONG: ("a name in its path is too long", "Choose a shorter name."),
}


def shown(text: str) -> str:
    """Make foreign text safe for one line of a message: printable, encodable and short."""
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[:_SHOWN_CHARS])
    return line + "…" if len(text) > _SHOWN_CHARS else line


def unusable(act: Literal["read", "write", "follow"], typed: str, exc: OSError) -> BrowseError:
    """Build the error for a file that the system does not let us use."""
    system = (os.strerror(exc.errno or 0), "Look at the path with `ls -la`, or choose another.")
    reason, hint = _REASONS.get(exc.errno or 0, system)
    return BrowseError(Code.FILE_UNUSABLE, f"Cannot {act} {shown(typed)}: {reason}", hint=hint)


def require_file(mode: int, typed: str) -> None:
    """Raise if something is not a regular file."""
    if stat.S_ISDIR(mode):
        message = f"Not a file: {shown(typed)} is a directory"
        raise BrowseError(Code.FILE_UNUSABLE, message, hint="Name a file inside it.")
    if not stat.S_ISREG(mode):
        what = "a device, a pipe, a socket or a circular link"
        message = f"Not a regular file: {shown(typed)} is {what}"
        raise BrowseError(Code.FILE_UNUSABLE, message, hint="Name an ordinary file.")
