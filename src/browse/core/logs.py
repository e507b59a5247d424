"""The daemon's own log: bounded, private, and without secrets or page words in it."""

import logging
import os
import sys
from logging.handlers import RotatingFileHandler
from pathlib import Path

MAX_LOG_BYTES = 10 * 1024 * 1024


class _DaemonLog(RotatingFileHandler):
    """Keep one old generation; stderr (driver noise, a last traceback) follows the new file."""

    def doRollover(self) -> None:
        super().doRollover()
        if self.stream:
            for fd in (1, 2):
                os.dup2(self.stream.fileno(), fd)


def set_up(path: Path, *, debug: bool) -> None:
    """Send log records to the daemon log: `2026-01-31T10:00:00 INFO browse.x: words`."""
    handler = _DaemonLog(
        path, maxBytes=MAX_LOG_BYTES, backupCount=1, encoding="utf-8", errors="replace"
    )
    handler.setFormatter(
        logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S")
    )
    logging.basicConfig(
        level=logging.DEBUG if debug else logging.INFO, handlers=[handler], force=True
    )
    logging.getLogger("asyncio").setLevel(logging.WARNING)
    sys.excepthook = lambda kind, error, trace: logging.getLogger("browse").critical(
        "the daemon failed", exc_info=(kind, error, trace)
    )
