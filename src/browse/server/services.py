"""What the endpoints work with: made once, when the daemon is put together."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from browse.auth.rates import Rates
from browse.auth.tickets import Tickets
from browse.auth.tokens import Tokens
from browse.dispatch.activity import Activity
from browse.dispatch.running import Running


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of the daemon that requests can reach."""

    running: Running
    tokens: Tokens
    rates: Rates
    tickets: Tickets
    health: Callable[[], dict[str, Any]]
    release: Callable[[str], int]
    tunnel_url: Callable[[], str | None]
    activity: Activity
    project: str
