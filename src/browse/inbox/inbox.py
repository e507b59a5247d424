"""The inbox: a private folder of the project with one file for each message.

Other programs may put messages there too, so a file that cannot be read is skipped. Links are not
followed, and a file is written whole or not at all.
"""

import hashlib
import os
import re
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from browse.core.clock import stamp
from browse.core.errors import BrowseError, Code, Usage
from browse.core.files import private_folder, unwritable, write_private
from browse.inbox.message import MAX_CHARS, InboxMessage

MAX_FILE_BYTES = 64 * 1024
MAX_MESSAGES = 200
_ID = re.compile(r"[0-9a-f]{6}")
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK


class Inbox:
    """The messages of a project; every method waits for the disk.

    `on_change` is told the id of a message, and whether it is `new`, `done` or `cleared`.
    """

    def __init__(self, folder: Path, on_change: Callable[[str, str], None]) -> None:
        self.folder = folder
        self.own: set[str] = set()  # the messages that this daemon wrote: their refs may be valid
        self.changes = 0  # how often it was changed
        self._on_change = on_change

    def add(self, message: InboxMessage, picture: bytes = b"") -> InboxMessage:
        """Store a new message, with a picture as PNG if there is one."""
        self._make_room()
        made, id = stamp(), secrets.token_hex(3)
        stem = f"{made.replace(':', '-')}-{id}"
        where = str(self.folder / f"{stem}.png") if picture else ""
        kept = msgspec.structs.replace(message, id=id, timestamp=made, picture=where)
        if picture:
            write_private(self.folder / f"{stem}.png", picture)
        write_private(self.folder / f"{stem}.json", _encoded(kept))
        self.own.add(id)
        self._tell(id, "new")
        return kept

    def all(self) -> list[InboxMessage]:
        """List the messages, the newest first."""
        found = (_read(path) for path in self._files())
        return [message for message in found if message]

    def done(self, id: str) -> InboxMessage:
        """Mark a message as done; raise if there is none of that id."""
        for path in self._files():
            message = _read(path)
            if message and message.id == id:
                if not message.done:
                    message = msgspec.structs.replace(message, done=stamp())
                    write_private(path, _encoded(message))
                    self._tell(id, "done")
                return message
        known = ", ".join(message.id for message in self.all() if not message.done)
        raise Usage(
            f"there is no message {id[:20]!r} in the inbox",
            hint=f"open messages: {known or 'none'}; `browse inbox` lists them",
        )

    def clear(self) -> int:
        """Delete all messages with their pictures; return how many there were."""
        removed = [message for path in self._files() if (message := self._remove(path))]
        for message in removed:
            self._tell(message.id, "cleared")
        return len(removed)

    def _tell(self, id: str, what: str) -> None:
        self.changes += 1
        self._on_change(id, what)

    def _make_room(self) -> None:
        self._check_folder()
        private_folder(self.folder)
        with suppress(OSError):  # a folder that was there before may be closed to others as well
            self.folder.chmod(0o700)
        ignore = self.folder / ".gitignore"
        if not ignore.exists():
            write_private(ignore, b"*\n")
        files = self._files()
        if len(files) < MAX_MESSAGES:
            return
        finished = [path for path in files if (message := _read(path)) and message.done]
        if not finished:
            raise BrowseError(
                Code.TOO_LARGE,
                f"The inbox has {MAX_MESSAGES} open messages, which is the limit.",
                hint="let the agent work on them, or type `browse inbox --clear`",
            )
        self._remove(finished[-1])

    def _check_folder(self) -> None:
        """Raise if the folder, or the one it is in, leads elsewhere."""
        for folder in (self.folder.parent, self.folder):
            if folder.is_symlink():
                raise BrowseError(
                    Code.STATE_UNUSABLE,
                    f"{folder} is a link: messages are not written through it.",
                    hint="replace it by a folder",
                )

    def _files(self) -> list[Path]:
        """List the files, the newest first: their names begin with the time."""
        try:
            with os.scandir(self.folder) as entries:
                names = [entry.name for entry in entries if entry.name.endswith(".json")]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as exc:
            raise unwritable(self.folder, exc) from exc
        return [self.folder / name for name in sorted(names, reverse=True)]

    def _remove(self, path: Path) -> InboxMessage | None:
        message = _read(path)
        if message is None:
            return None
        path.with_suffix(".png").unlink(missing_ok=True)
        path.unlink(missing_ok=True)
        return message


def checked(words: str) -> str:
    """Return what a person wrote; raise if it is nothing, or too long."""
    text = words.strip()
    if not text or len(text) > MAX_CHARS:
        raise Usage(f"a message has 1 to {MAX_CHARS:,} characters", hint="shorten it")
    return text


def _encoded(message: InboxMessage) -> bytes:
    return msgspec.json.format(msgspec.json.encode(message), indent=1) + b"\n"


def _read(path: Path) -> InboxMessage | None:
    """Read a message; None if it is not one."""
    raw: Any = b""
    with suppress(OSError):
        fd = os.open(path, _READ)
        with os.fdopen(fd, "rb") as file:
            if stat.S_ISREG(os.fstat(fd).st_mode):
                raw = file.read(MAX_FILE_BYTES + 1)
    if not 0 < len(raw) <= MAX_FILE_BYTES:
        return None
    try:
        message = msgspec.json.decode(raw, type=InboxMessage)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    # The picture is the one beside the file, whatever the file says.
    picture = path.with_suffix(".png")
    own = str(picture) if message.picture and picture.is_file() else ""
    id = message.id if _ID.fullmatch(message.id) else _id_of(path.name)
    return msgspec.structs.replace(message, id=id, picture=own)


def _id_of(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()[:6]
