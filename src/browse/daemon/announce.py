"""Report to the client that started the daemon how the start went, over the client's pipe."""

import os
from contextlib import suppress

from browse.core.errors import BrowseError


class Announcer:
    """Reports progress, and once the outcome: ready, not needed, or the error."""

    def __init__(self, fd: int | None) -> None:
        self._fd = fd

    def step(self) -> None:
        """Report progress, so that the client does not give up on a busy machine."""
        self._write(b"step\n")

    def ready(self) -> None:
        self._say(b"ready\n")

    def taken(self) -> None:
        """Report that another daemon serves this project, or is about to."""
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
            with suppress(OSError):  # the client may be gone; the daemon serves the next one
                os.write(self._fd, words)
