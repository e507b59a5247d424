"""The files of saved states: written whole, checked before they count, never read by halves."""

import os
import re
from dataclasses import dataclass
from pathlib import Path

import msgspec

from browse.browser.storage.saved_state import VERSION, State
from browse.core.errors import BrowseError, Code, Usage
from browse.core.files import private_folder, write_private
from browse.registry.params import Surroundings

MAX_BYTES = 64 * 1024 * 1024
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,100}")


class _Version(msgspec.Struct):
    version: int


def checked_name(raw: str, _: Surroundings) -> str:
    """Admit a name that is a file name everywhere."""
    if not _NAME.fullmatch(raw):
        raise Usage(
            "State name must be alphanumeric (a-z, 0-9, _, -)",
            hint="choose one of up to 100 such characters, such as logged-in",
        )
    return raw


@dataclass(frozen=True, slots=True)
class Shelf:
    """The folder of a project's saved states."""

    folder: Path

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.json"

    def names(self) -> list[str]:
        found = self.folder.glob("*.json") if self.folder.is_dir() else ()
        return sorted(path.stem for path in found if _NAME.fullmatch(path.stem))

    def write(self, name: str, state: State) -> Path:
        """Save a state; one of the same name that is good is kept beside it."""
        raw = msgspec.json.encode(state)
        path = self.path(name)
        decoded(raw, path)
        private_folder(self.folder)
        try:
            before = self._raw(name)
            decoded(before, path)
        except BrowseError:
            pass  # there is none, or none that is worth keeping
        else:
            write_private(_spare(path), before)
        write_private(path, raw)
        return path

    def read(self, name: str) -> State:
        """Read a state, or say why it cannot be used."""
        return decoded(self._raw(name), self.path(name))

    def remove(self, name: str) -> None:
        self._raw(name)
        _spare(self.path(name)).unlink(missing_ok=True)
        self.path(name).unlink(missing_ok=True)

    def _raw(self, name: str) -> bytes:
        path = self.path(name)
        try:
            fd = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | os.O_NONBLOCK)
            with os.fdopen(fd, "rb") as file:
                return file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            raise self._not_found(name) from None
        except OSError as exc:
            raise _unusable(path, os.strerror(exc.errno or 0)) from exc

    def _not_found(self, name: str) -> BrowseError:
        known = ", ".join(self.names()[:20])
        return BrowseError(
            Code.SAVED_STATE,
            f"State not found: {name}",
            hint=f"there are: {known}" if known else "save one first: browse state save <name>",
        )


def decoded(raw: bytes, path: Path) -> State:
    """Check that the bytes are a whole state that this version understands."""
    if len(raw) > MAX_BYTES:
        raise _unusable(path, f"it is larger than {MAX_BYTES // 1024**2} MB")
    try:
        version = msgspec.json.decode(raw, type=_Version).version
        if version > VERSION:
            raise _unusable(path, f"a newer browse wrote it (version {version}, not {VERSION})")
        state = msgspec.json.decode(raw, type=State)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as exc:
        # Of what is in the file, its message has only the place and the types.
        raise _unusable(path, str(exc)[:200]) from None
    return state


def _spare(path: Path) -> Path:
    return path.with_name(f"{path.name}.bak")


def _unusable(path: Path, reason: str) -> BrowseError:
    spare = _spare(path)
    kept = f"the one before it is at {spare}" if spare.is_file() else "save the state again"
    return BrowseError(
        Code.SAVED_STATE,
        f"The state at {path} cannot be used: {reason}. Nothing was changed.",
        hint=kept,
    )
