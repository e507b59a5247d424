"""The sessions that have a name: opened by their first use, each with its own browser context."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from browse.browser.driver_errors import translated
from browse.browser.tabs.tabs import Tabs
from browse.core.errors import BrowseError, Code
from browse.core.tasks import spawn

MAX_SESSIONS = 20


class NamedSessions:
    """Opens, finds and closes sessions by name."""

    def __init__(self) -> None:
        self._opening: dict[str, asyncio.Task[Tabs]] = {}

    def has(self, name: str) -> bool:
        """Whether a session of this name is open, or opens just now."""
        return name in self._opening

    async def get(self, name: str, opened: Callable[[], Coroutine[Any, Any, Tabs]]) -> Tabs:
        """Return the tabs of a session, opened if it is new."""
        if name not in self._opening:
            if len(self._opening) >= MAX_SESSIONS:
                raise BrowseError(
                    Code.SESSION_LIMIT,
                    f"{MAX_SESSIONS} sessions are open, which is the limit.",
                    hint="close one with `browse session close <name>`",
                )
            self._opening[name] = spawn(opened(), name=f"session {name}")
        try:
            with translated("opening the session"):
                return await asyncio.shield(self._opening[name])
        except BrowseError:
            self._opening.pop(name, None)
            raise

    def open(self) -> dict[str, Tabs]:
        """Return those that are open."""
        done = {name: task for name, task in self._opening.items() if task.done()}
        return {name: task.result() for name, task in done.items() if not task.exception()}

    async def close(self, name: str) -> int:
        """Close a session with its tabs and cookies; return how many tabs it had."""
        task = self._opening.pop(name, None)
        if task is None:
            raise BrowseError(
                Code.SESSION_UNKNOWN,
                f"There is no session {name!r}.",
                hint=f"open: {', '.join(self._opening) or 'none'}; `browse session list`",
            )
        tabs = await task
        count = len(tabs)
        await tabs.abort_recordings()
        with translated("closing the session"):
            await tabs.context.close()
        return count
