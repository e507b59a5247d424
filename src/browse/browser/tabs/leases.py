"""The current tab of each holder, and when it was last used."""

from collections.abc import Callable

import msgspec

from browse.core.clock import elapsed

# After this time without a command, an agent's tab is free for others.
LAPSES_S = 600.0


class _Lease(msgspec.Struct):
    tab: int
    used: float


class Leases:
    """One current tab for each holder: an agent, a terminal, a paired client."""

    def __init__(self, clock: Callable[[], float] = elapsed) -> None:
        self._clock = clock
        self._leases: dict[str, _Lease] = {}
        self._reserved: dict[int, list[str] | None] = {}

    def newest(self) -> int:
        """Return the number of the tab that was used last, 0 if there is none."""
        newest = max(self._leases.values(), key=lambda it: it.used, default=None)
        return newest.tab if newest else 0

    def of(self, holder: str) -> int:
        """Return the number of a holder's tab, 0 if it has none; this counts as use."""
        lease = self._leases.get(holder)
        if lease is None:
            return 0
        lease.used = self._clock()
        return lease.tab

    def take(self, holder: str, tab: int) -> None:
        """Make a tab the current one of a holder."""
        self._leases[holder] = _Lease(tab, self._clock())

    def other(self, tab: int, holder: str) -> str:
        """Return the name of another holder that uses a tab; "" if there is none."""
        now = self._clock()
        for name, lease in self._leases.items():
            if name != holder and lease.tab == tab and now - lease.used < LAPSES_S:
                return name
        return ""

    def reserve(self, tab: int, holders: list[str] | None) -> None:
        """Keep a popup for who opened it; None: that is not known yet, so it is for nobody."""
        self._reserved[tab] = holders

    def is_meant_for(self, tab: int, holder: str) -> bool:
        """Whether a holder without a tab may get this one; a popup only if it is its own."""
        if tab not in self._reserved:
            return True
        holders = self._reserved[tab]
        return holders is not None and (not holders or holder in holders)

    def all(self) -> list[tuple[str, int, float]]:
        """List the holders, each with its tab and for how many seconds it has not used it."""
        now = self._clock()
        return [(name, lease.tab, now - lease.used) for name, lease in self._leases.items()]

    def holders(self) -> list[str]:
        """List who has a current tab."""
        return list(self._leases)

    def users(self, tab: int) -> list[str]:
        """List who has a tab as the current one."""
        return [name for name, lease in self._leases.items() if lease.tab == tab]

    def drop(self, *, holder: str = "", tab: int = 0) -> None:
        """Drop the lease of a holder, or all leases on a tab."""
        self._reserved.pop(tab, None)
        self._leases = {
            name: lease
            for name, lease in self._leases.items()
            if name != holder and lease.tab != tab
        }
