"""Files of saved states and checkpoints: written atomically, and checked before use."""

import os
import re
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from browse.browser.storage.saved_state import VERSION, SavedState
from browse.core.errors import BrowseError, Code, Usage
from browse.core.files import private_folder, write_private
from browse.registry.params import Surroundings

MAX_BYTES = 64 * 1024 * 1024
S = TypeVar("S", bound=SavedState)
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,100}")


class _Version(msgspec.Struct):
    version: int


class UnfitState(BrowseError):
    """The file of a state cannot be used, for this reason."""

    def __init__(self, path: Path, reason: str) -> None:
        backup = _backup_path(path)
        super().__init__(
            Code.SAVED_STATE,
            f"The state at {path} cannot be used: {reason}. Nothing was changed.",
            hint=f"the previous one is at {backup}" if backup.is_file() else "save the state again",
        )
        self.reason = reason


class NewerState(UnfitState):
    """A newer browse wrote the file."""


def checked_name(raw: str, _: Surroundings) -> str:
    """Parse a state's name: only characters that are safe in file names."""
    return _checked(raw, "State")


def checked_checkpoint(raw: str, _: Surroundings) -> str:
    """Parse a checkpoint's name, as a state's."""
    return _checked(raw, "Checkpoint")


def _checked(raw: str, what: str) -> str:
    if not _NAME.fullmatch(raw):
        raise Usage(
            f"{what} name must be alphanumeric (a-z, 0-9, _, -)",
            hint="choose one of up to 100 such characters, such as logged-in",
        )
    return raw


class StateFolder(msgspec.Struct, frozen=True):
    """The folder of a project's saved states, or of its checkpoints.

    A state that gstack saved beside the folder, as `browse-state-<name>.json`, is read too, unless
    the folder has one of that name.
    """

    folder: Path
    kind: Literal["state", "checkpoint"] = "state"

    def path(self, name: str) -> Path:
        """Return where a state is; where it will be, if there is none."""
        own, beside = self.folder / f"{name}.json", self._beside(name)
        return beside if not os.path.lexists(own) and os.path.lexists(beside) else own

    def names(self) -> list[str]:
        found = [path.stem for path in self.folder.glob("*.json")]
        prefix = self._beside("").stem
        found += [it.stem.removeprefix(prefix) for it in self.folder.parent.glob(f"{prefix}*.json")]
        return sorted({name for name in found if _NAME.fullmatch(name)})

    def _beside(self, name: str) -> Path:
        return self.folder.with_name(f"browse-{self.kind}-{name}.json")

    def write(self, name: str, state: SavedState) -> Path:
        """Save a state; a valid one of the same name is kept as a backup."""
        raw = msgspec.json.encode(state)
        path = self.folder / f"{name}.json"
        decode_state(raw, path, SavedState)
        private_folder(self.folder)
        try:
            before = self._raw(name)
            decode_state(before, path, SavedState)
        except BrowseError:
            pass  # there is none, or it is damaged
        else:
            write_private(_backup_path(path), before)
        write_private(path, raw)
        return path

    def read(self, name: str) -> SavedState:
        """Read a state; raise if it cannot be used."""
        return decode_state(self._raw(name), self.path(name), SavedState)

    def remove(self, name: str) -> None:
        self._raw(name)
        for path in (self.folder / f"{name}.json", self._beside(name)):
            _backup_path(path).unlink(missing_ok=True)
            path.unlink(missing_ok=True)

    def _raw(self, name: str) -> bytes:
        try:
            return read_raw(self.path(name))
        except FileNotFoundError:
            raise self._not_found(name) from None

    def _not_found(self, name: str) -> BrowseError:
        known = ", ".join(self.names()[:20])
        return BrowseError(
            Code.SAVED_STATE,
            f"{self.kind.capitalize()} not found: {name}",
            hint=f"known {self.kind}s: {known}"
            if known
            else f"save one first: browse {self.kind} save <name>",
        )


def read_raw(path: Path) -> bytes:
    """Read the file of a state, and no more than may be in one."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(fd, "rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise
    except OSError as exc:
        raise UnfitState(path, os.strerror(exc.errno or 0)) from exc


def decode_state(raw: bytes, path: Path, kind: type[S]) -> S:
    """Decode a state; raise if it is incomplete or of a newer version."""
    if len(raw) > MAX_BYTES:
        raise UnfitState(path, f"it is larger than {MAX_BYTES // 1024**2} MB")
    try:
        version = msgspec.json.decode(raw, type=_Version).version
        if version > VERSION:
            reason = f"a newer browse wrote it (version {version}, not {VERSION})"
            raise NewerState(path, reason)
        return msgspec.json.decode(raw, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as exc:
        # The message names only places and types, nothing of the file's content.
        raise UnfitState(path, str(exc)[:200]) from None


def _backup_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.bak")
