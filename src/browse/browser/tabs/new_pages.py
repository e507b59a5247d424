"""Blank pages of our own: opened when needed or in advance, and told apart from popups."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from playwright.async_api import BrowserContext, Page

from browse.browser.cdp_sessions import session_of
from browse.browser.driver_errors import translated
from browse.browser.tabs import activation
from browse.browser.tabs.close_page import end
from browse.core.errors import BrowseError
from browse.core.tasks import spawn

ADOPT_S = 1.0
GIVEN_S = 10.0


class NewPages:
    """Opens pages in a browser context; every other page in it is passed on as a popup."""

    def __init__(self, context: BrowserContext, on_popup: Callable[[Page], None]) -> None:
        self._context = context
        self._on_popup = on_popup
        self._opening = 0
        self._unclaimed: list[Page] = []
        self._own_page_known = asyncio.Event()
        self._came = asyncio.Event()
        self._spare: asyncio.Task[Page] | None = None
        context.on("page", self._on_page)

    def stop(self) -> None:
        """Pass on no more popups: the tabs have moved to another browser context."""
        self._context.remove_listener("page", self._on_page)

    async def known(self, popup: Page) -> None:
        """Wait until it is known whether a page is ours, if one of ours opens just now."""
        if popup in self._unclaimed:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._own_page_known.wait(), ADOPT_S)

    def prepare(self) -> None:
        """Open a blank page in advance, so that the next tab is there at once."""
        if self._spare is None:
            self._spare = spawn(self._open_spare(), name="a page in advance")

    def offer(self, page: Page) -> None:
        """Use a blank page that is there already for the next tab."""
        self._spare = spawn(_there(page), name="a page in advance")

    async def _open_spare(self) -> Page:
        page = await self._open()
        page.once("crash", lambda _: self._drop_spare(page))
        return page

    def _drop_spare(self, page: Page) -> None:
        if self._spare and self._spare.done() and self._spare.result() is page:
            self._spare = None
            spawn(end(page, lambda: session_of(page)), name="close a page that crashed in advance")

    async def new(self) -> Page:
        """Return a blank page: the one opened in advance, if any, else a new one."""
        while spare := self._spare:
            try:
                page = await asyncio.shield(spare)
            except BrowseError:
                page = None
            if self._spare is spare:  # not taken by another caller meanwhile
                self._spare = None
                if page and not page.is_closed():
                    return page
        return await self._open()

    async def _open(self) -> Page:
        """Open a page of our own; popups that open meanwhile are handled afterwards."""
        self._opening += 1
        try:
            with translated("opening a page"), activation.by_us(self._context):
                page = await self._context.new_page()
                activation.is_in_front(page)
            if page in self._unclaimed:
                self._unclaimed.remove(page)
            return page
        finally:
            self._opened()

    async def given(self, target: str, show: Callable[[str], Awaitable[bool]]) -> Page | None:
        """Return the page with this target, which `show` lets come; None if it does not."""
        self._opening += 1
        try:
            if not await show(target):
                return None
            async with asyncio.timeout(GIVEN_S):
                return await self._came_with(target)
        except TimeoutError:
            return None
        finally:
            self._opened()

    async def _came_with(self, target: str) -> Page:
        while True:
            self._came.clear()
            for page in list(self._unclaimed):
                with translated("asking a page for its id"):
                    info = await (await session_of(page)).send("Target.getTargetInfo")
                if info["targetInfo"]["targetId"] == target:
                    self._unclaimed.remove(page)
                    return page
            await self._came.wait()

    def _opened(self) -> None:
        self._opening -= 1
        if not self._opening:
            self._own_page_known.set()
            popups, self._unclaimed = self._unclaimed, []
            for popup in popups:
                self._on_page(popup)

    def _on_page(self, page: Page) -> None:
        if self._opening:
            self._unclaimed.append(page)
            self._own_page_known.clear()
            self._came.set()
        elif not page.is_closed():  # it may have closed while it waited
            self._on_popup(page)


async def _there(page: Page) -> Page:
    return page
