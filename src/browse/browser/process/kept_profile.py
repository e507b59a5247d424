"""A folder of the owner's choice in which Chromium keeps a profile: `--profile`, `BROWSE_PROFILE`.

One daemon uses it at a time. The headless shell neither locks a profile nor writes its version
there, so both is done here, in a lock file and a note.
"""

import asyncio
import fcntl
import os
import re
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import msgspec

from browse.browser.process.chromium import FoundChromium
from browse.core.errors import BrowseError, Code
from browse.core.files import write_private

LOCK = "browse-profile.lock"
NOTE = "browse-profile.json"
# Of Chrome and Chromium with a window: a link that names machine and pid, and the last version.
THEIR_LOCK, THEIR_VERSION = "SingletonLock", "Last Version"
VERSION_S = 20.0
_VERSION = re.compile(r"\d+(?:\.\d+){1,3}")
_ANOTHER = "choose another folder: browse --profile <dir> <command>"


class _Note(msgspec.Struct):
    """Which Chromium used the profile last: its version, and the program with its time stamp."""

    version: str = ""
    program: str = ""


class KeptProfile:
    """The folder of a profile, claimed from before Chromium starts until it has ended."""

    def __init__(self, wanted: str, version_of: Callable[[Path], str] | None = None) -> None:
        if ".." in Path(wanted).parts:
            raise _refused(wanted, "its name has `..` in it", _ANOTHER)
        self.folder = Path(wanted).expanduser().absolute()
        self._version_of = version_of or _ask_version
        self._lock: int | None = None

    async def claim(self, found: FoundChromium) -> Path:
        """Make the folder ready for this Chromium; raise if it cannot be used, changing nothing."""
        await asyncio.to_thread(self._claim, found)
        return self.folder

    def used_by(self, found: FoundChromium, version: str) -> None:
        """Note which Chromium has opened the profile."""
        note = _Note(version, _program(found.path))
        write_private(self.folder / NOTE, msgspec.json.encode(note))

    def release(self) -> None:
        """Let others use it."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _claim(self, found: FoundChromium) -> None:
        self._make()
        if holder := _living_holder(self.folder):
            raise _refused(self.folder, f"another browser uses it ({holder})", "close that browser")
        self._take_lock()
        try:
            self._require_not_newer(found)
        except BaseException:
            self.release()
            raise

    def _make(self) -> None:
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            known = self.folder.stat()
        except FileExistsError:
            raise _refused(self.folder, "it is a file, not a folder", _ANOTHER) from None
        except OSError as exc:
            raise _refused(self.folder, os.strerror(exc.errno or 0), _ANOTHER) from exc
        if known.st_uid != os.getuid():
            raise _refused(self.folder, "it belongs to another user", _ANOTHER)
        if stat.S_IMODE(known.st_mode) & 0o077:
            why = "others can read it, and it will hold logins"
            raise _refused(self.folder, why, f"chmod 700 {self.folder}")
        if not os.access(self.folder, os.W_OK | os.X_OK):
            raise _refused(self.folder, "it cannot be written to", f"chmod 700 {self.folder}")

    def _take_lock(self) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            self._lock = os.open(self.folder / LOCK, flags, 0o600)
        except OSError as exc:
            raise _refused(self.folder, os.strerror(exc.errno or 0), _ANOTHER) from exc
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            pid = os.read(self._lock, 20).decode("ascii", "replace").strip()
            self.release()
            why = f"the browser of another project uses it (daemon {pid or 'unknown'})"
            raise _refused(self.folder, why, "`browse stop` in that project") from None
        os.truncate(self._lock, 0)
        os.write(self._lock, f"{os.getpid()}\n".encode())

    def _require_not_newer(self, found: FoundChromium) -> None:
        """Raise if a newer Chromium has used the profile: an older one may damage it."""
        note = self._note()
        used = [_numbers(note.version), _numbers(_text(self.folder / THEIR_VERSION))]
        if note.program == _program(found.path) and used[0] >= used[1]:
            return  # the very same program: no need to ask it for its version
        if any(used) and max(used)[:1] > (ours := _numbers(self._version_of(found.path)))[:1]:
            newest, own = (".".join(map(str, it)) or "unknown" for it in (max(used), ours))
            why = f"a newer Chromium made it (version {newest}; this one is {own})"
            raise _refused(self.folder, why, f"update Chromium, or {_ANOTHER}")

    def _note(self) -> _Note:
        try:
            return msgspec.json.decode((self.folder / NOTE).read_bytes(), type=_Note)
        except (OSError, msgspec.DecodeError):
            return _Note()


def _living_holder(folder: Path) -> str:
    """Name the browser that has locked a profile; "" if there is none, or it is dead."""
    try:
        host, _, pid = os.readlink(folder / THEIR_LOCK).rpartition("-")  # noqa: PTH115 - no path
    except OSError:
        return ""
    if not pid.isdecimal():
        return ""
    if host != os.uname().nodename:
        return f"pid {pid} on {host}"
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return ""
    except PermissionError:
        pass  # it lives, and is another user's
    return f"pid {pid}"


def _program(path: Path) -> str:
    return f"{path} {path.stat().st_mtime_ns}"


def _ask_version(program: Path) -> str:
    try:
        done = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=VERSION_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")[:100]
    except OSError:
        return ""


def _numbers(version: str) -> tuple[int, ...]:
    found = _VERSION.search(version)
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def _refused(folder: Path | str, why: str, hint: str) -> BrowseError:
    return BrowseError(
        Code.PROFILE, f"The profile {folder} cannot be used: {why}. Nothing was changed.", hint=hint
    )
