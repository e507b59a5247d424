"""The window's profile: one for each project, and in use by one Chromium at a time.

Chromium marks the profile that it uses with a link, `SingletonLock`, which names its machine and
pid, and which stays behind when it is killed.
"""

import os
import socket
import stat
from pathlib import Path

import msgspec

from browse import _where
from browse.browser.process.running_chromium import end_process
from browse.core import extension_id
from browse.core.errors import BrowseError, Code
from browse.core.files import private_folder, write_private

LOCK = "SingletonLock"
LOCKS = (LOCK, "SingletonSocket", "SingletonCookie")
PREFERENCES = Path("Default", "Preferences")
NEW = {"profile": {"name": "browse"}, "extensions": {"pinned_extensions": [extension_id.ID]}}


class _Exit(msgspec.Struct):
    exit_type: str = ""


class _Facts(msgspec.Struct):
    profile: _Exit


class Profile(msgspec.Struct, frozen=True):
    """The folder of a profile, and the note on its window for the next daemon.

    `open <pid> <start>` stays when a window is lost: then the next daemon opens one again, rather
    than going on without one. `closed` stays when a person has closed it, for one start.
    """

    folder: Path
    note: Path

    async def claim(self) -> Path:
        """Make the folder ready for a new Chromium; raise if another one is using it."""
        private_folder(self.folder)
        _require_ours(self.folder)
        self._prefer()
        if holder := _holder(self.folder):
            host, pid = holder
            if host != socket.gethostname():
                raise _in_use(self.folder, f"pid {pid} on {host}", elsewhere=True)
            await self._end_orphan(pid)
            if _uses(pid, self.folder):
                raise _in_use(self.folder, f"pid {pid}")
        for name in LOCKS:
            (self.folder / name).unlink(missing_ok=True)
        return self.folder

    def _prefer(self) -> None:
        """Give a new profile our settings: its name, and the side panel's button in sight."""
        if not (path := self.folder / PREFERENCES).exists():
            private_folder(path.parent)
            write_private(path, msgspec.json.encode(NEW))

    def opened(self, pid: int = 0) -> None:
        """Note that a Chromium has the profile open, as soon as it is known with its pid."""
        write_private(self.note, f"{_where.OPEN} {pid} {_where.pid_start(pid)}\n".encode())

    def left(self, *, lost: bool) -> None:
        """Note how the window ended: on purpose, by the person's hand, or lost."""
        if not lost:
            self.note.unlink(missing_ok=True)
        elif self._ended_well():
            write_private(self.note, f"{_where.CLOSED}\n".encode())

    def _ended_well(self) -> bool:
        """Check whether Chromium wrote that it ended as it should, as when its window is closed.

        It takes some seconds until it writes that it runs: until then, the file tells of the window
        before, and is older than the note on this one.
        """
        path = self.folder / PREFERENCES
        try:
            facts = msgspec.json.decode(path.read_bytes(), type=_Facts)
            is_of_this = path.stat().st_mtime_ns > self.note.stat().st_mtime_ns
        except (OSError, msgspec.DecodeError):
            return False
        return is_of_this and facts.profile.exit_type == "Normal"

    async def _end_orphan(self, pid: int) -> None:
        """End a Chromium of a daemon that was killed, if it has not ended by itself."""
        word, _, noted = _where.window_note(str(self.note)).partition(" ")
        started = _where.pid_start(pid)
        if word == _where.OPEN and started and noted == f"{pid} {started}":
            await end_process(pid, started)


def _holder(folder: Path) -> tuple[str, int] | None:
    """Return the machine and the pid that a profile's lock names; None if there is no lock."""
    try:
        host, _, pid = os.readlink(folder / LOCK).rpartition("-")  # noqa: PTH115 - a word, no path
    except OSError:
        return None
    return (host, int(pid)) if pid.isdecimal() else None


def _uses(pid: int, folder: Path) -> bool:
    """Check whether a process lives and uses a profile: its pid may be another's by now."""
    if Path("/proc/self").exists():
        try:
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            return False
        return os.fsencode(folder) in command
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _require_ours(folder: Path) -> None:
    """Raise for a folder that others may have filled: it may come with a checkout."""
    found = folder.lstat()
    private = stat.S_ISDIR(found.st_mode) and not stat.S_IMODE(found.st_mode) & 0o077
    if not private or found.st_uid != os.getuid():
        raise BrowseError(
            Code.WINDOW,
            f"The profile {folder} was not made by browse: others can read it.",
            hint=f"remove it if you do not know it (rm -r {folder}); then `browse connect`",
        )


def _in_use(folder: Path, who: str, *, elsewhere: bool = False) -> BrowseError:
    end = f"make sure that it has ended, then: rm {folder / LOCK}"
    hint = end if elsewhere else "close that browser; then `browse connect`"
    return BrowseError(
        Code.WINDOW,
        f"The window's profile is in use by another browser ({who}): {folder}",
        hint=hint,
    )
