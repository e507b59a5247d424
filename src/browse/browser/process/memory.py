"""Memory use: our processes, Chromium's processes, the pages, and our own structures."""

import asyncio
import os
from dataclasses import asdict, dataclass
from typing import Any

from playwright.async_api import Error as DriverError

from browse.browser.process.browser import Browser
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError
from browse.core.processes import resident_bytes

ASK_S = 2.0


@dataclass(frozen=True, slots=True)
class ProcessMemory:
    """A process and its resident memory, if it is known."""

    id: int
    type: str
    rss: int | None


@dataclass(frozen=True, slots=True)
class TabHeap:
    """The memory of a tab's page; all None if the page does not answer."""

    id: int
    url: str
    used: int | None = None
    total: int | None = None
    documents: int | None = None
    nodes: int | None = None
    listeners: int | None = None


@dataclass(frozen=True, slots=True)
class MemoryReport:
    """The memory use of everything at one moment."""

    daemon: ProcessMemory
    driver: ProcessMemory | None
    chromium: list[ProcessMemory]
    tabs: list[TabHeap]
    structures: dict[str, dict[str, int]]

    def data(self) -> dict[str, Any]:
        tabs = [
            {**{key: value for key, value in asdict(heap).items() if key != "url"}}
            | {"page": {"url": heap.url}}
            for heap in self.tabs
        ]
        return {
            "daemon": asdict(self.daemon),
            "driver": asdict(self.driver) if self.driver else None,
            "processes": [asdict(use) for use in self.chromium],
            "tabs": tabs,
            "structures": self.structures,
        }


async def measure(browser: Browser) -> MemoryReport:
    """Measure everything; what does not answer is left out or has no numbers."""
    tabs = await browser.tabs()
    heaps = await asyncio.gather(*(_heap(tab) for tab in tabs.all()))
    try:
        async with asyncio.timeout(ASK_S):
            theirs = await browser.processes()
    except (BrowseError, TimeoutError):
        theirs = []
    kinds = {int(process["id"]): str(process["type"]) for process in theirs}
    pids = [os.getpid(), browser.driver_pid, *kinds]
    sizes = await asyncio.to_thread(resident_bytes, [pid for pid in pids if pid])
    driver = browser.driver_pid
    return MemoryReport(
        ProcessMemory(os.getpid(), "daemon", sizes.get(os.getpid())),
        ProcessMemory(driver, "driver", sizes.get(driver)) if driver else None,
        [ProcessMemory(pid, kind, sizes.get(pid)) for pid, kind in kinds.items()],
        sorted(heaps, key=lambda heap: heap.used or 0, reverse=True),
        _structures(browser),
    )


def _structures(browser: Browser) -> dict[str, dict[str, int]]:
    kept = browser.logs
    said, asked, bodies = kept.consoles.ring, kept.traffic.ring, kept.traffic.bodies
    return {
        "console": {"entries": len(said), "bytes": said.bytes, "total": said.total},
        "network": {"entries": len(asked), "bytes": asked.bytes, "total": asked.total},
        "bodies": {"entries": len(bodies), "bytes": bodies.bytes},
    }


async def _heap(tab: Tab) -> TabHeap:
    try:
        async with asyncio.timeout(ASK_S):
            session = await tab.protocol()
            await session.send("Performance.enable")
            reply = await session.send("Performance.getMetrics")
            await session.send("Performance.disable")
    except (BrowseError, DriverError, TimeoutError):
        return TabHeap(tab.id, tab.url)
    metrics = {row["name"]: int(row["value"]) for row in reply["metrics"]}
    return TabHeap(
        tab.id,
        tab.url,
        metrics.get("JSHeapUsedSize"),
        metrics.get("JSHeapTotalSize"),
        metrics.get("Documents"),
        metrics.get("Nodes"),
        metrics.get("JSEventListeners"),
    )
