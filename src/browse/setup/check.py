"""What a check of the machine is made of, and what it may look at."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from browse.browser.process.chromium import Found, System, find
from browse.core.errors import BrowseError
from browse.core.paths import Paths
from browse.core.settings import Settings, load


@dataclass(frozen=True, slots=True)
class Check:
    """What one check saw, and what to do about it when it is not well."""

    name: str
    ok: bool
    detail: str
    fix: str = ""

    def lines(self) -> list[str]:
        first = f"{'✓' if self.ok else '✗'} {self.name}: {self.detail}"
        return [first] if self.ok else [first, f"    → {self.fix}"]


@dataclass(frozen=True)
class Scene:
    """The machine as the checks see it. Nothing in it is changed."""

    system: System

    @classmethod
    def here(cls) -> "Scene":
        return cls(System.here())

    @property
    def environ(self) -> Mapping[str, str]:
        return self.system.environ

    @cached_property
    def settings(self) -> Settings:
        """The settings in force; the defaults when they cannot be read, which is its own check."""
        try:
            return load(self.environ)
        except BrowseError:
            return Settings()

    @cached_property
    def paths(self) -> Paths:
        return Paths.of(self.settings)

    @cached_property
    def chromium(self) -> Found | BrowseError:
        """The browser that the daemon would start, or why there is none."""
        try:
            return find(self.settings.chromium_path, self.system)
        except BrowseError as exc:
            return exc


def nearest_folder(path: Path) -> Path:
    """Tell the folder that exists at or above a place."""
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


def is_writable(folder: Path) -> bool:
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
