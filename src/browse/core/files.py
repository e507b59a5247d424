"""Private files of ours: 0600, in 0700 folders, written whole or not at all."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from browse.core.errors import BrowseError, Code


def private_folder(path: Path) -> Path:
    """Create a folder (and its parents) that only its owner can enter."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as exc:
        raise unwritable(path, exc) from exc
    return path


def write_private(path: Path, data: bytes) -> None:
    """Replace a file of ours in one step; a full disk or a crash leaves the old one intact."""
    try:
        with replaced(path) as out:
            out.write(data)
    except OSError as exc:
        raise unwritable(path, exc) from exc


@contextmanager
def replaced(path: Path) -> Iterator[IO[bytes]]:
    """Open a private file that takes the place of another when all of it is written."""
    temporary = path.with_name(f"{path.name}.tmp.{os.getpid()}.{os.urandom(4).hex()}")
    try:
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(fd, "wb") as out:
            yield out
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def unwritable(path: Path, exc: OSError) -> BrowseError:
    """Build the error for a file of ours that could not be written."""
    reason = os.strerror(exc.errno) if exc.errno else str(exc)
    name = errno.errorcode.get(exc.errno or 0, "unknown")
    return BrowseError(
        Code.STATE_UNUSABLE,
        f"Cannot write {path}: {reason} ({name}).",
        hint="free space or fix the permissions there, or set BROWSE_STATE_FILE to another place",
    )
