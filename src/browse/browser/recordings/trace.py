"""Record a trace of the whole browser, for Playwright's trace viewer."""

import asyncio
from pathlib import Path

from playwright.async_api import BrowserContext

from browse.browser.driver_errors import translated
from browse.browser.recordings.masked_trace import mask_trace
from browse.browser.recordings.recording import Recording


class Trace(Recording):
    """The actions and snapshots of all pages, until it is stopped."""

    kind = "trace"
    start_with = "browse trace start"
    stop_with = "browse trace stop trace.zip"

    def __init__(self, folder: Path, context: BrowserContext) -> None:
        super().__init__(folder)
        self._tracing = context.tracing

    @property
    def file(self) -> Path:
        return self.folder / "trace.zip"

    async def _begin(self) -> None:
        with translated("starting the trace"):
            await self._tracing.start(screenshots=True, snapshots=True)

    async def _finish(self) -> None:
        with translated("ending the trace"):
            await self._tracing.stop(path=self.file)
        await asyncio.to_thread(mask_trace, self.file)
