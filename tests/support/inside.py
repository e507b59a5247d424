"""A browser in the test's own process, for what no command can do."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from browse.browser.network.outbound_scan import OutboundScan
from browse.browser.process.browser import Browser
from browse.browser.scratch import Scratch
from browse.browser.tabs.tabs import Tabs
from browse.core.paths import Paths
from browse.core.settings import load
from browse.security.canary import Canary
from support.cli import KEPT


@asynccontextmanager
async def browsing(folder, **environ: str) -> AsyncIterator[Tabs]:
    """Run a browser in this process."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    place = {"BROWSE_STATE_FILE": str(folder / "browse.json"), "GSTACK_HOME": str(folder)}
    settings = load({**kept, **place, **environ})
    scan = OutboundScan(Canary())
    paths = Paths.of(settings)
    Scratch(paths.scratch_note).make()  # as a daemon does when it begins; the end removes it
    browser = Browser(settings, paths, scan, on_gone=lambda _: None)
    browser.begin(None)
    try:
        yield await browser.tabs()
    finally:
        await browser.close()


async def eventually(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110 - what is waited for is told by the driver
            await asyncio.sleep(0.02)
