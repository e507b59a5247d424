"""The gate before a person's tabs: a command does not run if it would change one of them.

Which commands that are is in their declarations (`changes`).
"""

from browse.auth.caller import Caller
from browse.browser.process.browser import Browser
from browse.browser.tabs.tab import Tab
from browse.browser.tabs.tabs import Tabs
from browse.registry.bind import Bound
from browse.registry.spec import ChangedTabs
from browse.view.holds import Hold, Holds


class HeldTabs:
    """Refuses commands that would change a tab that a person has."""

    def __init__(self, holds: Holds, browser: Browser) -> None:
        self._holds = holds
        self._browser = browser

    async def check(
        self,
        bound: Bound,
        caller: Caller,
        *,
        session: str,
        tab_id: int | None,
        tab: Tab | None = None,
    ) -> None:
        """Raise if a person has a tab that the command changes; `tab` is the one it runs in."""
        held = self._holds.all()
        if not held or not bound.changes.has_tabs:
            return
        if bound.changes is ChangedTabs.OWN:
            named = next(iter(bound.tab_ids), tab_id)
            tab = tab or await self._aimed_at(caller, session, named)
            held = [hold for hold in held if tab in hold.tabs]
        elif bound.changes is ChangedTabs.SESSION:
            wanted = self._sessions(bound.sessions or [session])
            held = [hold for hold in held if hold.session in wanted]
        if held:
            raise self._holds.refusal(*_first(held, tab), bound)

    async def _aimed_at(self, caller: Caller, session: str, id: int | None) -> Tab:
        """Return the tab that a command is about which holds none."""
        tabs = await self._browser.tabs(session)
        return await tabs.current(caller) if id is None else tabs.find(id)

    def _sessions(self, names: list[str]) -> list[Tabs | None]:
        """Return sessions by name, of those that are open."""
        open_ones = {"": self._browser.open_tabs, **self._browser.named()}
        return [open_ones.get(name) for name in names]


def _first(held: list[Hold], tab: Tab | None) -> tuple[Hold, Tab]:
    """Return the tab that the error names: that of the command, if a person has it."""
    for hold in held:
        if tab and tab in hold.tabs:
            return hold, tab
    return held[0], held[0].tab
