"""Which tab is a caller's current one; and which it gets if it has none."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping

from browse.auth.caller import Caller
from browse.browser.tabs.leases import Leases
from browse.browser.tabs.not_yours import not_yours
from browse.browser.tabs.tab import Tab


class TabChoice:
    """Finds the current tab of a caller; no tab is taken from whoever uses it."""

    def __init__(
        self, tabs: Mapping[int, Tab], leases: Leases, new: Callable[[Caller], Awaitable[Tab]]
    ) -> None:
        self.first = 0  # the number of the tab that comes before others, as long as it is free
        self._tabs = tabs
        self._leases = leases
        self._new = new
        self._choosing: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def current(self, caller: Caller) -> Tab:
        """Return the tab that a caller's commands act on; if it was closed, the newest free one.

        A tab that another holder uses is not taken: the owner gets a new one, and an agent without
        a tab of its own gets an error that says how to open one.
        """
        if tab := self._held_by(caller):
            return tab
        async with self._choosing[caller.holder]:  # two commands of one agent get the same tab
            return self._held_by(caller) or await self._choose(caller)

    def _held_by(self, caller: Caller) -> Tab | None:
        tab = self._tabs.get(self._leases.of(caller.holder))
        return tab if tab and caller.may_use(tab.owner) else None

    async def _choose(self, caller: Caller) -> Tab:
        free = [tab for tab in self._tabs.values() if self._is_free(tab, caller)]
        if not free and not caller.is_owner:
            free = [tab for tab in self._tabs.values() if caller.may_use(tab.owner)]
            if not free:
                raise not_yours(known=bool(self._tabs))
        if not free:
            return await self._new(caller)
        tab = next((tab for tab in free if tab.id == self.first), free[-1])
        self._leases.take(caller.holder, tab.id)
        return tab

    def _is_free(self, tab: Tab, caller: Caller) -> bool:
        mine = tab.owner == "" if caller.is_owner else caller.may_use(tab.owner)
        leases, holder = self._leases, caller.holder
        return mine and leases.is_meant_for(tab.id, holder) and not leases.other(tab.id, holder)
