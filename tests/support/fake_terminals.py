"""Terminals without a daemon around them."""

import os
from pathlib import Path

from browse.auth.tickets import Tickets
from browse.core.settings import Settings
from browse.terminal.agents import TerminalProgram
from browse.terminal.session import TerminalStart
from browse.terminal.sessions import Terminals


class FakeTerminalHost:
    """Terminals that run a shell, or what a test says."""

    def __init__(self, *argv: str) -> None:
        self.argv = argv or ("/bin/sh",)
        self.tabs: list[tuple[str, str]] = []
        self.notice = ""

    def program(self) -> TerminalProgram:
        return TerminalProgram(self.argv, "sh", is_agent=False, notice=self.notice)

    async def prepare(self) -> TerminalStart:
        environ = {"PATH": os.defpath, "TERM": "xterm"}
        return TerminalStart(self.argv, environ, Path("/"), self.notice)

    async def tabs_changed(self, reason: str, looked_at: str = "") -> None:
        self.tabs.append((reason, looked_at))

    async def close(self) -> None:
        self.tabs.clear()


def a_terminal_keeper(
    host: FakeTerminalHost | None = None, tickets: Tickets | None = None, **settings: int
) -> Terminals:
    """Make the terminals of a daemon."""
    own = Settings(**settings)  # type: ignore[arg-type] # numbers only
    return Terminals(own, tickets or Tickets(), host or FakeTerminalHost())
