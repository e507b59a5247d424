"""The owner's decisions on skills, kept by the hash of their files: trusted, or approved.

A trusted skill runs without the sandbox. An approved one was installed by `record` or `approve`: it
is not held by automation. Any change of a file ends both, and no file of a skill can claim either.
"""

import os
import stat
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

import msgspec

from browse.core.clock import stamp
from browse.core.errors import BrowseError
from browse.core.files import private_folder, write_private
from browse.skills import contents
from browse.skills.installed import Skill, Tier

MAX_RECORD_BYTES = 65_536


class Trust(StrEnum):
    """Whether a skill runs without the sandbox, and why not."""

    GIVEN = "trusted"
    CHANGED = "changed since it was trusted"
    ASKED = "asks to be trusted"
    NONE = "not trusted"


class SkillDecision(msgspec.Struct, frozen=True):
    """What the owner decided on one content: when it was trusted, when approved; "" for never."""

    skill: str
    folder: str
    trusted: str = ""
    approved: str = ""


class SkillDecisions:
    """The decisions of this user: one file each, named after the hash of the skill's files."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def trust_of(self, skill: Skill) -> Trust:
        """Tell whether the owner trusts a skill with the files that it has now."""
        if self._of(skill).trusted:
            return Trust.GIVEN
        known = filter(None, map(self._read, self._files()))
        if any(it.trusted and it.folder == str(skill.folder) for it in known):
            return Trust.CHANGED
        return Trust.ASKED if skill.about.trusted else Trust.NONE

    def is_approved(self, skill: Skill) -> bool:
        """Check whether the owner approved, or trusts, the files that a skill has now."""
        decided = self._of(skill)
        return skill.tier is Tier.BUNDLED or bool(decided.approved or decided.trusted)

    def trust(self, skill: Skill, digest: str) -> None:
        """Trust the files of a skill that have this hash."""
        self._change(skill, digest, trusted=stamp())

    def approve(self, skill: Skill) -> None:
        """Note that the owner had a skill installed with the files that it has now."""
        self._change(skill, contents.digest(skill), approved=stamp())

    def untrust(self, skill: Skill) -> bool:
        """Trust a skill no more, whatever its files were then; tell whether it was trusted."""
        now = self._digest(skill)
        trusted = [
            (path, decided)
            for path in self._files()
            if (decided := self._read(path)) and decided.trusted
            if decided.folder == str(skill.folder) or path.name == now
        ]
        for path, decided in trusted:
            self._write(path, msgspec.structs.replace(decided, trusted=""))
        return bool(trusted)

    def _of(self, skill: Skill) -> SkillDecision:
        files = {path.name: path for path in self._files()}
        known = files.get(self._digest(skill)) if files else None
        return (self._read(known) if known else None) or _undecided(skill)

    def _digest(self, skill: Skill) -> str:
        try:
            return contents.digest(skill)
        except (BrowseError, OSError):  # another user could change its files, or it is gone
            return ""

    def _change(self, skill: Skill, digest: str, **fields: str) -> None:
        path = private_folder(self._folder) / digest
        decided = self._read(path) or _undecided(skill)
        self._write(path, msgspec.structs.replace(decided, folder=str(skill.folder), **fields))

    def _write(self, path: Path, decided: SkillDecision) -> None:
        if decided.trusted or decided.approved:
            write_private(path, msgspec.json.encode(decided))
        else:
            path.unlink(missing_ok=True)

    def _files(self) -> list[Path]:
        """List the decisions; a folder of another user has none of ours."""
        with suppress(OSError):  # nothing was decided yet
            if os.lstat(self._folder).st_uid == os.getuid():
                return list(self._folder.iterdir())
        return []

    def _read(self, path: Path) -> SkillDecision | None:
        """Read a decision; one that another user wrote does not count."""
        with suppress(OSError, msgspec.DecodeError):
            fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(fd, "rb") as file:
                facts = os.fstat(fd)
                if stat.S_ISREG(facts.st_mode) and facts.st_uid == os.getuid():
                    return msgspec.json.decode(file.read(MAX_RECORD_BYTES), type=SkillDecision)
        return None


def _undecided(skill: Skill) -> SkillDecision:
    return SkillDecision(skill.name, str(skill.folder))
