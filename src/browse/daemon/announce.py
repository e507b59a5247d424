"""Telling the client that started us how it went, over the pipe it gave us."""

import os
from contextlib import suppress

from browse.core.errors import BrowseError


class Announcer:
    """Speaks once: ready, or what went wrong."""

    def __init__(self, fd: int | None) -> None:
        self._fd = fd

    def ready(self) -> None:
        self._say(b"ready\n")

    def failed(self, error: BrowseError) -> None:
        self._say(f"error {error.exit}\n{error.message}\n{error.hint}\n".encode("utf-8", "replace"))

    def _say(self, words: bytes) -> None:
        if self._fd is None:
            return
        with suppress(OSError):  # the client may have gone; the daemon serves the next one
            os.write(self._fd, words)
        os.close(self._fd)
        self._fd = None
