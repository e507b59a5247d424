"""Which table of a page is meant, so that it can be read again after the page has changed."""

from contextlib import suppress

import msgspec

from browse.browser.elements import fingerprints
from browse.browser.elements.fingerprints import ElementFingerprint
from browse.browser.elements.target import FoundElement
from browse.browser.page import scripts
from browse.browser.page.scripts import Place
from browse.browser.page.shapes import HiddenWords
from browse.browser.page.tables import Table, Tables
from browse.core.errors import BrowseError, Code
from browse.dispatch.context import Ctx


class LastingTarget(msgspec.Struct):
    """A target that is found again where its element or its document was replaced."""

    ctx: Ctx
    word: str
    known: ElementFingerprint | None = None

    async def find(self, *, anyway: bool = False) -> FoundElement:
        """Find the element; by what it was, if its ref is stale."""
        try:
            found = await self.ctx.find(self.word, anyway=anyway)
        except BrowseError as exc:
            if exc.code is not Code.REF_STALE or not await self._look_again():
                raise
            found = await self.ctx.find(self.word, anyway=anyway)
        self.known = found.fingerprint or self.known
        return found

    async def _look_again(self) -> bool:
        if self.known is None:
            return False
        tab = self.ctx.tab
        with suppress(BrowseError):  # the page is navigating, or has nothing like it
            if frame := await fingerprints.frame_at(tab, self.known.frame):
                _, ref = await fingerprints.find_again(tab, frame, self.known, strict=True)
                self.word = str(ref) if ref else self.word
                return ref is not None
        return False


class TableSource(msgspec.Struct):
    """The table that a caller means: what it is in, and which one there."""

    ctx: Ctx
    target: LastingTarget | None
    nth: int | None
    hidden: list[HiddenWords] = []

    @classmethod
    def of(cls, ctx: Ctx, selector: str | None, nth: int | None) -> "TableSource":
        return cls(ctx, LastingTarget(ctx, selector) if selector else None, nth)

    async def place(self) -> Place:
        # `anyway`: reading an element that has changed is harmless.
        return (await self.target.find(anyway=True)).place if self.target else self.ctx.tab.frame

    async def tables(self, *, room: int = 0, placed: bool = False) -> Tables:
        """Read it, or all that there is to choose from; keep what is hidden there."""
        place = await self.place()
        found, self.hidden = await scripts.TABLES.read(
            place, nth=self.nth, room=room, placed=placed
        )
        return found

    async def read(self, *, placed: bool = False) -> Table | None:
        """Read the table again; None if it is not there now."""
        try:
            return (await self.tables(placed=placed)).chosen
        except BrowseError:
            if self.ctx.tab.closed:
                raise
            return None  # the page is navigating
