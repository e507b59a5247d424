"""A page's question for files, answered by a person elsewhere."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.async_api import FileChooser

from browse.browser.driver_errors import translated

CHOOSE_MS = 20_000
ASK_S = 3.0


class FileQuestion:
    """A file chooser that a page has opened, and that no window shows."""

    def __init__(self, chooser: FileChooser) -> None:
        self._chooser = chooser

    @property
    def page(self) -> Any:
        return self._chooser.page

    @property
    def is_multiple(self) -> bool:
        """Whether it takes more than one file."""
        return self._chooser.is_multiple()

    async def accepted(self) -> str:
        """Return what the page says that it accepts, as in `accept` of an input: page words."""
        with suppress(TimeoutError):  # a page that hangs is asked for nothing
            async with asyncio.timeout(ASK_S):
                with translated("asking for the types of files"):
                    return await self._chooser.element.get_attribute("accept") or ""
        return ""

    async def choose(self, paths: Sequence[Path]) -> None:
        """Give the page these files; it may read them much later."""
        with translated("giving the files to the page"):
            await self._chooser.set_files(paths, timeout=CHOOSE_MS)

    async def cancel(self) -> None:
        """Tell the page that no file was chosen."""
        with suppress(TimeoutError):  # a page that hangs hears of it when it goes on
            async with asyncio.timeout(ASK_S):
                with translated("telling the page that no file was chosen"):
                    await self._chooser.element.dispatch_event("cancel")
