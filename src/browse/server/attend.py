"""Run a command for as long as its caller stays connected."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.types import Receive

from browse.core.tasks import spawn

HEARTBEAT_S = 5.0


async def attend(
    task: asyncio.Task[Any], receive: Receive, beat: Callable[[], Awaitable[None]] | None = None
) -> bool:
    """Wait for a command; cancel it if the caller disconnects. Return whether it stayed."""
    gone = spawn(until_gone(receive), name="watch for the caller's going")
    try:
        while not task.done():
            await asyncio.wait(
                {task, gone}, timeout=HEARTBEAT_S, return_when=asyncio.FIRST_COMPLETED
            )
            if gone.done():
                task.cancel()
                await asyncio.wait({task})
            elif not task.done() and beat:
                await beat()
    except asyncio.CancelledError:  # the connection is ended from our side
        task.cancel()
        raise
    finally:
        still_there = not gone.done()
        gone.cancel()
    return still_there


async def until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
