"""The profiles of an everyday browser: their folders, names and accounts."""

import configparser
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from browse.cookies.browsers import EverydayBrowser
from browse.cookies.problems import unreadable
from browse.core.errors import Usage
from browse.guard.path_errors import shown

MAX_PREFERENCES_BYTES = 32 * 1024 * 1024
MAX_PROFILES = 200
MAX_NAME_CHARS = 120
CHROMIUM_FILES = ("Network/Cookies", "Cookies")
FIREFOX_FILE = "cookies.sqlite"
_UNFIT = re.compile(r"\.\.|[/\\\x00-\x1f\x7f]")


class BrowserProfile(msgspec.Struct, frozen=True):
    """A profile: the name of its folder, what the person calls it, their account, its database."""

    folder: str
    database: Path
    name: str = ""
    account: str = ""

    @property
    def title(self) -> str:
        """Name it so that a person knows it: by the account, else by its name."""
        return self.account or self.name or self.folder


class _Account(msgspec.Struct):
    email: str = ""


class _Named(msgspec.Struct):
    name: str = ""


class _Preferences(msgspec.Struct):
    """What we read of the file `Preferences` of a profile."""

    account_info: list[_Account] = []
    profile: _Named = msgspec.field(default_factory=_Named)


def find(browser: EverydayBrowser, folders: Sequence[Path]) -> list[BrowserProfile]:
    """List the profiles that have cookies; the one that is used by default comes first."""
    search = _firefox if browser.engine == "firefox" else _chromium
    found: dict[str, BrowserProfile] = {}
    for number, folder in enumerate(folders, 1):
        for profile in search(folder):
            # A second installation of the browser, from a snap for instance, has the same names.
            name = f"{profile.folder} ({number})" if profile.folder in found else profile.folder
            found[name] = replace(profile, folder=name)
    return list(found.values())[:MAX_PROFILES]


def choose(
    browser: EverydayBrowser, profiles: Sequence[BrowserProfile], wanted: str | None
) -> BrowserProfile:
    """Find a profile by folder, name or account; without one, take the default."""
    if wanted is None:
        return profiles[0]
    if not wanted.strip() or _UNFIT.search(wanted):
        raise Usage(
            f"{shown(wanted)!r} is not the name of a profile",
            hint="name its folder, such as --profile 'Profile 1'; "
            f"`browse cookie-import-browser {browser.name} --list` lists them",
        )
    word = wanted.casefold()
    for spelled in ("folder", "account", "name"):
        found = [it for it in profiles if getattr(it, spelled).casefold() == word]
        if len(found) == 1:
            return found[0]
    raise unreadable(
        "no_profile",
        f"{browser.title} has no profile {shown(wanted)!r} with cookies, or several.",
        f"`browse cookie-import-browser {browser.name} --list` lists them",
    )


def _chromium(folder: Path) -> list[BrowserProfile]:
    found = []
    for place in [folder, *_folders_in(folder)]:
        database = _first_file(place, CHROMIUM_FILES)
        if database:
            told = _preferences(place / "Preferences")
            account = next((it.email for it in told.account_info if it.email), "")
            name = "Default" if place == folder else place.name
            found.append(BrowserProfile(name, database, _line(told.profile.name), _line(account)))
    return sorted(found, key=lambda it: (it.folder != "Default", len(it.folder), it.folder))


def _firefox(folder: Path) -> list[BrowserProfile]:
    told = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        told.read_string((folder / "profiles.ini").read_text("utf-8", "replace"))
    except (OSError, configparser.Error):  # not there or damaged: its folders tell as much
        told.clear()
    names = {_below(folder, part.get("Path", "")): part.get("Name", "") for part in told.values()}
    defaults = {part.get("Default", "") for part in told.values()}
    places = dict.fromkeys(
        [*filter(None, names), *_folders_in(folder), *_folders_in(folder / "Profiles")]
    )
    found = [
        (
            str(place.relative_to(folder)) in defaults,
            BrowserProfile(place.name, file, _line(names.get(place, ""))),
        )
        for place in places
        if (file := _first_file(place, (FIREFOX_FILE,)))
    ]
    return [profile for _, profile in sorted(found, key=lambda it: (not it[0], it[1].folder))]


def _below(folder: Path, path: str) -> Path | None:
    """Return the folder of a profile that `profiles.ini` names, if it is below Firefox's own."""
    if not path or Path(path).is_absolute() or ".." in Path(path).parts:
        return None
    return folder / path


def _folders_in(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_dir())
    except OSError:  # not there, or closed to us
        return []


def _first_file(folder: Path, names: Sequence[str]) -> Path | None:
    try:
        return next((path for name in names if (path := folder / name).is_file()), None)
    except OSError:  # closed to us
        return None


def _preferences(path: Path) -> _Preferences:
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(MAX_PREFERENCES_BYTES), type=_Preferences)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):  # it has the name of its folder
        return _Preferences()


def _line(text: str) -> str:
    """Make a name from a file of somebody else fit for a line."""
    return shown(text[:MAX_NAME_CHARS])
