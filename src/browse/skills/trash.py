"""Removing a skill so that it can be had back."""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from browse.core.errors import BrowseError, Code
from browse.core.files import private_folder, unwritable
from browse.skills.shelf import MANIFEST, Tier

FOLDER = ".tombstones"
_STAMP = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2}-[0-9]{6}Z")


def bury(root: Path, tier: Tier, name: str) -> Path:
    """Move a skill out of its tier, in one step; a script of it that runs goes on."""
    if not (root / name / MANIFEST).exists():
        raise BrowseError(
            Code.SKILL_UNKNOWN,
            f'Skill "{name}" not found in tier {tier}.',
            hint=_other_tier(tier),
        )
    stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S-%fZ")
    place = private_folder(root / FOLDER) / f"{name}-{stamp}"
    _move(root / name, place)
    return place


def dig_up(root: Path, tier: Tier, name: str, which: str = "") -> Path:
    """Put a removed skill back: the one named, else the newest. Nothing is overwritten."""
    found = sorted(_of(root, name))
    if which:
        found = [place for place in found if place.name in (which, f"{name}-{which}")]
    if not found:
        raise BrowseError(
            Code.SKILL_UNKNOWN,
            f'No removed skill "{name}"{f" of {which[:60]!r}" if which else ""} in tier {tier}.',
            hint=_other_tier(tier),
        )
    place = root / name
    if place.exists() or place.is_symlink():
        raise BrowseError(
            Code.SKILL_EXISTS,
            f'Skill "{name}" is in tier {tier} already.',
            hint=f"remove it first: browse skill rm {name}{_flag(tier)}",
        )
    _move(found[-1], place)
    return found[-1]


def _of(root: Path, name: str) -> Iterator[Path]:
    with suppress(OSError):  # nothing was removed yet
        for place in (root / FOLDER).iterdir():
            begins, stamp = place.name[: len(name) + 1], place.name[len(name) + 1 :]
            if begins == f"{name}-" and _STAMP.fullmatch(stamp):
                yield place


def _move(place: Path, to: Path) -> None:
    try:
        place.rename(to)
    except OSError as exc:
        raise unwritable(to, exc) from exc


def _flag(tier: Tier) -> str:
    return " --global" if tier is Tier.GLOBAL else ""


def _other_tier(tier: Tier) -> str:
    flag = "without --global" if tier is Tier.GLOBAL else "with --global"
    return f"try {flag}, or `browse skill list`; those of tier bundled cannot be removed"
