"""Notice that tabs change by themselves: a page opens one, goes elsewhere, crashes or closes.

It listens only while somebody wants to know. What commands change is in the activity feed.
"""

from collections.abc import Callable, Iterable
from typing import Any

from playwright.async_api import BrowserContext, Page

from browse.browser.tabs.tabs import Tabs

_EVENTS = ("domcontentloaded", "load", "crash")


class TabChanges:
    """Calls back whenever a page of the watched sessions opens, loads, crashes or closes."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._contexts: set[BrowserContext] = set()
        self._pages: set[Page] = set()

    def watch(self, sessions: Iterable[Tabs]) -> None:
        """Watch these sessions too; those that are watched already stay so."""
        for context in {tabs.context for tabs in sessions} - self._contexts:
            self._contexts.add(context)
            context.on("page", self._on_page)
            for page in context.pages:
                self._listen(page)

    def stop(self) -> None:
        """Stop listening."""
        for context in self._contexts:
            context.remove_listener("page", self._on_page)
        for page in list(self._pages):
            self._forget(page)
        self._contexts.clear()

    def _on_page(self, page: Page) -> None:
        self._listen(page)
        self._changed()

    def _listen(self, page: Page) -> None:
        self._pages.add(page)
        page.on("close", self._on_close)
        for event in _EVENTS:
            page.on(event, self._on_event)  # type: ignore[call-overload]  # it knows literals only

    def _forget(self, page: Page) -> None:
        self._pages.discard(page)
        page.remove_listener("close", self._on_close)
        for event in _EVENTS:
            page.remove_listener(event, self._on_event)

    def _on_close(self, page: Page) -> None:
        self._forget(page)
        self._changed()

    def _on_event(self, _: Any) -> None:
        self._changed()
