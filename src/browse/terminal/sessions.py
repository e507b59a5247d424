"""The terminals of a daemon: granted to a viewer by a ticket, kept by a lease, ended in time."""

import asyncio
import hashlib
import secrets
from contextlib import suppress
from typing import Protocol

import msgspec

from browse.auth.tickets import TicketKind, Tickets
from browse.core.errors import BrowseError, Code
from browse.core.settings import Settings
from browse.core.tasks import spawn
from browse.terminal.agents import TerminalProgram
from browse.terminal.lease import TerminalLease
from browse.terminal.session import CloseCode, TerminalSession, TerminalStart

MAX_SESSIONS = 8


class TerminalGrant(msgspec.Struct, frozen=True):
    """A terminal, and the ticket with which a viewer attaches to it, once."""

    session: TerminalSession
    ticket: str


class TerminalHost(Protocol):
    """What the daemon knows about new terminals."""

    def program(self) -> TerminalProgram:
        """Choose the program of a new terminal."""

    async def prepare(self) -> TerminalStart:
        """Put together what a new terminal starts with."""

    async def tabs_changed(self, reason: str, looked_at: str = "") -> None:
        """Write down which tabs there are, for the program."""

    async def close(self) -> None:
        """Remove what was written down."""


class Terminals:
    """Every terminal that is kept. `host` says what a new one runs."""

    def __init__(
        self,
        settings: Settings,
        tickets: Tickets,
        host: TerminalHost,
    ) -> None:
        self.host = host
        self.keepalive_s = settings.pty_keepalive_ms / 1000
        self._settings = settings
        self._tickets = tickets
        self._kept: dict[str, TerminalSession] = {}
        self._granted: dict[bytes, str] = {}

    @property
    def are_used(self) -> bool:
        """Whether a program runs in one of them, or somebody watches one."""
        return any(it.is_attached or it.is_started for it in self._kept.values())

    def open(self) -> TerminalGrant:
        """Keep a new terminal; its program starts when a viewer says so."""
        if len(self._kept) >= MAX_SESSIONS and not self._drop_an_idle_one():
            raise BrowseError(
                Code.RATE_LIMITED,
                f"{MAX_SESSIONS} terminals are open already.",
                hint="close one of them in the side panel, or wait until an unused one ends",
                retry_s=60.0,
            )
        lease = TerminalLease(
            life_s=self._settings.pty_lease_ms / 1000,
            detached_s=self._settings.pty_detach_ms / 1000,
        )
        session = TerminalSession(
            secrets.token_urlsafe(16), lease, self._settings.pty_scrollback_bytes
        )
        self._kept[session.name] = session
        spawn(self._watch(session), name="watch a terminal")
        return self._grant(session)

    def reattach(self, name: str) -> TerminalGrant:
        """Grant a terminal that is still kept to a viewer that comes back."""
        session = self._kept.get(name)
        if session is None or not session.lease.left_s:
            raise BrowseError(
                Code.TERMINAL_GONE,
                "There is no such terminal any more.",
                hint="open a new one: POST /pty-session",
            )
        session.lease.use()
        return self._grant(session)

    async def restart(self, name: str) -> TerminalGrant:
        """End a terminal, if it is there, and keep a new one."""
        await self.dispose(name)
        return self.open()

    async def dispose(self, name: str) -> None:
        """End a terminal, if it is there."""
        if session := self._kept.get(name):
            await self._end(session, CloseCode.ENDED, "the terminal was closed")

    def claim(self, ticket: str) -> TerminalSession | None:
        """Return the terminal that a ticket was granted for; it works once."""
        session = self._kept.get(self._granted.pop(_digest(ticket), ""))
        return session if session and session.lease.left_s else None

    async def start(self, session: TerminalSession) -> None:
        """Start the program of a terminal, unless it runs."""
        if not session.is_started:
            await session.start(await self.host.prepare())

    async def close(self) -> None:
        """End all terminals."""
        ending = [self._end(it, CloseCode.ENDED, "the daemon stops") for it in self._kept.values()]
        await asyncio.gather(*ending)
        await self.host.close()

    def _grant(self, session: TerminalSession) -> TerminalGrant:
        ticket = self._tickets.issue(TicketKind.TERMINAL)
        known = {key: name for key, name in self._granted.items() if name in self._kept}
        self._granted = {**known, _digest(ticket): session.name}
        return TerminalGrant(session, ticket)

    def _drop_an_idle_one(self) -> bool:
        """Make room where nothing runs and nobody watches."""
        for name, session in self._kept.items():
            if not session.is_attached and (not session.is_started or session.ended.done()):
                del self._kept[name]
                session.lease.end()
                session.told.set()
                return True
        return False

    async def _watch(self, session: TerminalSession) -> None:
        """Keep a terminal until its lease ends, or a viewer has seen the end of its program."""
        while (left_s := session.lease.left_s) and not session.told.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(left_s):
                    await session.told.wait()
        await self._end(session, CloseCode.EXPIRED, "nobody used the terminal")

    async def _end(self, session: TerminalSession, code: int, reason: str) -> None:
        """End a terminal; it is kept in mind until nothing of it is left."""
        await session.end(code, reason)
        self._kept.pop(session.name, None)


def _digest(ticket: str) -> bytes:
    return hashlib.sha256(ticket.encode("utf-8", "surrogatepass")).digest()
