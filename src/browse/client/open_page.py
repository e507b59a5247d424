"""Open the page whose address a command prints, in the person's own browser.

Only where there is a desktop. Elsewhere, and over SSH, the printed address is all there is.
"""

import os
import sys

from browse.client import wire

# What ends an address in plain text and in JSON.
ENDS = b' \r\n"'


class PageOpener(wire.ReplyReader):
    """Copies a reply, and opens the first address of the daemon's own pages in it."""

    __slots__ = ("_before", "_is_open", "_seen")

    def __init__(self, port: int) -> None:
        super().__init__()
        self._before = f"http://127.0.0.1:{port}/".encode()
        self._seen = b""
        self._is_open = False

    def copy(self, piece: bytes) -> None:
        super().copy(piece)
        if self._kind != b"1" or self._is_open:
            return
        self._seen += piece
        at = self._seen.find(self._before)
        ends = [end for char in ENDS if (end := self._seen.find(char, max(at, 0))) >= 0]
        if at >= 0 and ends:
            self._is_open = True
            open_address(self._seen[at : min(ends)].decode("ascii", "replace"))


def open_address(address: str) -> None:
    """Start the desktop's own program for addresses, if there is one; wait for nothing."""
    import subprocess  # only here: it costs more than most commands

    if not (program := _program()):
        return
    try:
        subprocess.Popen(
            [program, address],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as exc:
        wire.say(f"{program} cannot be started ({exc.strerror}); open the address yourself.")


def _program() -> str:
    if os.environ.get("SSH_CONNECTION"):
        return ""
    if sys.platform == "darwin":
        return "open"
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return ""
    from shutil import which  # as above

    return which("xdg-open") or ""
