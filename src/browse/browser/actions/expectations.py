"""What must come true after an action: `--expect`, and `goto --wait`.

Only what was not so before the action counts: an element that is visible and was not, an address
that did not match or was loaded again, an element that is gone and was there.
"""

import asyncio
import fnmatch
import re
from contextlib import suppress
from secrets import token_hex

import msgspec

from browse.browser.driver_errors import DocumentLost
from browse.browser.elements.departures import PageLeft, departure_of
from browse.browser.elements.page_changes import listening
from browse.browser.elements.target import locator_for
from browse.browser.page import scripts
from browse.browser.page.shapes import Expected
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code


class Expectation:
    """One condition: `url=…`, `gone=<selector>`, or a selector, such as `text=…`."""

    def __init__(self, tab: Tab, spelled: str) -> None:
        kind, equals, rest = spelled.partition("=")
        self.spelled = spelled
        self._tab = tab
        self._kind = kind if equals and kind in ("url", "gone") else "element"
        self._word = rest if self._kind != "element" else spelled
        self._token = token_hex(8)
        # Where nothing is noted before, all that there is counts.
        self._held_before = self.is_to_go
        self._document = tab.refs.doc

    @property
    def is_to_go(self) -> bool:
        return self._kind == "gone"

    async def begin(self) -> None:
        """Note how things stand before the action."""
        if self._kind == "url":
            self._held_before = matches_url(self._word, self._tab.url)
        else:
            self._held_before = (await self._count(before=True)).all > 0

    async def holds(self) -> bool:
        """Check whether it has come true since."""
        if self._kind == "url":
            is_new = not self._held_before or self._tab.refs.doc != self._document
            return is_new and matches_url(self._word, self._tab.url)
        found = await self._count()
        if self._kind == "element":
            return found.fresh > 0
        was, self._held_before = self._held_before, self._held_before or found.all > 0
        return was and not found.all

    async def _count(self, *, before: bool = False) -> Expected:
        place = locator_for(self._tab, self._word).filter(visible=True)
        try:
            run = await scripts.noted(place, selector=self._word)
            return await scripts.EXPECTED(
                self._tab.frame, run=run, token=self._token, before=before
            )
        except BrowseError as exc:
            if isinstance(exc, DocumentLost) or exc.code is Code.REF_STALE:
                return Expected(0, 0)  # the page is navigating, or has
            raise


class Expectations(msgspec.Struct, frozen=True):
    """Conditions that must all come true."""

    tab: Tab
    all: list[Expectation]

    @classmethod
    async def begin(cls, tab: Tab, spelled: list[str]) -> "Expectations":
        """Note how things stand before an action."""
        expectations = [Expectation(tab, it) for it in spelled]
        for it in expectations:
            await it.begin()
        return cls(tab, expectations)

    async def glance(self) -> None:
        """Look right after the action: what is to go may be there only for a moment."""
        with suppress(PageLeft):
            async with departure_of(self.tab.page).ending():
                for it in self.all:
                    if it.is_to_go:
                        await it.holds()

    async def wait(self, within_ms: int, *, done: str = "The action was done") -> None:
        """Wait until all have come true; raise if one does not."""
        unmet = list(self.all)
        if not unmet:
            return
        try:
            async with asyncio.timeout(within_ms / 1000), listening(self.tab) as changes:
                while unmet:
                    await changes.expect_next()
                    unmet = [it for it in unmet if not await it.holds()]
                    if unmet:
                        await changes.next()
        except TimeoutError as exc:
            raise _unmet(unmet, within_ms, done) from exc


def _unmet(unmet: list[Expectation], within_ms: int, done: str) -> BrowseError:
    named = ", ".join(repr(it.spelled) for it in unmet)
    return BrowseError(
        Code.UNMET,
        f"{done}, but {named} did not come true within {within_ms} ms.",
        hint="look with `browse snapshot -i`, or give it longer with --within",
    )


def matches_url(pattern: str, url: str) -> bool:
    """Check whether an address contains a text or matches a glob."""
    if pattern in url:
        return True
    return bool(re.search(r"[*?\[]", pattern)) and fnmatch.fnmatchcase(url, pattern)
