"""Which files may be read, and where output may be written.

Every check uses the real path, links resolved, and returns a type that only the check can
make. The caller passes the folders that are safe.
"""
# Not pathlib, which drops the "." and the final slashes that these checks must see.
# ruff: noqa: PTH116, PTH117, PTH118, PTH119, PTH120

import io
import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import InitVar, dataclass
from typing import BinaryIO, Self

import msgspec

from browse.core.errors import BrowseError, Code
from browse.guard.credentials import SEALED
from browse.guard.opening import new_file, open_file, open_folder
from browse.guard.path_errors import require_file, shown, unusable
from browse.guard.real_path import real_path

_SEAL = object()


class Roots(msgspec.Struct, frozen=True):
    """The folders that one caller may use, as real paths.

    `closed` lists files and folders that stay closed, whatever leads to them. Without `dots`, names
    that begin with a dot are closed too: `.git`, `.env`, what shells and programs run on their own.
    """

    folders: tuple[str, ...]
    closed: tuple[str, ...] = ()
    dots: bool = True

    @classmethod
    def of(cls, *folders: str, closed: tuple[str, ...] = (), dots: bool = True) -> Self:
        """Resolve the links in each folder's own path, and drop repetitions."""
        for folder in folders:
            # A relative root would silently mean the daemon's folder, not the caller's.
            if not os.path.isabs(folder):
                raise ValueError(f"a root must be an absolute path: {folder!r}")
        real = dict.fromkeys(os.path.realpath(folder) for folder in folders)
        return cls(tuple(real), closed, dots)

    def hold(self, real: str) -> bool:
        """Check whether a real path is one of the folders or lies below one, and is not closed."""
        below = any(self._is_below(folder.rstrip("/"), real) for folder in self.folders)
        return below and not self._is_closed(real)

    def _is_below(self, folder: str, real: str) -> bool:
        if real != folder and not real.startswith(folder + "/"):
            return False
        return self.dots or "/." not in real[len(folder) :]

    def _is_closed(self, real: str) -> bool:
        if any(real == path or real.startswith((f"{path}/", f"{path}.")) for path in self.closed):
            return True
        # By another name: a bind mount, a hard link, a file system that ignores case.
        return bool(self.closed) and not _identities(_upwards(real)).isdisjoint(
            _identities(self.closed)
        )


NO_FILES = Roots(())


def _upwards(real: str) -> list[str]:
    """List a path and all folders above it."""
    names = real.split("/")
    return ["/".join(names[:count]) for count in range(len(names), 1, -1)]


def _identities(paths: Iterable[str]) -> set[tuple[int, int]]:
    found = set()
    for path in paths:
        with suppress(OSError):  # it is not there
            about = os.stat(path)
            found.add((about.st_dev, about.st_ino))
    return found


@dataclass(frozen=True, slots=True)
class ReadPath:
    """A file that existed, regular, readable and inside a root; made by `check_read` only."""

    typed: str
    real: str
    seal: InitVar[object]

    def __post_init__(self, seal: object) -> None:
        if seal is not _SEAL:
            raise TypeError("a ReadPath is made by check_read only")

    def open(self) -> io.BufferedReader:
        """Open the file that was checked, and nothing that was put in its place since."""
        try:
            return open_file(self.real)
        except OSError as exc:
            raise unusable("read", self.typed, exc) from exc

    def read(self, limit: int) -> bytes:
        """Read at most `limit` bytes of it."""
        with self.open() as file:
            try:
                return file.read(limit)
            except OSError as exc:
                raise unusable("read", self.typed, exc) from exc


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
    real = real_path(raw, cwd)
    if not roots.hold(real):
        raise _outside(roots, real, "Name a file inside one of these folders.")
    try:
        require_file(os.lstat(real).st_mode, raw)
        open_file(real).close()
    except (FileNotFoundError, NotADirectoryError) as exc:
        hint = "Check the name: relative paths start at the folder that browse was called in."
        raise BrowseError(Code.FILE_UNUSABLE, f"File not found: {shown(raw)}", hint=hint) from exc
    except OSError as exc:
        raise unusable("read", raw, exc) from exc
    return ReadPath(raw, real, seal=_SEAL)


def check_write(raw: str, *, cwd: str, roots: Roots) -> WritePath:
    """Return a path for a file inside a root, whose folders may be missing; else raise."""
    real = real_path(raw, cwd)
    if not roots.hold(real):
        place = next(iter(roots.folders), ".")
        hint = f"Choose a file inside one of these folders, such as {place}/out."
        raise _outside(roots, real, hint)
    if os.path.basename(raw) in ("", ".", "..") or real in roots.folders:
        require_file(stat.S_IFDIR, raw)
    try:
        require_file(os.lstat(real).st_mode, raw)
    except FileNotFoundError:
        return WritePath(raw, real, seal=_SEAL)
    except OSError as exc:
        raise unusable("write", raw, exc) from exc
    return WritePath(raw, real, seal=_SEAL)


def write_output(path: WritePath, data: bytes | BinaryIO) -> int:
    """Write the whole file (0600) or nothing at all, and return the number of bytes.

    An open file as `data` is copied in chunks, so it may be larger than memory. In other data, what
    is sealed is masked.

    Missing folders are created 0700. No link is followed that was put on the path since the check.
    """
    with filling(path) as file:
        whole = io.BytesIO(SEALED.masked_bytes(data)) if isinstance(data, bytes) else data
        shutil.copyfileobj(whole, file)
        return file.tell()


@contextmanager
def filling(path: WritePath) -> Iterator[BinaryIO]:
    """Yield a file to write to; it appears, as by `write_output`, if the block succeeds."""
    parent, name = os.path.split(path.real)
    try:
        with open_folder(parent, create=True) as folder, new_file(folder, name) as file:
            yield file
    except OSError as exc:
        raise unusable("write", path.typed, exc) from exc


def _outside(roots: Roots, real: str, hint: str) -> BrowseError:
    if not roots.folders:
        return BrowseError(
            Code.PATH_REFUSED,
            "Files of the daemon's machine cannot be named from here.",
            hint="leave the file out; --base64, where there is one, puts it into the reply",
        )
    if Roots(roots.folders).hold(real):
        return BrowseError(
            Code.PATH_REFUSED,
            f"{shown(real)} is closed: it is browse's own, or only the owner may use it.",
            hint="Choose another file; names that begin with a dot are the owner's.",
        )
    message = f"Path must be within: {', '.join(roots.folders)}"
    return BrowseError(Code.PATH_REFUSED, message, hint=hint)
