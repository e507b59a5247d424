"""Where the memory goes: our processes, Chromium's, the pages, and what we keep ourselves."""

import asyncio
import os
from dataclasses import asdict, dataclass
from typing import Any

from playwright.async_api import Error as DriverError

from browse.browser.process.browser import Session
from browse.browser.tabs.tab import Tab
from browse.core.errors import BrowseError
from browse.core.processes import resident_bytes

ASK_S = 2.0


@dataclass(frozen=True, slots=True)
class Use:
    """A process and its resident memory, where that can be told."""

    id: int
    type: str
    rss: int | None


@dataclass(frozen=True, slots=True)
class Heap:
    """What a tab's page holds; None throughout for one that does not answer."""

    id: int
    url: str
    used: int | None = None
    total: int | None = None
    documents: int | None = None
    nodes: int | None = None
    listeners: int | None = None


@dataclass(frozen=True, slots=True)
class Picture:
    """All of it at one moment."""

    daemon: Use
    driver: Use | None
    chromium: list[Use]
    tabs: list[Heap]
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


async def look(session: Session) -> Picture:
    """Ask everybody; whoever does not answer is left out or without numbers."""
    tabs = await session.tabs()
    heaps = await asyncio.gather(*(_heap(tab) for tab in tabs.all()))
    try:
        async with asyncio.timeout(ASK_S):
            theirs = await session.processes()
    except (BrowseError, TimeoutError):
        theirs = []
    kinds = {int(process["id"]): str(process["type"]) for process in theirs}
    pids = [os.getpid(), session.driver_pid, *kinds]
    sizes = await asyncio.to_thread(resident_bytes, [pid for pid in pids if pid])
    driver = session.driver_pid
    return Picture(
        Use(os.getpid(), "daemon", sizes.get(os.getpid())),
        Use(driver, "driver", sizes.get(driver)) if driver else None,
        [Use(pid, kind, sizes.get(pid)) for pid, kind in kinds.items()],
        sorted(heaps, key=lambda heap: heap.used or 0, reverse=True),
        _structures(session),
    )


def _structures(session: Session) -> dict[str, dict[str, int]]:
    kept = session.capture
    said, asked, bodies = kept.consoles.ring, kept.traffic.ring, kept.traffic.bodies
    return {
        "console": {"entries": len(said), "bytes": said.bytes, "total": said.total},
        "network": {"entries": len(asked), "bytes": asked.bytes, "total": asked.total},
        "bodies": {"entries": len(bodies), "bytes": bodies.bytes},
    }


async def _heap(tab: Tab) -> Heap:
    try:
        async with asyncio.timeout(ASK_S):
            session = await tab.protocol()
            await session.send("Performance.enable")
            told = await session.send("Performance.getMetrics")
            await session.send("Performance.disable")
    except (BrowseError, DriverError, TimeoutError):
        return Heap(tab.id, tab.url)
    metrics = {row["name"]: int(row["value"]) for row in told["metrics"]}
    return Heap(
        tab.id,
        tab.url,
        metrics.get("JSHeapUsedSize"),
        metrics.get("JSHeapTotalSize"),
        metrics.get("Documents"),
        metrics.get("Nodes"),
        metrics.get("JSEventListeners"),
    )
