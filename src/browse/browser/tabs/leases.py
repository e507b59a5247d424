"""Which tab is whose current one, and since when it has not been used."""

from collections.abc import Callable
from dataclasses import dataclass

from browse.core.clock import elapsed

# An agent that has not been heard of for so long does not keep others from its tab.
LAPSES_S = 600.0


@dataclass(slots=True)
class _Lease:
    tab: int
    used: float


class Leases:
    """One current tab for each holder: an agent, a terminal, a paired client."""

    def __init__(self, clock: Callable[[], float] = elapsed) -> None:
        self._clock = clock
        self._leases: dict[str, _Lease] = {}

    def of(self, holder: str) -> int:
        """Give the number of a holder's tab, 0 when it has none; this counts as use."""
        lease = self._leases.get(holder)
        if lease is None:
            return 0
        lease.used = self._clock()
        return lease.tab

    def take(self, holder: str, tab: int) -> None:
        """Make a tab the current one of a holder."""
        self._leases[holder] = _Lease(tab, self._clock())

    def other(self, tab: int, holder: str) -> str:
        """Name somebody else who works in a tab; "" when nobody does."""
        now = self._clock()
        for name, lease in self._leases.items():
            if name != holder and lease.tab == tab and now - lease.used < LAPSES_S:
                return name
        return ""

    def drop(self, *, holder: str = "", tab: int = 0) -> None:
        """Forget a holder, or everybody whose current tab this was."""
        self._leases = {
            name: lease
            for name, lease in self._leases.items()
            if name != holder and lease.tab != tab
        }
