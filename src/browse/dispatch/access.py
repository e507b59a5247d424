"""Access to this daemon that the owner's commands grant and revoke: tokens and the tunnel."""

from collections.abc import Callable
from typing import Any, Protocol

import msgspec

from browse.auth.terms import Terms
from browse.auth.tickets import TicketKind, Tickets
from browse.auth.tokens import Tokens
from browse.core.errors import BrowseError, Code, Usage


class TunnelControl(Protocol):
    """Opens and closes the second listener and its tunnel."""

    @property
    def url(self) -> str | None: ...

    def status(self) -> dict[str, Any]: ...

    async def start(self) -> tuple[str, bool]: ...

    async def stop(self) -> bool: ...


class Access(msgspec.Struct, frozen=True):
    """The tokens and tickets, how to release a client's tabs, and the tunnel."""

    tokens: Tokens
    tickets: Tickets
    release: Callable[[str], int]
    gateway: TunnelControl
    local_url: str

    def page(self, path: str, opens: TicketKind) -> str:
        """Return the address of a page of ours, with a one-time code; only its reader has it."""
        return f"{self.local_url}{path}#{self.tickets.code(opens)}"

    def view_page(self, tab: int, *, remote: bool = False) -> str:
        """Return the address of the live view of a tab, here or through the tunnel."""
        path = f"/view?tab={tab}"
        if not remote:
            return self.page(path, TicketKind.VIEW)
        if not self.gateway.url:
            raise BrowseError(
                Code.TUNNEL,
                "The tunnel is closed, so nobody can look through it.",
                hint="`browse tunnel start` opens it, if you agreed to remote access",
            )
        return f"{self.gateway.url.rstrip('/')}{path}#{self.tickets.code(TicketKind.REMOTE_VIEW)}"

    def terms_of(self, client: str) -> Terms:
        """Return the terms of a paired client, or of one that has yet to connect."""
        found = [grant.terms for grant in self.tokens.agents() if grant.terms.client == client]
        if found:
            return found[-1]
        raise Usage(
            f"no agent named {client!r} is paired",
            hint="`browse tunnel agents` lists them; `browse pair-agent --client <name>` pairs one",
        )

    def revoke(self, client: str) -> tuple[int, int]:
        """Revoke a client's tokens and end its commands; return how many tokens and tabs it had."""
        tabs = self.release(client)
        return self.tokens.revoke(client), tabs
