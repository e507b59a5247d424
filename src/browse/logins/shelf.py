"""The encrypted files of logins, shared by all projects of a person.

A login is in up to two files: what is typed (`.login`), and a state that was saved (`.state`).
"""

import asyncio
import os
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from browse.core.errors import BrowseError, Code
from browse.core.files import private_folder, write_private
from browse.logins import sealed_files
from browse.logins.key_store import KeyStore, LoginKey

MAX_BYTES = 64 * 1024 * 1024
Kind = Literal["login", "state"]
KINDS: tuple[Kind, ...] = ("login", "state")
T = TypeVar("T", bound=msgspec.Struct)


class Shelf(msgspec.Struct, frozen=True):
    """Reads and writes the logins in a folder."""

    folder: Path
    keys: KeyStore

    @classmethod
    def of(cls, folder: Path, choice: str) -> "Shelf":
        return cls(folder, KeyStore(folder, choice))

    def names(self, kind: Kind) -> list[str]:
        """List the logins that have such a file."""
        return sorted(path.stem for path in self.folder.glob(f"*.{kind}"))

    def all_names(self) -> list[str]:
        """List all logins, whatever there is of them."""
        return sorted({name for kind in KINDS for name in self.names(kind)})

    async def write(self, kind: Kind, name: str, content: msgspec.Struct) -> LoginKey:
        """Encrypt and keep; return the key that was used, which says where it is."""
        key = await self.keys.key()
        await asyncio.to_thread(self._write, key, kind, name, content)
        return key

    async def read(self, kind: Kind, name: str, shape: type[T]) -> T:
        """Read and decrypt; raise if there is none, or it is not what was written."""
        raw = await asyncio.to_thread(self._raw, kind, name)
        key = await self.keys.existing()
        if key is None:
            raise _broken(self._path(kind, name), "its key is gone")
        return await asyncio.to_thread(self._decoded, key, kind, name, raw, shape)

    def remove(self, name: str) -> list[Kind]:
        """Remove what there is of a login; return what that was."""
        found = [kind for kind in KINDS if os.path.lexists(self._path(kind, name))]
        if not found:
            known = ", ".join(self.all_names()[:20]) or "none"
            raise BrowseError(
                Code.LOGIN, f"There is no login called {name!r}.", hint=f"there are: {known}"
            )
        for kind in found:
            self._path(kind, name).unlink(missing_ok=True)
        return found

    def unknown(self, name: str, kind: Kind = "login") -> BrowseError:
        """Build the error for a login that does not exist, with those that do."""
        known = ", ".join(self.names(kind)[:20])
        if name in self.names("state" if kind == "login" else "login"):
            how = "`browse login use`" if kind == "login" else "`browse login fill`"
            hint = f"what there is of {name} is for {how}"
        elif known:
            hint = f"there are: {known}"
        else:
            make = "add" if kind == "login" else "save"
            hint = f"make one first: browse help login {make}"
        what = "login to fill in" if kind == "login" else "saved login state"
        return BrowseError(Code.LOGIN, f"There is no {what} called {name!r}.", hint=hint)

    def _path(self, kind: Kind, name: str) -> Path:
        return self.folder / f"{name}.{kind}"

    def _write(self, key: LoginKey, kind: Kind, name: str, content: msgspec.Struct) -> None:
        private_folder(self.folder)
        plain = msgspec.json.encode(content)
        write_private(self._path(kind, name), sealed_files.seal(key.value, f"{kind}/{name}", plain))

    def _raw(self, kind: Kind, name: str) -> bytes:
        path = self._path(kind, name)
        try:
            fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with os.fdopen(fd, "rb") as file:
                return file.read(MAX_BYTES + 1)
        except FileNotFoundError:
            raise self.unknown(name, kind) from None
        except OSError as exc:
            raise _broken(path, os.strerror(exc.errno or 0)) from exc

    def _decoded(self, key: LoginKey, kind: Kind, name: str, raw: bytes, shape: type[T]) -> T:
        path = self._path(kind, name)
        try:
            plain = sealed_files.unseal(key.value, f"{kind}/{name}", raw[:MAX_BYTES])
            return msgspec.json.decode(plain, type=shape)
        except sealed_files.Unsealable:
            raise _broken(path, "it was changed, cut or renamed, or has another key") from None
        except msgspec.DecodeError:
            raise _broken(path, "another version of browse wrote it") from None


def _broken(path: Path, why: str) -> BrowseError:
    return BrowseError(
        Code.LOGIN,
        f"{path} cannot be used: {why}.",
        hint=f"remove it with `browse login rm {path.stem}` and make it again",
    )
