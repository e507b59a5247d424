"""Scan outgoing requests for a canary, which must not leave this machine."""

from collections.abc import Callable, Mapping

from browse.security.canary import Canary

MAX_BODY_BYTES = 1_000_000
Listener = Callable[[int, str], None]


class OutboundScan:
    """Looks for the canary in requests, and notifies listeners of those that contain it.

    Nothing is scanned before the canary was given to an agent.
    """

    def __init__(self, canary: Canary) -> None:
        self._canary = canary
        self._listeners: list[Listener] = []
        # Whether request rules hold every request and refuse those with the canary.
        self.is_enforced = False

    @property
    def is_on(self) -> bool:
        return self._canary.given_out

    def on_found(self, listener: Listener) -> None:
        """Add a listener: it gets the tab and the address of each request with the canary."""
        self._listeners.append(listener)

    def report(self, tab: int, url: str) -> None:
        """Notify the listeners of a request with the canary."""
        for listener in self._listeners:
            listener(tab, url)

    def objects(self, url: str, headers: Mapping[str, str], body: str | bytes | None) -> bool:
        """Check whether a request contains the canary."""
        if not self.is_on:
            return False
        words = "\n".join([url, *headers.values()])
        return self._canary.is_in(words) or self._canary.is_in((body or b"")[:MAX_BODY_BYTES])
