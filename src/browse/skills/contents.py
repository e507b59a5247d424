"""The files of a skill: whose they are, and the hash that stands for all of them."""

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from browse.core.errors import BrowseError, Code
from browse.skills.installed import Skill, is_ours

MAX_FILES = 5_000
MAX_BYTES = 64 * 1024 * 1024
_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH


def check_owner(skill: Skill) -> None:
    """Raise if a file of a skill belongs to another user of this machine."""
    for path, facts in _walk(skill):
        if not is_ours(facts):
            raise _refused(skill, path, f"belongs to another user (uid {facts.st_uid})")


def digest(skill: Skill) -> str:
    """Return the hash of all files of a skill, their names included.

    Raises if another user could change what was read before it runs: a file or folder of theirs or
    that they may write to, or a link.
    """
    _check_parents(skill)
    total, found = 0, hashlib.sha256()
    for path, facts in sorted(_walk(skill), key=lambda it: str(it[0])):
        if not stat.S_ISREG(facts.st_mode) and not stat.S_ISDIR(facts.st_mode):
            raise _refused(skill, path, "is neither a file nor a folder")
        if not is_ours(facts) or _others_write(facts):
            raise _refused(skill, path, "can be changed by another user")
        if stat.S_ISDIR(facts.st_mode):
            continue
        if (total := total + facts.st_size) > MAX_BYTES:
            raise _refused(skill, path, f"makes it larger than {MAX_BYTES} bytes")
        name = os.fsencode(path.relative_to(skill.folder))
        found.update(b"%d %s %d\n" % (len(name), name, facts.st_size) + _read(path, facts.st_size))
    return found.hexdigest()


def _walk(skill: Skill) -> Iterator[tuple[Path, os.stat_result]]:
    folder, count = skill.folder, 0
    yield folder, os.lstat(folder)
    for root, folders, files in os.walk(folder, onerror=_raise):
        for name in (*folders, *files):
            if (count := count + 1) > MAX_FILES:
                raise _refused(skill, folder, f"has more than {MAX_FILES} files")
            path = Path(root, name)
            yield path, os.lstat(path)


def _raise(problem: OSError) -> None:
    raise problem


def _read(path: Path, size: int) -> bytes:
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    with os.fdopen(fd, "rb") as file:
        return file.read(size + 1)


def _check_parents(skill: Skill) -> None:
    """Raise if somebody else could put another folder in the place of the skill's."""
    for path in skill.folder.resolve().parents:
        facts = os.lstat(path)
        sticky = facts.st_mode & stat.S_ISVTX
        if not is_ours(facts) or (_others_write(facts) and not sticky):
            raise _refused(skill, path, "can be changed by another user")


def _others_write(facts: os.stat_result) -> bool:
    writers = facts.st_mode & _BY_OTHERS
    return bool(writers) and (writers != stat.S_IWGRP or not _is_own_group(facts.st_gid))


def _is_own_group(gid: int) -> bool:
    """Check for the group that many systems make for each user, named after the user."""
    import grp  # only a folder that a group may write to comes here
    import pwd

    try:
        return not gid or grp.getgrgid(gid).gr_name == pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a container that does not know its user
        return False


def _refused(skill: Skill, path: Path, why: str) -> BrowseError:
    return BrowseError(
        Code.SKILL_INVALID,
        f'Skill "{skill.name}" ({skill.tier}): {path} {why}.',
        hint="make its files yours and writable by you alone (chown, chmod go-w), "
        "or copy it to ~/.gstack/browser-skills",
    )
