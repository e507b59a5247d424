"""The key of the logins: in the system's keyring, else in a file of mode 0600.

Where it is, is decided once, when it is made, and never changes silently: a keyring that does not
answer is an error, not a reason to make another key.
"""

import asyncio
import hashlib
import os
import stat
import sys
from pathlib import Path
from typing import Literal

import msgspec

from browse.core.children import Child, Launch
from browse.core.errors import BrowseError, Code
from browse.core.files import private_folder, unwritable, write_private
from browse.logins.keyring_program import KeptKey

KEY_BYTES = 32
# A keyring may ask a person for its password.
KEYRING_S = 60.0
MAX_ANSWER_BYTES = 64 * 1024
KEYRING = "the system's keyring"
Place = Literal["keyring", "file"]
PROGRAM = (sys.executable, "-I", "-m", "browse.logins.keyring_program")


class LoginKey(msgspec.Struct, frozen=True):
    """The key, and where it is kept."""

    value: bytes
    place: Place
    shown: str  # for a person: where that is


class KeyStore(msgspec.Struct, frozen=True):
    """Gets the key of a folder, and makes it at the first use.

    `choice` is what the settings say: "keyring", "file", or "" for a keyring if there is one.
    """

    folder: Path
    choice: str = ""
    program: tuple[str, ...] = PROGRAM
    limit_s: float = KEYRING_S

    async def key(self) -> LoginKey:
        """Return the key; the first time, make it."""
        if found := await self.existing():
            return found
        await asyncio.to_thread(private_folder, self.folder)
        if self.choice != "file" and (value := await self._in_keyring()):
            await asyncio.to_thread(write_private, self._note, b"keyring\n")
            return LoginKey(value, "keyring", KEYRING)
        return await asyncio.to_thread(self._into_file, os.urandom(KEY_BYTES))

    async def existing(self) -> LoginKey | None:
        """Return the key; None if none was made yet."""
        if kept := await asyncio.to_thread(self._from_file):
            return kept
        if not await asyncio.to_thread(self._note.exists):
            return None
        answer = await self._ask("get")
        if answer.state == "found" and (value := _decoded(answer.value)):
            return LoginKey(value, "keyring", KEYRING)
        if answer.state == "absent":
            raise _unusable(
                "the key of the logins is in your keyring, and there is no keyring here",
                "run browse where your keyring is: in your desktop session",
            )
        if answer.state == "refused":
            raise _unusable("your keyring did not give the key", "unlock it and try again")
        raise _unusable(
            "your keyring does not have the key of the logins any more, so they cannot be read",
            f"put it back, or remove {self.folder} and add the logins again",
        )

    async def _in_keyring(self) -> bytes:
        """Return the key that the keyring has, else put a new one there; b"" without a keyring."""
        answer = await self._ask("get")
        if answer.state == "empty":
            await self._ask("set", os.urandom(KEY_BYTES).hex())
            answer = await self._ask("get")  # what it has now counts: another daemon's, perhaps
        if answer.state == "found" and (value := _decoded(answer.value)):
            return value
        if answer.state == "absent" and self.choice != "keyring":
            return b""
        what = "there is no keyring here" if answer.state == "absent" else "your keyring refused"
        raise _unusable(
            f"{what}, so no key was made and nothing was saved",
            "unlock it, or set BROWSE_LOGIN_KEY=file to keep the key in a file of mode 0600",
        )

    async def _ask(self, action: str, value: str = "") -> KeptKey:
        """Ask the keyring; one that takes too long has refused."""
        child = await Child.start(Launch([*self.program, action, self._account], stdin=True))
        try:
            async with asyncio.timeout(self.limit_s):
                raw = await child.exchange(value.encode(), max_bytes=MAX_ANSWER_BYTES)
            return msgspec.json.decode(raw, type=KeptKey)
        except (TimeoutError, ValueError, msgspec.MsgspecError):  # of an old msgspec
            return KeptKey("refused")
        finally:
            await child.kill()

    @property
    def _account(self) -> str:
        """The name of the key in the keyring: folders of several homes have a key each."""
        return f"logins-{hashlib.sha256(str(self.folder).encode()).hexdigest()[:12]}"

    @property
    def _note(self) -> Path:
        return self.folder / "key-is-in-keyring"

    @property
    def _file(self) -> Path:
        return self.folder / "key"

    def _into_file(self, value: bytes) -> LoginKey:
        try:
            # Not by renaming: if another daemon was first, its key counts.
            fd = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        except FileExistsError:
            return self._from_file() or self._into_file(value)
        except OSError as exc:
            raise unwritable(self._file, exc) from exc
        with os.fdopen(fd, "wb") as out:
            out.write(value.hex().encode())
        return LoginKey(value, "file", str(self._file))

    def _from_file(self) -> LoginKey | None:
        try:
            fd = os.open(self._file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except FileNotFoundError:
            return None
        except OSError as exc:
            raise _unusable(f"{self._file}: {os.strerror(exc.errno or 0)}", "correct it") from exc
        with os.fdopen(fd, "rb") as file:
            about, raw = os.fstat(file.fileno()), file.read(1024)
        if about.st_uid != os.getuid() or stat.S_IMODE(about.st_mode) & 0o077:
            raise _unusable(
                f"others may read the key of the logins, {self._file}",
                f"chmod 600 {self._file}; if others had access, change the passwords",
            )
        if value := _decoded(raw.decode("ascii", "replace").strip()):
            return LoginKey(value, "file", str(self._file))
        raise _unusable(
            f"{self._file} is not a key, so the logins cannot be read",
            f"restore it, or remove {self.folder} and add the logins again",
        )


def _decoded(text: str) -> bytes:
    try:
        value = bytes.fromhex(text)
    except ValueError:
        return b""
    return value if len(value) == KEY_BYTES else b""


def _unusable(what: str, hint: str) -> BrowseError:
    return BrowseError(Code.LOGIN, f"Logins cannot be used: {what}.", hint=hint)
