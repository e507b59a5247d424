"""The file in which a daemon keeps its sessions for the next one; no good one is lost to a bad."""

from contextlib import suppress
from pathlib import Path

import msgspec

from browse.browser.storage.saved_state import SavedState
from browse.browser.storage.state_file import decode_state, read_raw
from browse.core.files import unwritable, write_private


class KeptState(SavedState):
    """The usual session, and those with a name; and the domains that scripts are confined to."""

    sessions: dict[str, SavedState] = msgspec.field(default_factory=dict)
    imported: list[str] = msgspec.field(default_factory=list)


class KeptFile:
    """The file on disk: replaced in one step, and only by what can be read again."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._last = b""

    def read(self) -> KeptState | None:
        """Read it; None if there is none. Raises if it cannot be used."""
        try:
            return decode_state(read_raw(self.path), self.path, KeptState)
        except FileNotFoundError:
            return None

    def write(self, state: KeptState) -> bool:
        """Replace it, if there is anything new; return whether there was."""
        content = msgspec.json.encode(msgspec.structs.replace(state, saved_at=""))
        if content == self._last:
            return False
        raw = msgspec.json.encode(state)
        decode_state(raw, self.path, KeptState)
        write_private(self.path, raw)
        self._last = content
        return True

    def set_aside(self) -> Path:
        """Rename a file that cannot be used, so that it is neither read again nor replaced."""
        aside = self.path.with_name(f"{self.path.name}.corrupt")
        try:
            with suppress(FileNotFoundError):
                self.path.replace(aside)
        except OSError as exc:
            raise unwritable(aside, exc) from exc
        return aside
