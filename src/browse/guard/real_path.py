"""The real path that a typed one leads to, links resolved.

A link that another user made in a folder where all may write, such as /tmp, is refused: they could
lead a path of ours to any file of ours. Linux has the same rule, where it is not turned off.
"""
# Not pathlib, which drops the "." and the final slashes that must be seen here.
# ruff: noqa: PTH111, PTH115, PTH116, PTH117, PTH118, PTH120

import errno
import os
import re
import stat

from browse.core.errors import BrowseError, Code, Usage
from browse.guard.path_errors import shown, unusable

MAX_LINKS = 40
_UNUSABLE_CHARS = re.compile("[\0\ud800-\udfff]")


def real_path(raw: str, cwd: str) -> str:
    """Return the real path; what is missing at its end stays as it is."""
    if not raw:
        raise Usage("No file is named.", hint="Give a path, such as ./page.html.")
    _require_text(raw)
    _require_text(cwd)
    if not os.path.isabs(cwd):
        raise Usage(f"Not an absolute working folder: {shown(cwd)}", hint="Give absolute paths.")
    # `~name` stays as it is: another user's home is never a safe folder, and such files exist.
    if raw == "~" or raw.startswith("~/"):
        raw = os.path.expanduser(raw)
    real = _resolved(os.path.join(cwd, raw), shown(raw))
    _require_text(real)
    return real


def _resolved(path: str, typed: str) -> str:
    """Resolve a path name by name, as the system does."""
    names, real, links = path.split("/")[::-1], "/", 0
    while names:
        name = names.pop()
        if name in ("", "."):
            continue
        if name == "..":
            real = os.path.dirname(real)
            continue
        here = os.path.join(real, name)
        target = _target(here)
        if target is None:
            real = here
            continue
        links += 1
        if links > MAX_LINKS:
            raise unusable("follow", typed, OSError(errno.ELOOP, ""))
        if _is_a_trap(here, real):
            raise _foreign(here)
        names += target.split("/")[::-1]
        real = "/" if target.startswith("/") else real
    return real


def _target(path: str) -> str | None:
    """Return where a link leads; None if it is not a link, or not there."""
    try:
        return os.readlink(path)
    except OSError:
        return None


def _is_a_trap(link: str, folder: str) -> bool:
    """Check whether neither we nor the owner of a shared folder made a link in it."""
    try:
        around, owner = os.stat(folder), os.lstat(link).st_uid
    except OSError:
        return True
    shared = around.st_mode & stat.S_ISVTX and around.st_mode & stat.S_IWOTH
    return bool(shared) and owner not in (os.geteuid(), around.st_uid)


def _foreign(link: str) -> BrowseError:
    return BrowseError(
        Code.PATH_REFUSED,
        f"{shown(link)} is a link that another user made in a shared folder.",
        hint="Name the file itself, if you trust it, or use a folder of your own.",
    )


def _require_text(path: str) -> None:
    if _UNUSABLE_CHARS.search(path):
        hint = "Take the NUL or the broken Unicode character out of the path."
        raise Usage(f"Not a usable path: {shown(path)}", hint=hint)
