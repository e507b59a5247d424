"""One element with a handle: whatever the page does meanwhile, an action reaches it or none."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import msgspec
from msgspec.structs import replace
from playwright.async_api import ElementHandle, Locator
from playwright.async_api import Error as DriverError

from browse.browser import driver_errors
from browse.browser.elements.departures import PageLeft, departure_of
from browse.browser.elements.target import FoundElement, find
from browse.browser.page import scripts
from browse.browser.page.shapes import Cover, Facts
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

ACTION_MS = 5_000
# Short, because the element was there a moment ago.
FIND_MS = 3_000


class Element(msgspec.Struct, frozen=True):
    """An element of a tab, and the word that it was found by."""

    tab: Tab
    word: str
    place: Locator
    handle: ElementHandle
    tag: str

    async def facts(self) -> Facts:
        """Return what the element is, and its state."""
        return await scripts.FACTS(self.handle)

    async def control(self) -> "Element":
        """Return the control of a label, else the element itself."""
        return replace(self, handle=await scripts.CONTROL(self.handle) or self.handle)

    @asynccontextmanager
    async def acting(self, action: str) -> AsyncIterator[None]:
        """Run an action in the block; if it fails, raise an error that names the obstacle."""
        try:
            with driver_errors.acting(action, target=self.word):
                async with departure_of(self.tab.page).ending():
                    yield
        except driver_errors.ElementCovered as exc:
            cover = await self._cover()
            raise exc.named(f"@e{cover.number}", cover.role, cover.name) if cover else exc from exc

    @asynccontextmanager
    async def pressing(self, action: str) -> AsyncIterator[None]:
        """Run what presses it in the block; that it sends the page elsewhere is no failure."""
        with suppress(PageLeft):
            async with self.acting(action):
                yield

    async def _cover(self) -> Cover | None:
        """Find what covers it: in its own document, else in the documents around its frame."""
        handle, at = self.handle, None
        numbers = self.tab.refs
        try:
            frame = await handle.owner_frame()
            while frame:
                seen = await scripts.COVERING(handle, numbers=numbers.start(), at=at)
                numbers.claim(frame, seen.next)
                if seen.cover:
                    numbers.show({f"@e{seen.cover.number}": seen.cover})
                if seen.cover or not frame.parent_frame:
                    return seen.cover
                handle, at = await frame.frame_element(), seen.point
                frame = frame.parent_frame
        except (BrowseError, DriverError):
            return None  # the page has moved on; the driver's own message remains
        return None

    def not_actionable(self, what: str, hint: str, page: str = "") -> BrowseError:
        """Build the error for an element that the command cannot act on."""
        return BrowseError(Code.NOT_ACTIONABLE, f"{self.word} {what}.", hint=hint, page=page)


async def find_element(tab: Tab, word: str, *, anyway: bool) -> Element:
    """Find the one element that a ref or a selector means, and hold on to it."""
    return await reach(tab, word, await find(tab, word, anyway=anyway))


async def reach(tab: Tab, word: str, found: FoundElement) -> Element:
    """Get the handle of a found element, to act on it."""
    with driver_errors.acting("reaching it", target=word):
        handle = await found.place.element_handle(timeout=FIND_MS)
    return Element(tab, word, found.place, handle, found.tag)
