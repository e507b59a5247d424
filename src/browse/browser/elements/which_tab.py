"""Find the tab that shows a document, by the moment at which the document began.

The extension in a visible browser knows tabs by numbers of its own. What it can tell is
`performance.timeOrigin`, which it and the daemon read in worlds that the page cannot change.
"""

import asyncio
from collections.abc import Iterable

from browse.browser.page import scripts
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError, Code

ASK_S = 2.0
# Two readings of one moment differ by less; two documents begin further apart.
SAME_MS = 0.001


async def tab_showing(tabs: Iterable[Tab], document: float) -> Tab:
    """Return the tab whose main document began at this moment; raise if there is none."""
    asked = list(tabs)
    began = await asyncio.gather(*(_began(tab) for tab in asked))
    for tab, moment in zip(asked, began, strict=True):
        if moment is not None and abs(moment - document) < SAME_MS:
            return tab
    raise BrowseError(
        Code.TAB_UNKNOWN,
        "This page is not in a tab of the agent's browser, or it has been left.",
        hint="look at a tab of the window that `browse connect` opened",
    )


async def _began(tab: Tab) -> float | None:
    if tab.closed or tab.crashed:
        return None
    try:
        async with asyncio.timeout(ASK_S):
            return await scripts.DOCUMENT_TIME(tab.page.main_frame)
    except (BrowseError, TimeoutError):
        return None  # it spins, or is about to be left
