"""Tickets: cookies that open one thing each, for browsers that cannot send a bearer token.

They are not tokens: no ticket can run a command.
"""

import hashlib
import secrets
from collections.abc import Callable
from enum import Enum

from browse.core.clock import elapsed

MAX_LIVE = 1_000


class TicketKind(Enum):
    """What a ticket opens: the name of its cookie, and for how many seconds."""

    FEED = ("gstack_sse", 1_800)

    @property
    def cookie(self) -> str:
        return self.value[0]

    @property
    def life_s(self) -> int:
        return self.value[1]


class Tickets:
    """The valid tickets; only their hashes are stored."""

    def __init__(self, clock: Callable[[], float] = elapsed) -> None:
        self._clock = clock
        self._until: dict[tuple[TicketKind, bytes], float] = {}

    def issue(self, opens: TicketKind) -> str:
        """Return a new ticket; of more than a thousand, the oldest becomes invalid."""
        self._sweep()
        ticket = secrets.token_urlsafe(32)
        self._until[opens, _digest(ticket)] = self._clock() + opens.life_s
        return ticket

    def valid(self, opens: TicketKind, ticket: str) -> bool:
        """Check whether a ticket opens this now."""
        return self._until.get((opens, _digest(ticket)), 0.0) > self._clock()

    def _sweep(self) -> None:
        now = self._clock()
        live = [(key, until) for key, until in self._until.items() if until > now]
        self._until = dict(live[-(MAX_LIVE - 1) :])


def _digest(ticket: str) -> bytes:
    return hashlib.sha256(ticket.encode("utf-8", "surrogatepass")).digest()
