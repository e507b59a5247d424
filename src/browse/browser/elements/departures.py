"""Pages that were sent elsewhere: until the new document comes, Chromium hands them no script.

What asks such a page would wait as long as its server takes to answer.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakKeyDictionary

from playwright.async_api import Page

from browse.browser.driver_errors import DocumentLost
from browse.core.errors import Code

# What was asked just before is still answered; a busy machine takes so long.
ANSWER_S = 0.5


class PageLeft(DocumentLost):
    """A page was sent elsewhere, and the next one is not there yet."""

    def __init__(self) -> None:
        super().__init__(
            Code.NAVIGATION_FAILED,
            "The page has been sent elsewhere and answers no more; the next one is not there.",
            hint="wait for it: browse wait --navigation",
        )


class Departure:
    """Whether a page is going elsewhere, and what ends because of that."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._limits: set[asyncio.Timeout] = set()

    def begin(self) -> None:
        """Note that a new document was sent for."""
        self._since = asyncio.get_running_loop().time()
        self._reschedule()

    def end(self) -> None:
        """Note that it has come, or will not."""
        self._since = None
        self._reschedule()

    @asynccontextmanager
    async def ending(self) -> AsyncIterator[None]:
        """Ask the page in the block; raise `PageLeft` if it was sent elsewhere."""
        try:
            async with asyncio.timeout(None) as limit:
                limit.reschedule(self._until())
                self._limits.add(limit)
                try:
                    yield
                finally:
                    self._limits.discard(limit)
        except TimeoutError as exc:
            if not limit.expired():
                raise
            raise PageLeft from exc

    def _until(self) -> float | None:
        return None if self._since is None else self._since + ANSWER_S

    def _reschedule(self) -> None:
        for limit in self._limits:
            if not limit.expired():
                limit.reschedule(self._until())


_DEPARTURES: WeakKeyDictionary[Page, Departure] = WeakKeyDictionary()


def departure_of(page: Page) -> Departure:
    """Return what is known of a page's going elsewhere."""
    return _DEPARTURES.setdefault(page, Departure())
