"""Background tasks that are named, kept alive and never fail silently."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from browse.core.errors import BrowseError

T = TypeVar("T")
log = logging.getLogger(__name__)
_running: set[asyncio.Task[Any]] = set()


def spawn(work: Coroutine[Any, Any, T], *, name: str) -> asyncio.Task[T]:
    """Start a task; hold a reference until it ends and log an exception that it did not handle."""
    task = asyncio.get_running_loop().create_task(work, name=name)
    _running.add(task)
    task.add_done_callback(_finished)
    return task


def _finished(task: asyncio.Task[Any]) -> None:
    _running.discard(task)
    if not task.cancelled() and (error := task.exception()):
        known = isinstance(error, BrowseError)  # its message says enough; no traceback
        log.error("task %s failed: %s", task.get_name(), error, exc_info=None if known else error)
