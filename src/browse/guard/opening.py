"""Open files and folders by their real path, name by name, without following links.

What was put on the path after a check, be it a link or something that is not a file, stops the
opening and does not redirect it. What remains: whoever can move an open folder, or mount over it,
takes it along.
"""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from typing import BinaryIO


def _flags(*names: str) -> int:
    return sum(getattr(os, name, 0) for name in names)


# O_PATH, where there is one, asks only for search permission: /home is often closed to listing.
_FOLDER = _flags("O_PATH", "O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC")
_NEW_FILE = _flags("O_WRONLY", "O_CREAT", "O_EXCL", "O_NOFOLLOW", "O_CLOEXEC")
# O_NONBLOCK: a pipe would otherwise block until somebody writes to it.
_READ = _flags("O_RDONLY", "O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC")


def open_file(real: str) -> BufferedReader:
    """Open a regular file for reading."""
    parent, name = os.path.split(real)
    with open_folder(parent) as folder:
        fd = os.open(name, _READ, dir_fd=folder)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise OSError(errno.EINVAL, "not a regular file")
    return os.fdopen(fd, "rb")


@contextmanager
def open_folder(real: str, *, create: bool = False) -> Iterator[int]:
    """Open a folder; create it and those above it, mode 0700, if asked to."""
    folder = os.open("/", _FOLDER)
    try:
        for name in filter(None, real.split("/")):
            child = _child(folder, name, create=create)
            os.close(folder)
            folder = child
        yield folder
    finally:
        os.close(folder)


def _child(folder: int, name: str, *, create: bool) -> int:
    try:
        return os.open(name, _FOLDER, dir_fd=folder)
    except FileNotFoundError:
        if not create:
            raise
        # Another command may create the same folder at the same moment; that is fine.
        with suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=folder)
        return os.open(name, _FOLDER, dir_fd=folder)


@contextmanager
def new_file(folder: int, name: str) -> Iterator[BinaryIO]:
    """Yield a new file, mode 0600; it replaces one of that name if the block succeeds."""
    draft = f".browse-{secrets.token_hex(8)}.tmp"
    fd = os.open(draft, _NEW_FILE, 0o600, dir_fd=folder)
    try:
        with os.fdopen(fd, "wb") as file:
            yield file
        os.replace(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        # The first error is the one to report; a draft that cannot be removed does no harm.
        with suppress(OSError):
            os.unlink(draft, dir_fd=folder)
        raise
