"""Telling the client that started us how it went, over the pipe it gave us."""

import os
from contextlib import suppress

from browse.core.errors import BrowseError


class Announcer:
    """Says that we come on, and once how it ended: ready, not needed, or what went wrong."""

    def __init__(self, fd: int | None) -> None:
        self._fd = fd

    def step(self) -> None:
        """Tell that a part of the start is done, so that a busy machine is not taken for an end."""
        self._write(b"step\n")

    def ready(self) -> None:
        self._say(b"ready\n")

    def taken(self) -> None:
        """Tell that another daemon serves this project, or is about to."""
        self._say(b"taken\n")

    def failed(self, error: BrowseError) -> None:
        self._say(f"error {error.exit}\n{error.message}\n{error.hint}\n".encode("utf-8", "replace"))

    def _say(self, words: bytes) -> None:
        self._write(words)
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _write(self, words: bytes) -> None:
        if self._fd is not None:
            with suppress(OSError):  # the client may have gone; the daemon serves the next one
                os.write(self._fd, words)
