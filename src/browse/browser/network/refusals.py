"""What did not get through, and why: kept for a while, so that errors can say more than Chromium.

Chromium tells a page of a refused connection, and us, only that its proxy failed.
"""

import time
from collections import OrderedDict
from dataclasses import dataclass, field

from browse.core.errors import BrowseError, Code
from browse.guard.urls import host_of

MAX_KEPT = 500
KEPT_S = 60.0
# How a request ends, in Chromium's words, that the door or a fence did not let through.
REFUSED = "ERR_SOCKS_CONNECTION_FAILED"
FENCED = "ERR_BLOCKED_BY_CLIENT"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request did not get through: `net` is Chromium's name for it, "" if a rule forbade."""

    why: str
    net: str = ""
    at: float = field(default_factory=time.monotonic)

    @property
    def spelled(self) -> str:
        return f"net::{self.net}" if self.net else f"blocked: {self.why}"

    def error(self, host: str) -> BrowseError:
        """Say it to whoever wanted to go there; where the way led may be the page's choice."""
        return BrowseError(
            Code.URL_REFUSED,
            f"Blocked: the address, or one that it leads to, is refused: {self.why}.",
            hint="`browse network` shows the request; open another address",
            page=f"host: {host}",
        )


class Refusals:
    """The newest refusals, by what was asked for: a host, or a whole address."""

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

    def behind(self, failure: str, url: str) -> Refusal | None:
        """Give the reason behind a failure that Chromium tells of a request to an address."""
        if REFUSED in failure:
            return self.about(host_of(url))
        return self.about(url.partition("#")[0]) if FENCED in failure else None
