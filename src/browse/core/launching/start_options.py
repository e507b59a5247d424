"""Start options: settings that come with a command, as flags, and hold until `browse stop`.

The client passes them to the daemon that it starts, and to one that runs, which refuses others
than its own. They are kept in a private file, so that the daemon after one that was lost, or did
not start, does not come without the proxy.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from browse.core.errors import BrowseError, Code, Usage
from browse.core.files import write_private
from browse.core.launching.setting_row import SettingInfo, StartFlag
from browse.core.settings import Settings, rows

VARIABLE = "BROWSE_START_OPTIONS"
MAX_BYTES = 65_536
_RESTART = "type `browse restart` with {flag}, which discards tabs, cookies and logins"


def parse(text: str) -> dict[str, str]:
    """Read `VARIABLE=value` lines; only variables that have a flag count."""
    pairs = (line.partition("=") for line in text.split("\n"))
    return {name: value for name, _, value in pairs if name in _with_flags()}


def kept(note: Path) -> dict[str, str]:
    """Read the options of the daemon before, if it was not stopped on purpose."""
    try:
        with note.open("rb") as file:
            return parse(file.read(MAX_BYTES).decode("utf-8", "replace"))
    except OSError:  # there is none
        return {}


def keep(note: Path, given: Mapping[str, str]) -> None:
    """Write down the options of this daemon, for the next."""
    if given:
        write_private(note, "\n".join(f"{name}={it}" for name, it in given.items()).encode())


def forget(note: Path) -> None:
    with suppress(OSError):  # then the next daemon starts as this one did
        note.unlink(missing_ok=True)


def private_variables() -> frozenset[str]:
    """Return the variables that no program of the daemon's gets."""
    return frozenset({VARIABLE, *(about.env for _, _, about in rows() if about.private)})


def check(text: str, settings: Settings) -> None:
    """Raise if a running daemon has other settings than these options ask for."""
    known = _with_flags()
    for variable, raw in parse(text).items():
        name, about, flag = known[variable]
        try:
            wanted = about.parse(raw)
        except ValueError as exc:
            raise Usage(
                f"{flag.word} must be {exc}; nothing was done",
                hint="give a value as in docs/settings.md",
            ) from None
        if wanted != (has := getattr(settings, name)):
            raise BrowseError(
                Code.STARTED_OTHERWISE,
                f"The running daemon has {_told(about, flag, has, wanted)}; nothing was done.",
                hint=f"leave {flag.word} out to go on with it as it is; or"
                f" {_RESTART.format(flag=flag.word)}",
            )


def _told(about: SettingInfo, flag: StartFlag, has: Any, wanted: Any) -> str:
    if about.private and isinstance(has, str) and has not in ("", "off"):  # it may hold a key
        return f"another {flag.word}"
    if str(has) == str(wanted):
        return f"the same {flag.word}, with another login"
    shown = "on" if has is True else has
    return f"{flag.word} {shown}" if has and has != "off" else f"no {flag.word}"


def _with_flags() -> dict[str, tuple[str, SettingInfo, StartFlag]]:
    return {about.env: (name, about, about.flag) for name, _, about in rows() if about.flag}
