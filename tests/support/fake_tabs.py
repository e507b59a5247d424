"""A tab, the tabs and a browser context, without a browser."""

import asyncio
from collections.abc import Callable
from typing import Any

from browse.auth.caller import ROOT, Caller
from browse.browser.tabs.deeds import Deeds
from browse.browser.tabs.leases import Leases
from browse.browser.tabs.locks import BrowserLock, TabLock
from browse.browser.tabs.refs import RefNumbers
from browse.core.errors import BrowseError, Code
from browse.guard.files import Roots
from browse.guard.urls import NavUrl


class FakeTab:
    """A tab that writes down what is done to it."""

    def __init__(self, id: int, url: str = "about:blank", title: str = "") -> None:
        self.id = id
        self.owner = ""
        self.url = url
        self.crashed = False
        self.flooded = False
        self.in_frame = False
        self.is_renewed = False
        self.chosen: object = None
        self.lock = TabLock()
        self.refs = RefNumbers()
        self.known_urls: dict[str, str] = {}
        self.acts: list[tuple[Any, ...]] = []
        self.freed = asyncio.Event()
        self.last_title = ""
        self._title = title
        self.last_title = title

    @property
    def frame(self) -> object:
        return object()  # there is no document: whatever is asked of it fails

    async def title(self) -> str:
        self.last_title = self._title
        return self._title

    async def refresh_title(self) -> bool:
        await self.title()
        return True

    async def open(self, url: NavUrl, *, until: str = "domcontentloaded") -> int | None:
        self.acts.append(("open", url.text))
        self.url = url.text
        return None if url.text == "about:blank" else 200

    async def reload(self) -> int | None:
        self.acts.append(("reload",))
        return 200

    async def travel(self, step: int) -> int | None:
        self.acts.append(("travel", step))
        return 200

    async def load_html(self, html: str, *, until: str) -> None:
        self.acts.append(("load_html", html, until))

    async def unstick(self) -> None:
        self.freed.set()


class FakeContext:
    """A browser context or a page, whose listeners a test calls."""

    def __init__(self) -> None:
        self.listeners: list[tuple[str, Callable[..., None]]] = []
        self.pages: list[FakeContext] = []

    def on(self, event: str, listener: Callable[..., None]) -> None:
        self.listeners.append((event, listener))

    def remove_listener(self, event: str, listener: Callable[..., None]) -> None:
        self.listeners.remove((event, listener))

    def emit(self, event: str, *facts: object) -> None:
        for name, listener in list(self.listeners):
            if name == event:
                listener(*facts)


class FakeTabs:
    """Tabs by number; one current tab per caller."""

    def __init__(self, *tabs: FakeTab) -> None:
        self.others = None
        self.lock = BrowserLock()
        self.leases = Leases()
        self.deeds = Deeds()
        self.popups_closed = 0
        self.context = FakeContext()
        self._tabs = {tab.id: tab for tab in tabs}

    def __len__(self) -> int:
        return len(self._tabs)

    def all(self) -> list[FakeTab]:
        return list(self._tabs.values())

    def find(self, id: int) -> FakeTab:
        if id not in self._tabs:
            raise BrowseError(Code.TAB_UNKNOWN, f"Tab {id} not found.", hint="browse tabs")
        return self._tabs[id]

    async def current(self, caller: Caller = ROOT) -> FakeTab:
        tab = self._tabs.get(self.leases.of(caller.holder))
        if tab is None:
            tab = self.all()[0]
            self.switch(caller, tab)
        return tab

    def switch(self, caller: Caller, tab: FakeTab) -> None:
        self.leases.take(caller.holder, tab.id)

    async def narrow_files(self, tab: FakeTab, roots: Roots) -> None:
        pass

    def release(self, client: str) -> int:
        released = [tab for tab in self.all() if tab.owner == client]
        for tab in released:
            tab.owner = ""
        return len(released)

    async def open(self, caller: Caller = ROOT) -> FakeTab:
        tab = FakeTab(max(self._tabs) + 1)
        tab.owner = "" if caller.is_owner else caller.name
        self._tabs[tab.id] = tab
        self.switch(caller, tab)
        return tab

    async def close(self, tab: FakeTab) -> None:
        del self._tabs[tab.id]
