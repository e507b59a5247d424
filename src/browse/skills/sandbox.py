"""The sandbox: how an untrusted script is confined on this system, or that it is not."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache
from pathlib import Path

import msgspec

from browse.skills import launcher
from browse.skills.syscall_filter import syscall_filter

# What any program needs to start, and the time zone.
SYSTEM = (
    "/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/share/zoneinfo",
    "/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/localtime", "/nix/store",
)  # fmt: skip
PROBE_S = 5.0
FILTER_FD = 9
NO_FILTER = "sockets in files, and modes and times of files, stay reachable on this processor"
MAC_SYSTEM = ("/usr/lib", "/usr/share", "/System", "/Library/Developer", "/Library/Frameworks")


class Means(Enum):
    """How a script is confined."""

    LANDLOCK = "Landlock"
    BUBBLEWRAP = "bubblewrap"
    SANDBOX_EXEC = "sandbox-exec"
    NOTHING = "nothing"


class Sandbox(msgspec.Struct, frozen=True):
    """The sandbox that this system offers, and what it does not cover."""

    means: Means
    detail: str
    gaps: str = ""

    def __str__(self) -> str:
        return self.detail + (f"; {self.gaps}" if self.gaps else "")


class Bounds(msgspec.Struct, frozen=True):
    """What a script may access: its own folder, a folder to write to, the daemon's port."""

    folder: Path
    scratch: Path
    port: int
    also: tuple[str, ...] = ()

    @property
    def readable(self) -> tuple[str, ...]:
        return (*SYSTEM, *python_files(), str(self.folder), *self.also)


@cache
def available() -> Sandbox:
    """Return the best sandbox that this system offers; slow the first time."""
    found = choose(sys.platform, launcher.version(), shutil.which)
    if found.means is Means.BUBBLEWRAP and not _bubble_works():
        return choose(sys.platform, 0, lambda _: None)
    return found


def _bubble_works() -> bool:
    """Try it: many systems have the program but deny it what it needs."""
    command = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=PROBE_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def choose(platform: str, landlock: int, found: Callable[[str], str | None]) -> Sandbox:
    """Choose the best available sandbox; `found` looks for a program."""
    if landlock:
        return Sandbox(Means.LANDLOCK, f"Landlock {landlock}", _gaps(landlock))
    if platform == "linux" and found("bwrap"):
        gaps = "other ports of this machine stay reachable"
        return Sandbox(Means.BUBBLEWRAP, "bubblewrap", gaps)
    if platform == "darwin" and found("sandbox-exec"):
        return Sandbox(Means.SANDBOX_EXEC, "sandbox-exec")
    return Sandbox(
        Means.NOTHING,
        "none: an untrusted skill can read what you can read",
        "a kernel with Landlock (Linux 5.13) or the program bwrap would give one"
        if platform == "linux"
        else "",
    )


def _gaps(landlock: int) -> str:
    gaps = [
        "other ports of this machine stay reachable" if landlock < 4 else "",
        "signals to other programs are not stopped" if landlock < 6 else "",
        "" if syscall_filter(os.uname().machine) else NO_FILTER,
    ]
    return "; ".join(filter(None, gaps))


def python() -> str:
    """Return the interpreter for scripts: the daemon's own, outside of any virtual environment."""
    # It has no public name; a virtual environment's own leads to it through links, as a rule.
    base: str = getattr(sys, "_base_executable", sys.executable)
    return str(Path(base).resolve())


def python_files() -> tuple[str, ...]:
    """List where that interpreter and its standard library are."""
    base = Path(sys.base_prefix).resolve()
    folders = [base / name for name in ("lib", "lib64", "Python", "Resources")]
    library = Path(os.__file__).resolve().parent
    return (python(), str(library), *(str(folder) for folder in folders if folder.exists()))


def arguments(sandbox: Sandbox, bounds: Bounds) -> list[str]:
    """Return the launcher's options for a confined script."""
    if sandbox.means is Means.BUBBLEWRAP and syscall_filter(os.uname().machine):
        return ["--filter", str(FILTER_FD)]
    if sandbox.means is not Means.LANDLOCK:
        return []
    options = ["--port", str(bounds.port), "--write", str(bounds.scratch)]
    for path in bounds.readable:
        options += ["--read", path]
    return options


def wrapped(sandbox: Sandbox, bounds: Bounds, program: Sequence[str]) -> list[str]:
    """Prefix the script's words with the program that confines it, if one is needed."""
    match sandbox.means:
        case Means.BUBBLEWRAP:
            return [shutil.which("bwrap") or "bwrap", *_bubble(bounds), "--", *program]
        case Means.SANDBOX_EXEC:
            return ["/usr/bin/sandbox-exec", "-p", mac_profile(bounds), *program]
    return list(program)


def _bubble(bounds: Bounds) -> list[str]:
    words = ["--unshare-all", "--share-net", "--die-with-parent", "--new-session"]
    words += ["--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]  # noqa: S108
    for path in bounds.readable:
        words += [] if path.startswith("/proc") else ["--ro-bind-try", path, path]  # it has its own
    if syscall_filter(os.uname().machine):
        words += ["--seccomp", str(FILTER_FD)]
    scratch = str(bounds.scratch)
    return [*words, "--bind", scratch, scratch, "--chdir", str(bounds.folder)]


def mac_profile(bounds: Bounds) -> str:
    """Write the sandbox profile for macOS."""
    readable = [*MAC_SYSTEM, *python_files(), str(bounds.folder), str(bounds.scratch)]
    readable += ["/private/var/db/timezone", "/dev"]
    reads = " ".join(f"(subpath {_quoted(path)})" for path in readable)
    return "\n".join(
        [
            "(version 1)",
            "(deny default)",
            "(allow process-fork process-exec signal (target self))",
            "(allow sysctl-read mach-lookup)",
            '(allow file-read-metadata (subpath "/"))',
            f'(allow file-read* (literal "/") {reads})',
            f'(allow file-write* (subpath {_quoted(str(bounds.scratch))}) (literal "/dev/null"))',
            f'(allow network-outbound (remote tcp "localhost:{bounds.port}"))',
        ]
    )


def _quoted(path: str) -> str:
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'
