"""The ids by which Chromium knows pages; that of a page is also the id of its main frame."""

from weakref import WeakKeyDictionary

from playwright.async_api import CDPSession, Page

from browse.browser.cdp_sessions import session_of


class PageIds:
    """Asks for the id of a page once: a crashed page no longer answers."""

    def __init__(self) -> None:
        self._ids: WeakKeyDictionary[Page, str] = WeakKeyDictionary()

    async def of(self, page: Page) -> str:
        if page not in self._ids:
            await self.learn(page, await session_of(page))
        return self._ids[page]

    def known(self, page: Page) -> str:
        """Return the id if it was asked for before, else ""."""
        return self._ids.get(page, "")

    async def learn(self, page: Page, session: CDPSession) -> None:
        info = await session.send("Target.getTargetInfo")
        self._ids[page] = str(info["targetInfo"]["targetId"])
