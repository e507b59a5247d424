"""Find a Chromium on this machine, and check whether it can use its sandbox.

Only looks at files: it starts nothing and does not import the driver, because the daemon waits for
the answer when it starts.
"""

import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from browse.core.errors import BrowseError, Code

Kind = Literal["headless-shell", "chrome", "chromium", "edge", "brave"]
Origin = Literal["setting", "playwright", "system"]

_SHELLS = "chromium_headless_shell"
_FOR_TESTING = "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"

# In order of preference: the headless shell is the same Chromium without a user interface, and
# starts in two thirds of the time.
SHELL: Kind = "headless-shell"
# Where Playwright unpacks its browsers: kind, folder without its revision, program; newest layout
# first.
UNPACKED: dict[str, tuple[tuple[Kind, str, str], ...]] = {
    "linux": (
        (SHELL, _SHELLS, "chrome-headless-shell-linux64/chrome-headless-shell"),
        (SHELL, _SHELLS, "chrome-headless-shell-linux-arm64/chrome-headless-shell"),
        (SHELL, _SHELLS, "chrome-linux/headless_shell"),
        ("chromium", "chromium", "chrome-linux64/chrome"),
        ("chromium", "chromium", "chrome-linux-arm64/chrome"),
        ("chromium", "chromium", "chrome-linux/chrome"),
    ),
    "darwin": (
        (SHELL, _SHELLS, "chrome-headless-shell-mac-arm64/chrome-headless-shell"),
        (SHELL, _SHELLS, "chrome-headless-shell-mac-x64/chrome-headless-shell"),
        (SHELL, _SHELLS, "chrome-mac/headless_shell"),
        ("chromium", "chromium", f"chrome-mac-arm64/{_FOR_TESTING}"),
        ("chromium", "chromium", f"chrome-mac-x64/{_FOR_TESTING}"),
        ("chromium", "chromium", "chrome-mac/Chromium.app/Contents/MacOS/Chromium"),
    ),
}
ON_PATH: tuple[tuple[Kind, tuple[str, ...]], ...] = (
    (SHELL, ("chromium-headless-shell", "chrome-headless-shell")),
    ("chrome", ("google-chrome-stable", "google-chrome", "chrome")),
    ("chromium", ("chromium", "chromium-browser")),
    ("edge", ("microsoft-edge-stable", "microsoft-edge")),
    ("brave", ("brave-browser-stable", "brave-browser", "brave")),
)
# Below the system's root, or below the folders for applications.
USUAL: dict[str, tuple[tuple[Kind, str], ...]] = {
    "linux": (
        ("chrome", "opt/google/chrome/chrome"),
        ("chromium", "snap/bin/chromium"),
        ("chromium", "usr/lib/chromium/chromium"),
        ("chromium", "usr/lib64/chromium-browser/chromium-browser"),
        ("edge", "opt/microsoft/msedge/msedge"),
        ("brave", "opt/brave.com/brave/brave"),
    ),
    "darwin": (
        ("chrome", "Google Chrome.app/Contents/MacOS/Google Chrome"),
        ("chromium", "Chromium.app/Contents/MacOS/Chromium"),
        ("edge", "Microsoft Edge.app/Contents/MacOS/Microsoft Edge"),
        ("brave", "Brave Browser.app/Contents/MacOS/Brave Browser"),
    ),
}
PACKAGES = (
    ("apt-get", "sudo apt install chromium"),
    ("dnf", "sudo dnf install chromium"),
    ("pacman", "sudo pacman -S chromium"),
    ("zypper", "sudo zypper install chromium"),
    ("apk", "sudo apk add chromium"),
    ("brew", "brew install --cask chromium"),
)
SHIM_BYTES = 4096


@dataclass(frozen=True, slots=True)
class FoundChromium:
    """A browser that can be started: its path, its kind, and how it was found."""

    path: Path
    kind: Kind
    origin: Origin


@dataclass(frozen=True, slots=True)
class System:
    """The parts of the machine that the search looks at; a test passes another machine."""

    environ: Mapping[str, str]
    platform: str
    root: Path
    uid: int

    @classmethod
    def here(cls) -> "System":
        # PATH, HOME and the like belong to the system; they are not settings of ours.
        return cls(os.environ, sys.platform, Path("/"), os.getuid())  # noqa: TID251

    @property
    def home(self) -> Path:
        return Path(self.environ.get("HOME") or "~").expanduser()

    def which(self, name: str) -> str | None:
        return shutil.which(name, path=self.environ.get("PATH", ""))


def find(chosen: str = "", system: System | None = None) -> FoundChromium:
    """Find the browser to run: the chosen one, else Playwright's own, else the system's."""
    system = system or System.here()
    if chosen:
        return _check_chosen(Path(chosen).expanduser())
    for found in _candidates(system):
        return found
    raise BrowseError(
        Code.BROWSER_MISSING,
        "No Chromium was found: neither Playwright's own nor a Chrome, Chromium, Edge or Brave.",
        hint=(
            f"Type `browse install`; or install one yourself ({package_command(system)}); "
            "or name one: GSTACK_CHROMIUM_PATH=/path/to/chrome"
        ),
    )


def find_with_window(chosen: str = "", system: System | None = None) -> FoundChromium:
    """Find a browser that can show a window, which the headless shell cannot.

    Chromium comes before the others: Chrome takes no extension from its command line.
    """
    system = system or System.here()
    named = _check_chosen(Path(chosen).expanduser()) if chosen else None
    if named and named.kind != SHELL:
        return named
    found = sorted(
        (it for it in _candidates(system) if it.kind != SHELL), key=lambda it: it.kind != "chromium"
    )
    if found and not named:
        return found[0]
    reason = (
        f"GSTACK_CHROMIUM_PATH names {named.path}, a headless shell, which cannot show a window."
        if named
        else "No Chromium was found that can show a window: the headless shell cannot."
    )
    raise BrowseError(
        Code.BROWSER_MISSING,
        reason,
        hint=f"install one ({package_command(system)}), or name one:"
        " GSTACK_CHROMIUM_PATH=/path/to/chrome; then `browse restart` and `browse connect`",
    )


def package_command(system: System) -> str:
    """Return the command that installs Chromium on this system."""
    for tool, command in PACKAGES:
        if system.which(tool):
            return command
    return "see https://www.chromium.org/getting-involved/download-chromium"


def playwright_folder(system: System) -> Path:
    """Return the folder in which Playwright keeps its browsers."""
    named = system.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    if named == "0":
        return driver_package() / ".local-browsers"
    if named:
        return Path(named).expanduser()
    if system.platform == "darwin":
        return system.home / "Library" / "Caches" / "ms-playwright"
    cache = system.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else system.home / ".cache") / "ms-playwright"


def driver_package() -> Path:
    """Return the folder of the installed driver, without importing it."""
    spec = importlib.util.find_spec("playwright")
    parts = (spec and spec.submodule_search_locations) or ["."]
    return Path(next(iter(parts))) / "driver" / "package"


def _check_chosen(path: Path) -> FoundChromium:
    wrong = "does not exist" if not path.exists() else "is not a program that can be run"
    if _runs(path):
        return FoundChromium(path, _kind_of(path), "setting")
    raise BrowseError(
        Code.BROWSER_MISSING,
        f"GSTACK_CHROMIUM_PATH names {path}, which {wrong}.",
        hint="Correct it, or unset it to let browse look for itself: unset GSTACK_CHROMIUM_PATH",
    )


def _candidates(system: System) -> Iterator[FoundChromium]:
    for kind, path in _of_playwright(system):
        if _runs(path):
            yield FoundChromium(path, kind, "playwright")
    for kind, path in _of_system(system):
        if _runs(path) and not _is_snap_shim(path, system):
            yield FoundChromium(_behind_wrapper(path, system), kind, "system")


def _of_playwright(system: System) -> Iterator[tuple[Kind, Path]]:
    """List Playwright's browsers: of the driver's own revision first, then newest first."""
    builds = UNPACKED.get(system.platform, ())
    stems = {stem for _, stem, _ in builds}
    try:
        folders = [entry.name.rpartition("-") for entry in os.scandir(playwright_folder(system))]
    except OSError:
        return
    numbers = {number for stem, _, number in folders if stem in stems}
    wanted = _driver_revision()
    revisions = sorted((int(number) for number in numbers if number.isdecimal()), reverse=True)
    for revision in sorted(revisions, key=lambda number: number != wanted):
        for kind, stem, inside in builds:
            yield kind, playwright_folder(system) / f"{stem}-{revision}" / inside


def _driver_revision() -> int:
    """Return the Chromium revision that the driver was tested with; -1 if it is unknown."""
    try:
        known = json.loads((driver_package() / "browsers.json").read_bytes())["browsers"]
        return next(int(each["revision"]) for each in known if each["name"] == "chromium")
    except (OSError, ValueError, LookupError, TypeError, StopIteration):
        return -1


def _of_system(system: System) -> Iterator[tuple[Kind, Path]]:
    for kind, names in ON_PATH:
        for name in names:
            if path := system.which(name):
                yield kind, Path(path)
    for kind, inside in USUAL.get(system.platform, ()):
        for folder in _program_folders(system):
            yield kind, folder / inside


def _program_folders(system: System) -> list[Path]:
    if system.platform == "darwin":
        return [system.root / "Applications", system.home / "Applications"]
    return [system.root]


def _runs(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _behind_wrapper(path: Path, system: System) -> Path:
    """Return the program that Debian's start script runs; the script costs 0.1 s a start."""
    program = system.root / "usr/lib/chromium" / path.name
    wrapped = path.parent == system.root / "usr/bin" and _runs(program)
    return program if wrapped else path


def _is_snap_shim(path: Path, system: System) -> bool:
    """Check whether this is Ubuntu's script that only asks to install the snap."""
    if path.name != "chromium-browser" or (system.root / "snap/bin/chromium").exists():
        return False
    try:
        return path.stat().st_size < SHIM_BYTES and b"snap" in path.read_bytes()
    except OSError:
        return False


def _kind_of(path: Path) -> Kind:
    signs: dict[str, Kind] = {
        "headless": SHELL,
        "edge": "edge",
        "brave": "brave",
        "google": "chrome",
    }
    name = path.name.lower()
    return next((kind for sign, kind in signs.items() if sign in name), "chromium")
