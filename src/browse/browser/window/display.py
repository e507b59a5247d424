"""The display that a window is shown on: the person's own, or a virtual one (Xvfb) on Linux."""

import asyncio
import os
import re
import secrets
import socket
import struct
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from browse.browser.process.chromium import System
from browse.core.children import Child, Launch
from browse.core.errors import BrowseError, Code

START_S = 10.0
SCREEN = "1920x1080x24"
_LOCAL = re.compile(r"(?:unix)?:([0-9]{1,5})(?:\.[0-9]+)?")
# An entry of an .Xauthority file that holds for every address and every display.
_ANY_FAMILY = 0xFFFF
_COOKIE = b"MIT-MAGIC-COOKIE-1"
PACKAGES = (
    ("apt-get", "sudo apt install xvfb"),
    ("dnf", "sudo dnf install xorg-x11-server-Xvfb"),
    ("pacman", "sudo pacman -S xorg-server-xvfb"),
    ("zypper", "sudo zypper install xorg-x11-server-Xvfb"),
    ("apk", "sudo apk add xvfb"),
)


class Display(msgspec.Struct, frozen=True):
    """Where a window is shown: its name, and the variables that lead Chromium there."""

    name: str = ""
    environ: Mapping[str, str] = msgspec.field(default_factory=dict)
    server: Child | None = None

    @property
    def note(self) -> str:
        """What a person should know who looks for the window."""
        if self.server is None:
            return ""
        return f"nobody sees the window: its display ({self.name}) is virtual; see `browse view`"

    async def close(self) -> None:
        """End the virtual display, if it is one."""
        if self.server:
            await self.server.end()


async def open_display(
    system: System, folder: Path, asked: Mapping[str, str] | None = None
) -> Display:
    """Return the display of this machine, or start a virtual one with its files in a folder.

    `asked` names another display than that of our own environment.
    """
    if system.platform == "darwin":
        return Display()
    if asked:
        await asyncio.to_thread(require_answer, asked["DISPLAY"])
        return Display(asked["DISPLAY"], {key: it for key, it in asked.items() if it})
    if system.environ.get("WAYLAND_DISPLAY"):
        return Display(system.environ["WAYLAND_DISPLAY"])
    if name := system.environ.get("DISPLAY", ""):
        await asyncio.to_thread(require_answer, name)
        return Display(name)
    return await _start_virtual(system, folder)


def require_answer(name: str) -> None:
    """Raise if nothing listens on a display of this machine; another machine's is not checked."""
    found = _LOCAL.fullmatch(name)
    if not found or any(map(_listens, _addresses(found[1]))):
        return
    raise BrowseError(
        Code.WINDOW,
        f"The display {name} (DISPLAY) does not answer.",
        hint="log in there, name another display, or unset DISPLAY to use a virtual one (Xvfb);"
        " then `browse connect`",
    )


def _addresses(number: str) -> tuple[str, ...]:
    path = f"/tmp/.X11-unix/X{number}"  # noqa: S108 - where every X server listens
    return path, f"\0{path}"


def _listens(address: str) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(address)
        except OSError:
            return False
    return True


async def _start_virtual(system: System, folder: Path) -> Display:
    """Start Xvfb, which finds a free number by itself; only who has the cookie may connect."""
    program = system.which("Xvfb")
    if program is None:
        raise _no_display(system)
    cookies = folder / "Xauthority"
    cookies.write_bytes(xauthority(secrets.token_bytes(16)))
    cookies.chmod(0o600)
    options = ["-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp", "-auth", str(cookies)]
    try:
        server = await Child.start(Launch([program, *options]))
    except OSError as exc:
        raise _not_started(os.strerror(exc.errno or 0)) from exc
    number = b""
    with suppress(TimeoutError):
        async with asyncio.timeout(START_S):
            number = (await server.stdout.readline()).strip()
    if not number.isdigit():
        await server.kill()
        raise _not_started("it did not name its display")
    name = f":{number.decode()}"
    return Display(name, {"DISPLAY": name, "XAUTHORITY": str(cookies)}, server)


def xauthority(cookie: bytes) -> bytes:
    """Return an .Xauthority file with one cookie, for every display that is asked for."""

    def counted(value: bytes) -> bytes:
        return struct.pack(">H", len(value)) + value

    return struct.pack(">H", _ANY_FAMILY) + b"".join(map(counted, (b"", b"", _COOKIE, cookie)))


def _no_display(system: System) -> BrowseError:
    command = next((it for tool, it in PACKAGES if system.which(tool)), "install Xvfb")
    return BrowseError(
        Code.WINDOW,
        "There is no display to open a window on, and no Xvfb to make a virtual one.",
        hint=f"run it in a desktop session, or: {command}; then `browse connect`",
    )


def _not_started(reason: str) -> BrowseError:
    return BrowseError(
        Code.WINDOW,
        f"The virtual display (Xvfb) did not start: {reason}.",
        hint="run `Xvfb :99` to see why; then `browse connect`",
    )
