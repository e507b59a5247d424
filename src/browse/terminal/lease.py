"""A lease: how long a terminal is kept for somebody who is not heard of. It is never revived.

Time that the machine sleeps does not count: whoever opens their laptop again finds their terminal.
"""

import time
from collections.abc import Callable


class TerminalLease:
    """Ends a while after it was last used, sooner while nobody is attached."""

    def __init__(
        self, *, life_s: float, detached_s: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._life_s = life_s
        self._detached_s = detached_s
        self._clock = clock
        self._ended = False
        self._used = clock()
        self._alone_since: float | None = self._used

    @property
    def left_s(self) -> float:
        """The seconds until it ends; 0 for good once it has."""
        until = self._used + self._life_s
        if self._alone_since is not None:
            until = min(until, self._alone_since + self._detached_s)
        left = 0.0 if self._ended else max(0.0, until - self._clock())
        self._ended = left == 0.0
        return left

    def use(self) -> None:
        """Begin it anew, unless it has ended."""
        if self.left_s:
            self._used = self._clock()

    def attach(self) -> None:
        """Count from now on as somebody is there."""
        self.use()
        self._alone_since = None

    def detach(self) -> None:
        """Count from now on as nobody is there."""
        self.use()
        self._alone_since = self._clock()

    def end(self) -> None:
        self._ended = True
