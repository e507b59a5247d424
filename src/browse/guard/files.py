"""Which files may be read, and where output may be written.

Every check uses the real path, links resolved, and returns a type that only the check can
make. The caller passes the folders that are safe.
"""
# Not pathlib, which drops the "." and the final slashes that these checks must see.
# ruff: noqa: PTH111, PTH117, PTH118, PTH119, PTH120

import errno
import io
import os
import re
import shlex
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import InitVar, dataclass
from typing import BinaryIO, Literal, Self

from browse.core.errors import BrowseError, Code, Usage
from browse.guard.opening import new_file, open_file, open_folder

_SEAL = object()
_SHOWN_CHARS = 200
_UNUSABLE_CHARS = re.compile("[\0\ud800-\udfff]")

_DENIED = ("permission is denied", "Change its permissions, or choose a file or folder you own.")
_FULL = ("no space is left for it", "Free some space, or choose a folder on another disk.")
_REASONS: dict[int, tuple[str, str]] = {
    errno.EACCES: _DENIED,
    errno.EPERM: _DENIED,
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: ("it is larger than the system allows", "Save less, or raise `ulimit -f`."),
    errno.EROFS: ("the file system is read-only", "Choose a folder that can be written."),
    errno.ELOOP: ("its links run in a circle", "Look at the links on its path with `ls -l`."),
    errno.ENOTDIR: (
        "something on its path is not a real folder (a file, or a link made after the check)",
        "Look at each folder of the path with `ls -ld`.",
    ),
    errno.EISDIR: ("it is a directory", "Name a file inside it."),
    errno.ENAMETOOLONG: ("a name in its path is too long", "Choose a shorter name."),
}


@dataclass(frozen=True, slots=True)
class Roots:
    """The folders that one caller may read from and write to, as real paths.

    `closed` names folders below them that it may not enter, at whatever depth.
    """

    folders: tuple[str, ...]
    closed: tuple[str, ...] = ()

    @classmethod
    def of(cls, *folders: str) -> Self:
        """Resolve the links in each folder's own path, and drop repetitions."""
        for folder in folders:
            # A relative root would silently mean the daemon's folder, not the caller's.
            if not os.path.isabs(folder):
                raise ValueError(f"a root must be an absolute path: {folder!r}")
        return cls(tuple(dict.fromkeys(os.path.realpath(folder) for folder in folders)))

    def hold(self, real: str) -> bool:
        """Check whether a real path is one of the folders or lies below one."""
        return any(self._is_below(folder.rstrip("/"), real) for folder in self.folders)

    def _is_below(self, folder: str, real: str) -> bool:
        if real != folder and not real.startswith(folder + "/"):
            return False
        return not any(part in self.closed for part in real[len(folder) :].split("/"))


@dataclass(frozen=True, slots=True)
class ReadPath:
    """A file that existed, regular, readable and inside a root; made by `check_read` only."""

    typed: str
    real: str
    seal: InitVar[object]

    def __post_init__(self, seal: object) -> None:
        if seal is not _SEAL:
            raise TypeError("a ReadPath is made by check_read only")

    def open(self) -> BinaryIO:
        """Open the file that was checked, and nothing that was put in its place since."""
        try:
            return open_file(self.real)
        except OSError as exc:
            raise _unusable("read", shown(self.typed), exc) from exc

    def read(self, limit: int) -> bytes:
        """Read at most `limit` bytes of it."""
        with self.open() as file:
            try:
                return file.read(limit)
            except OSError as exc:
                raise _unusable("read", shown(self.typed), exc) from exc


@dataclass(frozen=True, slots=True)
class WritePath:
    """A path inside a root where a file may be written; made by `check_write` only."""

    typed: str
    real: str
    seal: InitVar[object]

    def __post_init__(self, seal: object) -> None:
        if seal is not _SEAL:
            raise TypeError("a WritePath is made by check_write only")

    def beside(self, name: str) -> "WritePath":
        """Return another path in the same folder; the name is ours, not a caller's."""
        folder = os.path.dirname(self.real)
        return WritePath(name, os.path.join(folder, os.path.basename(name)), seal=_SEAL)


def check_read(raw: str, *, cwd: str, roots: Roots) -> ReadPath:
    """Return an existing, readable, regular file inside a root; raise for any other path.

    The policy is checked before the disk, so that refusals do not reveal which files exist.
    """
    typed = shown(raw)
    real = _real_path(raw, cwd)
    if not roots.hold(real):
        place = next(iter(roots.folders), ".")
        command = f"cp {shlex.quote(typed)} {shlex.quote(place)}/"
        raise _outside(roots, f"Copy the file into one of these folders first: {command}")
    try:
        _require_file(os.lstat(real).st_mode, typed)
        open_file(real).close()
    except (FileNotFoundError, NotADirectoryError) as exc:
        hint = "Check the name: relative paths start at the folder that browse was called in."
        raise BrowseError(Code.FILE_UNUSABLE, f"File not found: {typed}", hint=hint) from exc
    except OSError as exc:
        raise _unusable("read", typed, exc) from exc
    return ReadPath(raw, real, seal=_SEAL)


def check_write(raw: str, *, cwd: str, roots: Roots) -> WritePath:
    """Return a path for a file inside a root, whose folders may be missing; else raise."""
    typed = shown(raw)
    real = _real_path(raw, cwd)
    if not roots.hold(real):
        place = next(iter(roots.folders), ".")
        raise _outside(roots, f"Choose a file inside one of these folders, such as {place}/out.")
    if os.path.basename(raw) in ("", ".", "..") or real in roots.folders:
        _require_file(stat.S_IFDIR, typed)
    try:
        _require_file(os.lstat(real).st_mode, typed)
    except FileNotFoundError:
        return WritePath(raw, real, seal=_SEAL)
    except OSError as exc:
        raise _unusable("write", typed, exc) from exc
    return WritePath(raw, real, seal=_SEAL)


def write_output(path: WritePath, data: bytes | BinaryIO) -> int:
    """Write the whole file (0600) or nothing at all, and return the number of bytes.

    An open file as `data` is copied in chunks, so it may be larger than memory.

    Missing folders are created 0700. No link is followed that was put on the path since the check.
    """
    with filling(path) as file:
        shutil.copyfileobj(io.BytesIO(data) if isinstance(data, bytes) else data, file)
        return file.tell()


@contextmanager
def filling(path: WritePath) -> Iterator[BinaryIO]:
    """Yield a file to write to; it appears, as by `write_output`, if the block succeeds."""
    parent, name = os.path.split(path.real)
    try:
        with open_folder(parent, create=True) as folder, new_file(folder, name) as file:
            yield file
    except OSError as exc:
        raise _unusable("write", shown(path.typed), exc) from exc


def shown(text: str) -> str:
    """Make foreign text safe for one line of a message: printable, encodable and short."""
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[:_SHOWN_CHARS])
    return line + "…" if len(text) > _SHOWN_CHARS else line


def _real_path(raw: str, cwd: str) -> str:
    if not raw:
        raise Usage("No file is named.", hint="Give a path, such as ./page.html.")
    _require_text(raw)
    _require_text(cwd)
    if not os.path.isabs(cwd):
        raise Usage(f"Not an absolute working folder: {shown(cwd)}", hint="Give absolute paths.")
    # `~name` stays as it is: another user's home is never a safe folder, and such files exist.
    if raw == "~" or raw.startswith("~/"):
        raw = os.path.expanduser(raw)
    real = os.path.realpath(os.path.join(cwd, raw))
    _require_text(real)
    # Where links run in a circle, realpath gives up and cuts the ".." after it as mere text; what
    # is left may hold links that nobody looked at. Only a path that stays put is a real one.
    if os.path.realpath(real) != real:
        raise _unusable("follow", shown(raw), OSError(errno.ELOOP, ""))
    return real


def _require_text(path: str) -> None:
    if _UNUSABLE_CHARS.search(path):
        hint = "Take the NUL or the broken Unicode character out of the path."
        raise Usage(f"Not a usable path: {shown(path)}", hint=hint)


def _require_file(mode: int, typed: str) -> None:
    if stat.S_ISDIR(mode):
        hint = "Name a file inside it."
        raise BrowseError(Code.FILE_UNUSABLE, f"Not a file: {typed} is a directory", hint=hint)
    if not stat.S_ISREG(mode):
        message = f"Not a regular file: {typed} is a device, a pipe, a socket or a circular link"
        raise BrowseError(Code.FILE_UNUSABLE, message, hint="Name an ordinary file.")


def _outside(roots: Roots, hint: str) -> BrowseError:
    if not roots.folders:
        return BrowseError(
            Code.PATH_REFUSED,
            "Files of the daemon's machine cannot be named from here.",
            hint="leave the file out; --base64, where there is one, puts it into the reply",
        )
    message = f"Path must be within: {', '.join(roots.folders)}"
    return BrowseError(Code.PATH_REFUSED, message, hint=hint)


def _unusable(act: Literal["read", "write", "follow"], typed: str, exc: OSError) -> BrowseError:
    system = (os.strerror(exc.errno or 0), "Look at the path with `ls -la`, or choose another.")
    reason, hint = _REASONS.get(exc.errno or 0, system)
    return BrowseError(Code.FILE_UNUSABLE, f"Cannot {act} {typed}: {reason}", hint=hint)
