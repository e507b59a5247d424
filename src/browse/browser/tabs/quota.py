"""How many tabs each may have: of all tabs, a part for pages' popups and a part for each client.

The owner always gets a tab: the last tenth of them is for the owner's own `newtab` only.
"""

from collections.abc import Collection
from typing import Protocol

import msgspec


class HeldTab(Protocol):
    """What counts of a tab: its owner ("": the daemon's), and whether a page opened it."""

    owner: str
    is_popup: bool


class OpeningTab(msgspec.Struct):
    """A tab that is about to be there."""

    owner: str
    is_popup: bool = False


class TabQuota(msgspec.Struct, frozen=True):
    """The limits that follow from the limit of all tabs."""

    limit: int

    @property
    def for_others(self) -> int:
        """How many tabs there may be before only the owner gets more."""
        return self.limit - max(1, self.limit // 10)

    @property
    def for_client(self) -> int:
        """How many tabs one client may have, with the popups of its pages."""
        return max(1, self.limit // 5)

    @property
    def for_popups(self) -> int:
        """How many popups the pages of one owner may have open."""
        return self.limit // 2

    def refusal(self, others: Collection[HeldTab], owner: str, *, is_popup: bool) -> str:
        """Return why there is no room for one more tab beside the others; "" if there is."""
        mine = [tab for tab in others if tab.owner == owner]
        if len(others) >= (self.for_others if owner or is_popup else self.limit):
            return f"{len(others)} tabs are open, which is the limit"
        if owner and len(mine) >= self.for_client:
            return f"your agent has {len(mine)} tabs, which is the limit for one"
        if is_popup and sum(tab.is_popup for tab in mine) >= self.for_popups:
            return "its pages have opened too many tabs"
        return ""
