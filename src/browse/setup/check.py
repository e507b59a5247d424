"""The result of a check of the machine, and what checks may read."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec

from browse.browser.process.chromium import FoundChromium, System, find
from browse.core.errors import BrowseError
from browse.core.paths import Paths
from browse.core.settings import Settings, load


class Check(msgspec.Struct, frozen=True):
    """What one check found, and what to do about a problem."""

    name: str
    ok: bool
    detail: str
    fix: str = ""

    def lines(self) -> list[str]:
        first = f"{'✓' if self.ok else '✗'} {self.name}: {self.detail}"
        return [first] if self.ok else [first, f"    → {self.fix}"]


@dataclass(frozen=True)
class Scene:
    """The machine as the checks see it. They change nothing."""

    system: System

    @classmethod
    def here(cls) -> "Scene":
        return cls(System.here())

    @property
    def environ(self) -> Mapping[str, str]:
        return self.system.environ

    @cached_property
    def settings(self) -> Settings:
        """The settings in force; the defaults if they cannot be read, which has its own check."""
        try:
            return load(self.environ)
        except BrowseError:
            return Settings()

    @cached_property
    def paths(self) -> Paths:
        return Paths.of(self.settings)

    @cached_property
    def chromium(self) -> FoundChromium | BrowseError:
        """The browser that the daemon would start, or why there is none."""
        try:
            return find(self.settings.chromium_path, self.system)
        except BrowseError as exc:
            return exc


def nearest_folder(path: Path) -> Path:
    """Return the folder that exists at or above a path."""
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


def is_writable(folder: Path) -> bool:
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
