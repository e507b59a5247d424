"""What a new terminal of this daemon runs, and what it is told about the browser beside it."""

import asyncio
import logging
from contextlib import suppress
from pathlib import Path

from browse.core.errors import BrowseError
from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.core.tasks import spawn
from browse.dispatch.parts import Parts
from browse.dispatch.site_notes import reference_line
from browse.guard.credentials import masked
from browse.notes.host import page_host
from browse.registry.spec import declared
from browse.security.canary import Canary
from browse.skills.environment import of_daemon
from browse.terminal.agents import TerminalProgram, choose
from browse.terminal.session import TerminalStart
from browse.terminal.surroundings import prompt, variables
from browse.terminal.tab_files import TabFacts, TabFiles

log = logging.getLogger(__name__)


class DaemonTerminalHost:
    """Chooses the program of a terminal, and keeps the files about tabs for it."""

    def __init__(
        self, settings: Settings, paths: Paths, port: int, canary: Canary, parts: Parts
    ) -> None:
        self._settings = settings
        self._paths = paths
        self._port = port
        self._canary = canary
        self._parts = parts
        self._files = TabFiles(paths)
        self._looked_at = ""
        self._writing = asyncio.Lock()
        self._following: asyncio.Task[None] | None = None

    def program(self) -> TerminalProgram:
        environ = of_daemon()
        return choose(self._settings.terminal_command, environ, Path(environ.get("HOME", "/")))

    async def prepare(self) -> TerminalStart:
        tabs = self._tabs()
        current = next((tab for tab in tabs if tab.is_current), None)
        words = prompt(
            self._paths,
            reference=reference_line(self._canary.tell()),
            current=current.number if current else None,
            open_tabs=len(tabs),
            hints=await self._hints(current),
        )
        program = await asyncio.to_thread(self.program)
        argv, more, notice = program.told(words)
        environ = {**variables(of_daemon(), self._paths, self._port), **more}
        await self.tabs_changed("start")
        if self._following is None:
            self._following = spawn(self._follow(), name="tabs for terminals")
        return TerminalStart(argv, environ, self._paths.project, notice)

    async def tabs_changed(self, reason: str, looked_at: str = "") -> None:
        self._looked_at = masked(looked_at) or self._looked_at
        async with self._writing:
            try:
                await asyncio.to_thread(self._files.write, self._tabs(), reason, self._looked_at)
            except BrowseError as exc:  # a full disk is no reason to have no terminal
                log.warning("the files about tabs are not up to date: %s", exc)

    async def close(self) -> None:
        if self._following:
            self._following.cancel()
            await asyncio.to_thread(self._files.remove)

    async def _follow(self) -> None:
        """Keep the files about tabs up to date with what commands do."""
        async for event in self._parts.activity.follow(self._parts.activity.total):
            await self.tabs_changed(str(event["type"]))

    def _tabs(self) -> list[TabFacts]:
        tabs = self._parts.browser.open_tabs
        if tabs is None:
            return []
        current = tabs.leases.newest()
        return [
            TabFacts(it.id, masked(it.url), masked(it.last_title), it.id == current)
            for it in tabs.all()
        ]

    async def _hints(self, current: TabFacts | None) -> list[str]:
        """List what the person has left for an agent: their notes, and those on the site."""
        hints = []
        if any(it.name == "inbox" for it in declared()):
            hints.append("`browse inbox` shows what the person has noted for you.")
        host = page_host(current.url) if current else ""
        with suppress(BrowseError):  # notes that cannot be read are told by the commands for them
            if host and (await self._parts.notes.open(host)).stored:
                hints.append(f"There are notes on {host}: `browse domain-skill show {host}`.")
        return hints
