"""The installed skills: in the project, in the home folder, in the package; the first wins.

There is no index: the folders are listed each time. What has not changed is not read again.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

import msgspec

from browse.core.errors import BrowseError, Code, Usage
from browse.core.paths import Paths
from browse.core.text import nearest
from browse.skills import frontmatter
from browse.skills.frontmatter import Faulty, SkillManifest

BUNDLED = Path(__file__).parent / "bundled"
MANIFEST = "SKILL.md"
SCRIPT, SCRIPT_TS = "script.py", "script.ts"
MAX_KNOWN = 2_000
MAX_SHOWN_BYTES = 200_000


class Tier(StrEnum):
    """Where skills are installed, in the order in which the tiers are searched."""

    PROJECT = "project"
    GLOBAL = "global"
    BUNDLED = "bundled"


class Skill(msgspec.Struct, frozen=True):
    """A usable skill; `shadows` lists the tiers whose skill of the same name it hides."""

    name: str
    tier: Tier
    folder: Path
    about: SkillManifest
    shadows: tuple[Tier, ...] = ()

    @property
    def label(self) -> str:
        return self.name

    @property
    def script(self) -> Path:
        python, typescript = self.folder / SCRIPT, self.folder / SCRIPT_TS
        return typescript if typescript.is_file() and not python.is_file() else python


class Broken(msgspec.Struct, frozen=True):
    """A folder that looks like a skill but cannot be used."""

    name: str
    tier: Tier
    reason: str

    @property
    def label(self) -> str:
        """Its name, unless that could be prose that somebody else wrote."""
        return self.name if frontmatter.is_name(self.name) else "(not a skill's name)"


class InstalledSkills:
    """The skills that one project can use."""

    def __init__(self, paths: Paths) -> None:
        self.roots = {
            Tier.PROJECT: paths.project_skills,
            Tier.GLOBAL: paths.global_skills,
            Tier.BUNDLED: BUNDLED,
        }

    def every(self) -> list[Skill | Broken]:
        """List the skills by name; of several with one name, the first tier's."""
        places: dict[str, list[Tier]] = {}
        for tier, root in self.roots.items():
            for name in _names(root):
                places.setdefault(name, []).append(tier)
        return [self._look(name, *places[name]) for name in sorted(places)]

    def find(self, name: str) -> Skill:
        """Return the skill of a name; raise with the names that exist if there is none."""
        check_name(name)
        tiers = [tier for tier, root in self.roots.items() if _has_manifest(f"{root}/{name}")]
        if tiers:
            return usable(self._look(name, *tiers))
        guess = nearest(name, [each.name for each in self.every() if isinstance(each, Skill)])
        raise BrowseError(
            Code.SKILL_UNKNOWN,
            f'Skill "{name}" not found in any tier.',
            hint=f"did you mean {guess}?" if guess else "`browse skill list` shows what there is",
        )

    def _look(self, name: str, tier: Tier, *shadows: Tier) -> Skill | Broken:
        return _look(self.roots[tier] / name, tier, shadows)


def check_name(name: str) -> str:
    """Raise if a word cannot be a skill's name, before it becomes part of a path."""
    if not frontmatter.is_name(name):
        raise Usage(
            f"{name[:80]!r} is not a skill's name",
            hint=f"use lower-case-words, at most {frontmatter.MAX_NAME_CHARS} characters",
        )
    return name


def usable(found: Skill | Broken) -> Skill:
    """Return a skill; raise if it is broken."""
    if isinstance(found, Skill):
        return found
    raise BrowseError(
        Code.SKILL_INVALID,
        f'Skill "{found.label}" ({found.tier}) cannot be used as it is.',
        hint="fix its SKILL.md; docs/skills.md lists the fields",
        page=found.reason,
    )


def read_skill(folder: Path, tier: Tier) -> Skill:
    """Read a skill from a folder that is named after it."""
    check_name(folder.name)
    return usable(_look(folder, tier))


def manifest(skill: Skill) -> str:
    """Return the SKILL.md of a skill as it is written."""
    with open(skill.folder / MANIFEST, "rb", opener=_no_links) as file:
        text = file.read(MAX_SHOWN_BYTES).decode("utf-8", "replace")
    return "".join(char if char.isprintable() or char in "\n\t" else "?" for char in text)


def is_ours(facts: os.stat_result) -> bool:
    """Check whether a file belongs to this user, or to root, who could change it anyway."""
    return facts.st_uid in (0, os.getuid())


def _no_links(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW)


def _names(root: Path) -> Iterator[str]:
    with suppress(OSError), os.scandir(root) as entries:  # a tier that nobody has made yet
        for entry in entries:
            if not entry.name.startswith((".", "_")) and _has_manifest(entry.path):
                yield entry.name


def _has_manifest(folder: str) -> bool:
    return os.path.lexists(f"{folder}/{MANIFEST}")


def _look(folder: Path, tier: Tier, shadows: tuple[Tier, ...] = ()) -> Skill | Broken:
    try:
        about = _about(str(folder), folder.name)
    except Faulty as exc:
        return Broken(folder.name, tier, f"{MANIFEST}: {exc}")
    except OSError as exc:
        return Broken(folder.name, tier, f"{MANIFEST}: {exc.strerror}")
    return Skill(folder.name, tier, folder, about, shadows)


def _about(folder: str, name: str) -> SkillManifest:
    if not frontmatter.is_name(name):
        raise Faulty("its folder's name is not lower-case-words")
    around, facts = os.lstat(folder), os.lstat(f"{folder}/{MANIFEST}")
    # A link could lead a skill that came with a project to files outside of it.
    if not stat.S_ISDIR(around.st_mode):
        raise Faulty("its folder is a link")
    if not is_ours(around):
        raise Faulty(f"its folder belongs to another user (uid {around.st_uid})")
    if not stat.S_ISREG(facts.st_mode):
        raise Faulty("it is not a regular file")
    if not is_ours(facts):
        raise Faulty(f"it belongs to another user (uid {facts.st_uid})")
    version = (facts.st_mtime_ns, facts.st_ctime_ns, facts.st_size, facts.st_ino)
    return _read(f"{folder}/{MANIFEST}", name, version)


@lru_cache(MAX_KNOWN)
def _read(path: str, name: str, _version: tuple[int, ...]) -> SkillManifest:
    return frontmatter.read(Path(path), name)
