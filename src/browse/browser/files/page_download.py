"""One download that a page started: what it is, how it ended, and how replies tell of it."""

import asyncio
from collections.abc import Collection
from typing import Any, Literal

import msgspec
from playwright.async_api import Page

from browse.browser.files.received_file import ReceivedFile

State = Literal["running", "saved", "failed"]


class PageDownload(msgspec.Struct, eq=False):
    """A download; `name` and `url` are the words of the page or its server."""

    number: int
    tab: int
    owner: str
    page: Page
    name: str
    url: str
    state: State = "running"
    file: ReceivedFile | None = None
    why: str = ""
    told: bool = False  # whether a reply has said how it ended
    ended: asyncio.Event = msgspec.field(default_factory=asyncio.Event)

    def end(self, *, file: ReceivedFile | None = None, why: str = "") -> None:
        """Note how it has ended."""
        self.state, self.file, self.why = "saved" if file else "failed", file, why
        self.ended.set()

    def lines(self) -> list[str]:
        """Say how it stands: our words, without its name."""
        if self.state == "running":
            return ["A download is running: `browse downloads wait` waits for it"]
        if self.file is None:
            return [f"A download failed: {self.why}"]
        receipt = f"{self.file.size:,} bytes, sha256 {self.file.sha256}"
        return [f"Downloaded: {self.file.path} ({receipt})", *self.file.warnings]

    def quote(self) -> str:
        """Name it in words of the page, on one line."""
        return f"download: {' '.join(self.name.split())}"

    def facts(self) -> dict[str, Any]:
        """Return the same as data."""
        about: dict[str, Any] = {"download": self.number, "tab": self.tab, "state": self.state}
        if self.file:
            about |= {"path": self.file.path, **self.file.facts()}
        if self.why:
            about["why"] = self.why
        return {**about, "page": {"name": self.name, "url": self.url}}


def told(downloads: Collection[PageDownload]) -> list[dict[str, Any]]:
    """Return them as data for a reply, which tells how those that have ended did."""
    for it in downloads:
        it.told = it.told or it.state != "running"
    return [it.facts() for it in downloads]
