"""The daemon's own log: bounded, private, and without secrets or page words in it."""

import logging
import os
import sys
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path

from browse.core.controls import visible

MAX_LOG_BYTES = 10 * 1024 * 1024


class _DaemonLog(RotatingFileHandler):
    """Keep one old generation; stderr (driver output, a last traceback) follows the new file."""

    def doRollover(self) -> None:
        super().doRollover()
        if self.stream:
            for fd in (1, 2):
                os.dup2(self.stream.fileno(), fd)


class _Clean(logging.Formatter):
    """Mask secrets in a whole record, its traceback included; show control characters.

    Further lines of a record are indented, so that no words in it look like another record.
    """

    def __init__(self, clean: Callable[[str], str]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S")
        self._clean = clean

    def format(self, record: logging.LogRecord) -> str:
        return visible(self._clean(super().format(record))).replace("\n", "\n  ")


def set_up(path: Path, *, debug: bool, clean: Callable[[str], str] = str) -> None:
    """Send log records to the daemon log: `2026-01-31T10:00:00 INFO browse.x: words`."""
    handler = _DaemonLog(
        path, maxBytes=MAX_LOG_BYTES, backupCount=1, encoding="utf-8", errors="replace"
    )
    handler.setFormatter(_Clean(clean))
    logging.basicConfig(
        level=logging.DEBUG if debug else logging.INFO, handlers=[handler], force=True
    )
    logging.getLogger("asyncio").setLevel(logging.WARNING)
    sys.excepthook = lambda kind, error, trace: logging.getLogger("browse").critical(
        "the daemon failed", exc_info=(kind, error, trace)
    )
