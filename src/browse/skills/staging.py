"""Write a skill: staged, tested there, and moved into its tier by one rename, or not at all.

Whenever this is interrupted, the tier has the whole skill or nothing of it. What is left staged is
removed by the next run.
"""

import errno
import os
import secrets
import shutil
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path, PurePosixPath

from browse.core.errors import BrowseError, Code
from browse.core.files import private_folder, unwritable
from browse.core.paths import Paths
from browse.skills.installed import Tier, check_name

PREFIX = "skillify-"
HIDDEN = f".{PREFIX}"
# A staged skill that nobody has approved after this time counts as forgotten.
FORGOTTEN_S = 86_400.0


def stage(paths: Paths, name: str, files: Mapping[str, bytes]) -> Path:
    """Write a skill's files to a staging folder of its name that only its owner can enter."""
    check_name(name)
    if not files:
        raise ValueError("a skill has files")
    for relative in files:
        _check_relative(relative)
    private_folder(paths.staging)
    _sweep(paths.staging)
    wrapper = paths.staging / f"{PREFIX}{secrets.token_hex(4)}-{time.time_ns() // 1_000_000}"
    try:
        wrapper.mkdir(mode=0o700)
        (wrapper / name).mkdir(mode=0o700)
        for relative, data in files.items():
            _write(wrapper / name / relative, data)
    except BaseException as exc:
        discard(wrapper / name)
        if isinstance(exc, OSError):
            raise unwritable(wrapper, exc) from exc
        raise
    return wrapper / name


def commit(staged: Path, root: Path, tier: Tier) -> Path:
    """Move a staged skill into a tier, in one step. An existing skill is never replaced."""
    name = check_name(staged.name)
    if not stat.S_ISDIR(os.lstat(staged).st_mode) or not _is_wrapper(staged.parent):
        raise _refused(name, "it is not a folder that was staged")
    if link := next((path for path in staged.rglob("*") if path.is_symlink()), None):
        raise _refused(name, f"{link.relative_to(staged)} is a link")
    private_folder(root)
    place = root.resolve() / name
    if os.path.lexists(place):
        raise _exists(name, tier)
    try:
        _move(staged, place)
    except OSError as exc:
        if exc.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
            raise _exists(name, tier) from exc  # another one was created meanwhile
        raise unwritable(place, exc) from exc
    discard(staged)
    return place


def staged(paths: Paths, name: str) -> Path:
    """Return the skill that waits for approval; of several with one name, the latest."""
    check_name(name)
    found = [
        wrapper / name
        for wrapper in (paths.staging.iterdir() if paths.staging.is_dir() else ())
        if _is_wrapper(wrapper) and (wrapper / name).is_dir()
    ]
    if not found:
        raise BrowseError(
            Code.SKILL_UNKNOWN,
            f'No skill "{name}" waits for approval.',
            hint=f"record one first: browse skill record {name} --stage",
        )
    return max(found, key=lambda it: it.parent.stat().st_mtime_ns)


def discard(staged: Path) -> None:
    """Remove a staged skill; it may be gone already."""
    if _is_wrapper(staged.parent):
        shutil.rmtree(staged.parent, ignore_errors=True)


def _is_wrapper(folder: Path) -> bool:
    return folder.name.startswith((PREFIX, HIDDEN)) and folder.is_dir() and not folder.is_symlink()


def _check_relative(relative: str) -> None:
    path = PurePosixPath(relative)
    if not path.parts or path.is_absolute() or ".." in path.parts or "\0" in relative:
        raise BrowseError(
            Code.PATH_REFUSED,
            f"A skill cannot have a file {relative[:80]!r}.",
            hint="name files inside the skill's folder",
        )


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(data)


def _move(staged: Path, place: Path) -> None:
    """Rename; across file systems, copy to a name that no tier lists, and rename from there."""
    _sync(staged)
    try:
        staged.rename(place)
    except OSError as exc:
        if exc.errno != errno.EXDEV:
            raise
        _sweep(place.parent)
        near = place.parent / f"{HIDDEN}{secrets.token_hex(4)}"
        try:
            shutil.copytree(staged, near)
            _sync(near)
            near.rename(place)
        finally:
            shutil.rmtree(near, ignore_errors=True)


def _sync(folder: Path) -> None:
    """Write the files to the disk before the rename: a power cut must not leave an empty skill."""
    for path in folder.rglob("*"):
        if path.is_file():
            fd = os.open(path, os.O_RDONLY)
            try:
                os.fsync(fd)
            finally:
                os.close(fd)


def _sweep(staging: Path) -> None:
    """Remove what was forgotten, or left by a process that was killed."""
    with suppress(OSError):  # tidying up is never worth a failure
        for folder in staging.iterdir():
            if _is_wrapper(folder) and time.time() - folder.stat().st_mtime > FORGOTTEN_S:
                shutil.rmtree(folder, ignore_errors=True)


def _exists(name: str, tier: Tier) -> BrowseError:
    flag = " --global" if tier is Tier.GLOBAL else ""
    return BrowseError(
        Code.SKILL_EXISTS,
        f'Skill "{name}" is in tier {tier} already; nothing was changed.',
        hint=f"choose another name, or remove it first: browse skill rm {name}{flag}",
    )


def _refused(name: str, reason: str) -> BrowseError:
    return BrowseError(
        Code.SKILL_INVALID,
        f'Skill "{name}" was not put into place: {reason}.',
        hint="stage it again",
    )
