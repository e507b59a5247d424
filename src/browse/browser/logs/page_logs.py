"""The logs of a browser: consoles, requests and dialogs of all pages."""

import asyncio
from collections.abc import Callable

from playwright.async_api import BrowserContext, Download, Page

from browse.browser.driver_errors import PageUnreachable
from browse.browser.logs.console import ConsoleLog
from browse.browser.logs.traffic_log import TrafficLog
from browse.browser.network.outbound_scan import OutboundScan
from browse.browser.network.refusals import Refusals
from browse.core.errors import BrowseError
from browse.core.log_file import LogFile
from browse.core.paths import Paths
from browse.guard.credentials import masked
from browse.guard.hosts import host_of


class PageLogs:
    """The newest entries in memory, and the files that they are also written to."""

    def __init__(self, paths: Paths, refusals: Refusals, scan: OutboundScan) -> None:
        self.refusals = refusals
        self.dialog_log = LogFile(paths.dialog_log, clean=masked)
        self._console_log = LogFile(paths.console_log, clean=masked)
        self._network_log = LogFile(paths.network_log, clean=masked)
        self.consoles = ConsoleLog(self._console_log)
        self.traffic = TrafficLog(self._network_log, refusals, scan)
        # Told of what pages download: the number of the tab, and the download.
        self.on_download: Callable[[int, Download], None] = lambda *_: None

    def listen(self, context: BrowserContext, number: Callable[[Page], int]) -> None:
        """Listen to a browser context; `follow` adds each of its pages."""
        self.traffic.listen(context, number)
        context.on("download", lambda it: self.on_download(number(it.page), it))

    async def follow(self, page: Page, tab: int, on_flood: Callable[[Page], None]) -> None:
        """Listen to the page of a tab; `on_flood` is called when it sends too much."""
        await self.consoles.follow(page, tab, on_flood)

    def explained(self, page: Page, problem: BrowseError) -> BrowseError:
        """Return a better error for a navigation that a rule of ours blocked."""
        url = self.traffic.destination(page)
        name = problem.name if isinstance(problem, PageUnreachable) else ""
        refusal = self.refusals.cause_of(name, url)
        if refusal is None:
            return problem
        if refusal.net:
            return PageUnreachable(refusal.net, refusal.why)
        return refusal.error(host_of(url))

    async def close(self) -> None:
        """Write the last lines to the log files."""
        logs = (self._console_log, self._network_log, self.dialog_log)
        await asyncio.gather(*(log.close() for log in logs))
