"""`watch`: a person works, agents only look; what the person did is told at the end."""

from typing import Any

from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.core.tasks import spawn
from browse.view.observation import Observation

MAX_TABS = 20
# Then agents may act again; what was seen until then is kept for the summary.
LONGEST_S = 3600.0


class WatchedSession:
    """Observes the tabs of a session, and those that open in it."""

    def __init__(self, tabs: Tabs, now: float) -> None:
        self.tabs = tabs
        self.since = now
        self.ended: float | None = None
        self.seen: dict[int, Observation] = {}
        self._context = tabs.context

    def begin(self, current: Tab) -> None:
        """Start to observe; of the current tab, the elements are compared in the end."""
        for tab in self.tabs.all():
            self._observe(tab)
        self._context.on("page", self._on_page)
        spawn(self._remember(current), name=f"tab {current.id}: before it is watched")

    async def _remember(self, current: Tab) -> None:
        async with current.lock.hold("watch"):
            if self.ended is None and current.id in self.seen:
                await self.seen[current.id].remember()

    def _observe(self, tab: Tab) -> None:
        if tab.id not in self.seen and len(self.seen) < MAX_TABS and not tab.closed:
            watched = self.seen[tab.id] = Observation(tab)
            watched.begin()

    def _on_page(self, page: Any) -> None:
        async def observe() -> None:
            tab = await self.tabs.holding(page)
            if tab and self.ended is None:
                self._observe(tab)

        spawn(observe(), name="watch a new tab")

    def end(self, now: float) -> None:
        """Stop to observe; without effect if that has happened."""
        if self.ended is not None:
            return
        self.ended = now
        self._context.remove_listener("page", self._on_page)
        for watched in self.seen.values():
            watched.end()
