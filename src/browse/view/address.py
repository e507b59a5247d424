"""Show a person the address of a page of ours: open it, or say how to reach it from afar."""

import asyncio
import getpass
import shutil
import subprocess
import sys
import threading
from contextlib import suppress
from urllib.parse import urlsplit

from browse.core.settings import Settings
from browse.registry.results import Text

# What opens an address in the person's own browser.
OPENERS = {"linux": "xdg-open", "darwin": "open"}


async def open_in_browser(settings: Settings, address: str) -> bool:
    """Open an address in the browser of the person's desktop; return whether there is one."""
    opener = shutil.which(OPENERS.get(sys.platform, ""))
    has_desktop = sys.platform == "darwin" or settings.display or settings.wayland_display
    if not opener or not has_desktop or settings.ssh_connection:
        return False
    return await asyncio.to_thread(_start, opener, address)


async def told(settings: Settings, name: str, page: str, *, opens: bool) -> Text:
    """Build the reply with the address of a page of ours, opened where there is a desktop."""
    opened = opens and await open_in_browser(settings, page)
    forward = forwarding(settings, page)
    lines = [f"{name}: {page}"]
    if opened:
        lines.append("It was opened in your browser.")
    if forward:
        lines.append(f"From the machine that you came from, first type: {forward}")
    lines.append("The address works once, within five minutes.")
    facts = {"url": page, "opened": opened, "forward": forward or None}
    return Text("\n".join(lines), facts, whole=True)


def _start(opener: str, address: str) -> bool:
    """Start a program that goes on by itself: the browser that it opens is the person's own."""
    nothing = subprocess.DEVNULL
    try:
        program = subprocess.Popen(
            [opener, address],
            stdin=nothing,
            stdout=nothing,
            stderr=nothing,
            start_new_session=True,
        )
    except OSError:
        return False
    threading.Thread(target=program.wait, daemon=True).start()  # until it ends, whenever that is
    return True


def forwarding(settings: Settings, address: str) -> str:
    """Return the command that makes an address work on the machine that a person came from."""
    words = settings.ssh_connection.split()
    port = urlsplit(address).port
    if len(words) != 4 or not port:
        return ""
    _, _, here, ssh_port = words
    other = f" -p {ssh_port}" if ssh_port != "22" else ""
    return f"ssh -N -L {port}:127.0.0.1:{port}{other} {_user()}{here}"


def _user() -> str:
    with suppress(OSError, KeyError):
        return f"{getpass.getuser()}@"
    return ""
