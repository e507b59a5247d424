"""The state folder: private to its owner, and kept out of git."""

import contextlib
import errno
import os

from browse import _exit, _where
from browse.client.wire import Failure

REASONS = {
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ENOTDIR: "a file is in the way at that path",
    errno.EEXIST: "a file is in the way at that path",
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
}


# Skills and notes of the project can be committed, without what was removed or is being written.
IGNORED = b"/*\n!/browser-skills/\n!/domain-skills/\n/*/.*\n"


def prepare(path: str) -> None:
    """Create the state folder, private to its owner; git sees only its skills and notes."""
    folder = os.path.dirname(path)
    try:
        os.makedirs(folder, 0o700, exist_ok=True)
        if os.path.basename(folder) == _where.STATE_DIR:
            _check_owner(folder)
            _ignore_in_git(folder)
    except OSError as exc:
        raise _no_folder(folder, REASONS.get(exc.errno or 0, str(exc.strerror))) from exc


def _no_folder(folder: str, why: str) -> Failure:
    return Failure(
        _exit.UNREACHABLE,
        f"Cannot create state directory {folder}: {why}.",
        "Choose another place with BROWSE_STATE_FILE=<path of a file in a folder of yours>.",
    )


def _check_owner(folder: str) -> None:
    # In a place such as /tmp somebody else may have put the folder there first. Elsewhere root may
    # go on: in a container it commonly works in a project that belongs to a user of the host.
    owner = os.stat(folder).st_uid
    planted = _where.is_planted(folder, os.path.dirname(folder))
    if os.getuid() not in (0, owner) or planted:
        raise _no_folder(folder, "it belongs to another user")


def _ignore_in_git(folder: str) -> None:
    with contextlib.suppress(FileExistsError):  # the project's own wins
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        fd = os.open(f"{folder}/.gitignore", flags, 0o600)
        try:
            os.write(fd, IGNORED)
        except OSError:  # an empty one would pass for the project's own
            os.unlink(f"{folder}/.gitignore")
            raise
        finally:
            os.close(fd)
