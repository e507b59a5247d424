"""The reasons of refused requests, kept for a while, for better errors than Chromium's.

Of a refused connection, Chromium reports only that its proxy failed.
"""

import time
from collections import OrderedDict

import msgspec

from browse.core.errors import BrowseError, Code
from browse.guard.hosts import host_of

MAX_KEPT = 500
KEPT_S = 60.0
# Chromium's errors for requests that the proxy or a request rule refused.
REFUSED = "ERR_SOCKS_CONNECTION_FAILED"
FENCED = "ERR_BLOCKED_BY_CLIENT"


class Refusal(msgspec.Struct, frozen=True):
    """Why a request was refused or failed: `net` is Chromium's error, "" if a rule refused it.

    With `net`, `why` says more than Chromium could: what the proxy behind ours did.
    """

    why: str
    net: str = ""
    hint: str = "open another address"
    at: float = msgspec.field(default_factory=time.monotonic)

    @property
    def spelled(self) -> str:
        if self.net:
            return f"net::{self.net}" + (f" ({self.why})" if self.why else "")
        return f"blocked: {self.why}"

    def error(self, host: str) -> BrowseError:
        """Build the error for a navigation; the host counts as page words: a page may choose it."""
        return BrowseError(
            Code.URL_REFUSED,
            f"Blocked: the address, or one that it leads to, is refused: {self.why}.",
            hint=f"`browse network` shows the request; {self.hint}",
            page=f"host: {host}",
        )


class Refusals:
    """The newest refusals, by host or by whole address."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Refusal] = OrderedDict()

    def note(self, place: str, refusal: Refusal) -> None:
        self._kept[place] = refusal
        self._kept.move_to_end(place)
        if len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)

    def about(self, place: str) -> Refusal | None:
        found = self._kept.get(place)
        return found if found and found.at > time.monotonic() - KEPT_S else None

    def cause_of(self, name: str, url: str) -> Refusal | None:
        """Return the refusal that caused an error of Chromium's for an address."""
        if name == REFUSED:
            return self.about(host_of(url))
        return self.about(url.partition("#")[0]) if name == FENCED else None
