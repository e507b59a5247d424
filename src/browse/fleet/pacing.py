"""Which page is next: hosts in turn, none faster than it may be asked.

Of the hosts that may be asked now, the one with the fewest pages under way is next, and none has
more than its share of the tabs while others could use them. So a slow host never holds up the pages
of a fast one, neither here nor in what waits at a worker.
"""

import heapq
from collections import deque
from itertools import count
from urllib.parse import urlsplit

from browse.core.errors import Usage
from browse.fleet.visit import Page

PERIODS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def interval(rate: str) -> float:
    """Return the seconds between two pages of a host, of a rate such as 2/s or 30/m."""
    number, _, unit = rate.partition("/")
    try:
        pages = float(number)
        period = PERIODS[unit]
    except (ValueError, KeyError):
        pages, period = 0.0, 0.0
    if not 0 < pages < float("inf"):
        raise Usage(f"{rate[:40]!r} is not a rate", hint="give 2/s, 30/m or 100/h")
    return period / pages


class _Host:
    """The pages of one host that wait, and when it may be asked again."""

    __slots__ = ("busy", "free_at", "interval", "known", "pages", "stamp")

    def __init__(self, seconds: float) -> None:
        self.pages: deque[Page] = deque()
        self.busy = 0
        self.free_at = 0.0
        self.interval = seconds
        self.known = True
        self.stamp = 0


class HostQueue:
    """Pages that wait, by host. Times are those of the caller's clock."""

    def __init__(self, seconds: float = 0.0) -> None:
        self._seconds = seconds
        self._hosts: dict[str, _Host] = {}
        self._turn = count()
        # Entries whose stamp is not their host's are out of date.
        self._ready: list[tuple[int, int, str, int]] = []
        self._later: list[tuple[float, str, int]] = []
        self._waiting = 0
        self._busy = 0
        self._live = 0  # hosts with pages that wait or are under way
        self.is_paced = seconds > 0  # whether any host may only be asked so often

    def __len__(self) -> int:
        return self._waiting

    def add(self, page: Page, now: float) -> None:
        """Put a page behind the others of its host."""
        name = host_of(page.url)
        host = self._hosts.setdefault(name, _Host(self._seconds))
        self._live += not (host.pages or host.busy)
        host.pages.append(page)
        self._waiting += 1
        if len(host.pages) == 1:
            self._place(name, host, now)

    def next(self, now: float, room: int) -> Page | None:
        """Take the next page that may be asked for now, where so many pages can be done at once."""
        while self._later and self._later[0][0] <= now:
            _, name, stamp = heapq.heappop(self._later)
            if (host := self._hosts.get(name)) and host.stamp == stamp:
                self._place(name, host, now)
        while self._ready:
            busy, _, name, stamp = self._ready[0]
            host = self._hosts.get(name)
            is_current = host is not None and host.stamp == stamp
            if is_current and not self._may_have(busy + 1, room):
                return None  # and no other host, as they have more
            heapq.heappop(self._ready)
            if host and is_current:
                return self._take(name, host, now)
        return None

    def _may_have(self, pages: int, room: int) -> bool:
        """Tell whether one host may have so many pages under way."""
        return self._live == 1 or pages <= max(1, room // self._live) or self._busy < room

    def wait_s(self, now: float) -> float | None:
        """Return how long until a host may be asked again; None if that is not a matter of time."""
        while self._later:
            at, name, stamp = self._later[0]
            if (host := self._hosts.get(name)) and host.stamp == stamp:
                return max(0.0, at - now)
            heapq.heappop(self._later)
        return None

    def done(self, url: str, now: float) -> None:
        """Note that a page is not under way any more."""
        name = host_of(url)
        host = self._hosts[name]
        host.busy -= 1
        self._busy -= 1
        self._live -= not (host.pages or host.busy)
        if not (host.pages or host.busy or host.interval or not host.known):
            del self._hosts[name]
            return
        self._place(name, host, now)

    def hold(self, name: str) -> bool:
        """Send nothing to a host until its rules are known; tell whether it is a new host."""
        if name in self._hosts:
            return False
        host = self._hosts[name] = _Host(self._seconds)
        host.known = False
        return True

    def release(self, name: str, seconds: float, now: float) -> None:
        """Let a host be asked, so slowly at least."""
        host = self._hosts[name]
        host.known = True
        host.interval = max(host.interval, seconds)
        self.is_paced |= seconds > 0
        self._place(name, host, now)

    def _take(self, name: str, host: _Host, now: float) -> Page:
        page = host.pages.popleft()
        self._waiting -= 1
        host.busy += 1
        self._busy += 1
        host.free_at = now + host.interval
        self._place(name, host, now)
        return page

    def _place(self, name: str, host: _Host, now: float) -> None:
        host.stamp += 1
        if not host.pages or not host.known:
            return
        if host.free_at > now:
            heapq.heappush(self._later, (host.free_at, name, host.stamp))
        else:
            heapq.heappush(self._ready, (host.busy, next(self._turn), name, host.stamp))


def host_of(url: str) -> str:
    """Return scheme, host and port of an address; "" if it has none."""
    try:
        parts = urlsplit(url)
    except ValueError:  # brackets that are no IPv6 address
        return ""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}".lower()
