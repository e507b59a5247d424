"""What the endpoints work with: made once, when the daemon is put together."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from browse.auth.rates import Rates
from browse.auth.tickets import Tickets
from browse.dispatch.access import Doors
from browse.dispatch.activity import Activity
from browse.dispatch.running import Running


@dataclass(frozen=True, slots=True)
class Services:
    """The parts of the daemon that requests can reach."""

    running: Running
    doors: Doors
    rates: Rates
    tickets: Tickets
    health: Callable[[], dict[str, Any]]
    activity: Activity
    # Told when a remote caller is turned away: the request, and why.
    denied: Callable[[Request, str], None]
    project: str
