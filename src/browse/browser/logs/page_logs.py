"""Everything that is written down about pages without being asked: consoles, requests, dialogs."""

import asyncio
from collections.abc import Callable

from playwright.async_api import BrowserContext, Page

from browse.browser.driver_errors import unreachable
from browse.browser.logs.console import Consoles
from browse.browser.logs.traffic_log import Traffic
from browse.browser.network.refusals import Refusals
from browse.core.errors import BrowseError
from browse.core.journal import Journal
from browse.core.paths import Paths
from browse.guard.credentials import masked
from browse.guard.urls import host_of


class Capture:
    """The rings of a browser, and the files that they are also written to."""

    def __init__(self, paths: Paths, refusals: Refusals) -> None:
        self.refusals = refusals
        self.dialog_log = Journal(paths.dialog_log, clean=masked)
        self._console_log = Journal(paths.console_log, clean=masked)
        self._network_log = Journal(paths.network_log, clean=masked)
        self.consoles = Consoles(self._console_log)
        self.traffic = Traffic(self._network_log, refusals)

    def listen(self, context: BrowserContext, number: Callable[[Page], int]) -> None:
        """Begin with a context; its pages are followed one by one (`follow`)."""
        self.traffic.listen(context, number)

    async def follow(self, page: Page, tab: int) -> None:
        """Listen to the page that a tab has got."""
        await self.consoles.follow(page, tab)

    def explained(self, page: Page, problem: BrowseError) -> BrowseError:
        """Say why a navigation failed, where Chromium knows only that a rule of ours did it."""
        url = self.traffic.heading(page)
        refusal = self.refusals.behind(problem.message, url)
        if refusal is None:
            return problem
        return unreachable(refusal.net) if refusal.net else refusal.error(host_of(url))

    async def close(self) -> None:
        """Write the last lines."""
        logs = (self._console_log, self._network_log, self.dialog_log)
        await asyncio.gather(*(log.close() for log in logs))
