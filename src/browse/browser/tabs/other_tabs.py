"""Tabs of a browser that are not ours: the person's. They are listed, and used only once taken."""

from collections.abc import Iterator
from typing import Protocol

import msgspec
from playwright.async_api import Page

from browse.browser.tabs.new_pages import NewPages
from browse.core.errors import BrowseError, Code

HINT = "`browse tab {id} --take` takes it; `browse newtab` opens one of our own"


class OtherPage(msgspec.Struct, frozen=True):
    """A page of the person's, as the browser itself describes it."""

    target: str
    title: str
    url: str


class Outside(Protocol):
    """What is not ours of a browser, and the way to get it."""

    async def others(self) -> list[OtherPage]:
        """List the pages of the person's."""
        ...

    async def take(self, target: str) -> bool:
        """Let a page become ours; return whether it is still there."""
        ...


class OtherTabs:
    """The person's tabs, with numbers that they keep when they are taken."""

    def __init__(self, outside: Outside, ids: Iterator[int]) -> None:
        self._outside = outside
        self._ids = ids
        self._numbers: dict[str, int] = {}  # by target

    async def all(self) -> dict[int, OtherPage]:
        """List the person's tabs by number."""
        pages = {it.target: it for it in await self._outside.others()}
        self._numbers = {target: id for target, id in self._numbers.items() if target in pages}
        for target in pages:
            if target not in self._numbers:
                self._numbers[target] = next(self._ids)
        return {id: pages[target] for target, id in self._numbers.items()}

    def has(self, id: int) -> bool:
        """Check whether a number is that of a tab of the person's."""
        return id in self._numbers.values()

    def refuse(self, id: int) -> None:
        """Raise if a number is that of a tab of the person's."""
        if self.has(id):
            raise BrowseError(
                Code.TAB_NOT_YOURS, f"Tab {id} is the person's own.", hint=HINT.format(id=id)
            )

    async def take(self, id: int, pages: NewPages) -> Page | None:
        """Return the page of a tab of the person's, which is ours now; None if it has none."""
        target = next((it for it, number in self._numbers.items() if number == id), "")
        page = await pages.given(target, self._outside.take) if target else None
        if page:
            del self._numbers[target]
        return page
