"""Rate limits: token buckets that refill with time."""

import math
from collections.abc import Callable

from browse.core.clock import elapsed
from browse.core.errors import BrowseError, Code


class Bucket:
    """Holds `size` requests when full and gains `per_s` of them a second."""

    __slots__ = ("_clock", "_left", "_seen", "per_s", "size")

    def __init__(self, size: float, per_s: float, clock: Callable[[], float] = elapsed) -> None:
        self.size = size
        self.per_s = per_s
        self._clock = clock
        self._left = size
        self._seen = clock()

    def take(self) -> float:
        """Take one request; return the seconds to wait if none is left, else 0."""
        now = self._clock()
        self._left = min(self.size, self._left + (now - self._seen) * self.per_s)
        self._seen = now
        if self._left >= 1:
            self._left -= 1
            return 0.0
        return (1 - self._left) / self.per_s


class Rates:
    """A bucket for each client."""

    def __init__(self, clock: Callable[[], float] = elapsed) -> None:
        self._clock = clock
        self._buckets: dict[str, Bucket] = {}

    def admit(self, client: str, per_s: int) -> None:
        """Raise if a request comes too soon; a rate of 0 means no limit."""
        if not per_s:
            return
        bucket = self._buckets.get(client)
        if bucket is None or bucket.per_s != per_s:
            bucket = self._buckets[client] = Bucket(per_s, per_s, self._clock)
        if wait := bucket.take():
            raise too_many(f"Max {per_s} requests/second.", wait)

    def forget(self, client: str) -> None:
        self._buckets.pop(client, None)


def too_many(limit: str, wait_s: float) -> BrowseError:
    """Build the error for a caller that asks too often, with when to ask again."""
    return BrowseError(
        Code.RATE_LIMITED,
        f"Rate limit exceeded. {limit}",
        hint=f"retry after {math.ceil(wait_s * 1000)} ms",
        retry_s=wait_s,
    )
