"""Tickets: what browsers send that have no token. Each opens one thing, and ends by itself.

A page gets its ticket for a one-time code, which a command puts behind the `#` of an address: that
part of an address reaches no server and no log. A page of ours keeps its ticket in memory, not in a
cookie: cookies ignore ports, so any other server on this machine would be sent it as well.
"""

import hashlib
import secrets
from collections.abc import Callable
from enum import Enum

from browse.core.clock import elapsed

MAX_LIVE = 1_000
CODE_S = 300
_HALF_A_DAY_S = 43_200


class TicketKind(Enum):
    """What a ticket opens: a name, and for how many seconds. FEED is sent as a cookie."""

    FEED = ("gstack_sse", 1_800)
    VIEW = ("view", _HALF_A_DAY_S)
    REMOTE_VIEW = ("remote-view", _HALF_A_DAY_S)
    DASHBOARD = ("dashboard", _HALF_A_DAY_S)
    COOKIE_PICKER = ("cookie-picker", 3_600)
    EXTENSION = ("extension", 60 * _HALF_A_DAY_S)
    TERMINAL = ("terminal", 1_800)

    @property
    def label(self) -> str:
        return self.value[0]

    @property
    def life_s(self) -> int:
        return self.value[1]

    @property
    def is_remote(self) -> bool:
        """Whether it works through the tunnel, and nowhere else."""
        return self is TicketKind.REMOTE_VIEW


class Tickets:
    """The valid tickets and codes; only their hashes are stored."""

    def __init__(self, clock: Callable[[], float] = elapsed) -> None:
        self._clock = clock
        self._until: dict[tuple[TicketKind, bytes], float] = {}
        self._codes: dict[bytes, tuple[TicketKind, float]] = {}

    def issue(self, opens: TicketKind) -> str:
        """Return a new ticket; of more than a thousand, the oldest becomes invalid."""
        self._sweep()
        ticket = secrets.token_urlsafe(32)
        self._until[opens, _digest(ticket)] = self._clock() + opens.life_s
        return ticket

    def valid(self, opens: TicketKind, ticket: str) -> bool:
        """Check whether a ticket opens this now."""
        return self._until.get((opens, _digest(ticket)), 0.0) > self._clock()

    def code(self, opens: TicketKind) -> str:
        """Return a code for one ticket of a kind; it works once, for five minutes."""
        self._sweep()
        code = secrets.token_urlsafe(16)
        self._codes[_digest(code)] = opens, self._clock() + CODE_S
        return code

    def exchange(self, code: str, *, remote: bool = False) -> tuple[TicketKind, str] | None:
        """Return the ticket for a code, and what it opens; None if the code opens nothing there."""
        opens, until = self._codes.pop(_digest(code), (TicketKind.FEED, 0.0))
        if until <= self._clock() or opens.is_remote is not remote:
            return None
        return opens, self.issue(opens)

    def _sweep(self) -> None:
        now, room = self._clock(), MAX_LIVE - 1
        live = [(key, until) for key, until in self._until.items() if until > now]
        self._until = dict(live[-room:])
        codes = [(key, kept) for key, kept in self._codes.items() if kept[1] > now]
        self._codes = dict(codes[-room:])


def _digest(ticket: str) -> bytes:
    return hashlib.sha256(ticket.encode("utf-8", "surrogatepass")).digest()
