"""`memory`: how much memory the daemon and its browser use."""

import time

from browse.browser.logs.console import iso
from browse.browser.process import memory as heap
from browse.core.scopes import Scope
from browse.core.text import counted
from browse.dispatch.context import Ctx
from browse.registry.results import Text, inline_url
from browse.registry.spec import ChangedTabs, Group, Lane, command

MAX_ROWS = 10
UNITS = (("GB", 1 << 30, 2), ("MB", 1 << 20, 1), ("KB", 1 << 10, 1))
NOTES = (
    "Memory that processes share is counted in each of them.",
    "A tab's heap is that of its main process; frames of other sites have their own.",
)


@command(group=Group.SERVER, scope=Scope.CONTROL, lane=Lane.FREE, changes=ChangedTabs.NONE)
async def memory(ctx: Ctx) -> Text:
    """Show the memory use of the daemon, its driver, Chromium's processes and the tabs.

    Examples:
        browse memory
        browse memory --json
    """
    seen = await heap.measure(ctx.browser)
    data = {**seen.data(), "capturedAt": iso(time.time()), "notes": list(NOTES)}
    return Text("\n".join([*_processes(seen), *_tabs(seen), *_rest(seen)]), data)


def _processes(seen: heap.MemoryReport) -> list[str]:
    lines = [f"Daemon: RSS {size(seen.daemon.rss)}"]
    if seen.driver:
        lines.append(f"Driver: RSS {size(seen.driver.rss)}")
    if not seen.chromium:
        return [*lines, "Chromium processes: unavailable"]
    kinds = sorted({use.type for use in seen.chromium})
    counts = [f"{kind}={sum(use.type == kind for use in seen.chromium)}" for kind in kinds]
    lines.append(f"Chromium processes: {len(seen.chromium)} total ({' '.join(counts)})")
    for kind in kinds:
        total = sum(use.rss or 0 for use in seen.chromium if use.type == kind)
        lines.append(f"  {kind}: RSS {size(total)}")
    return lines


def _tabs(seen: heap.MemoryReport) -> list[str]:
    lines = [f"Renderers: {counted(len(seen.tabs), 'tab')} (top by JS heap):"]
    for tab in seen.tabs[:MAX_ROWS]:
        numbers = f"{size(tab.used):>9} JS, {tab.nodes} nodes, {tab.listeners} listeners"
        state = "does not answer" if tab.used is None else numbers
        lines.append(f"  [{state}] tab #{tab.id} — {inline_url(tab.url, 80)}")
    left = len(seen.tabs) - MAX_ROWS
    return [*lines, f"  ...and {left} more"] if left > 0 else lines


def _rest(seen: heap.MemoryReport) -> list[str]:
    lines = ["---", "In-memory structures:"]
    for name, use in seen.structures.items():
        lines.append(f"  {name}: {use['entries']:,} entries, {size(use['bytes'])}")
    return [*lines, "Notes:", *(f"  {note}" for note in NOTES)]


def size(count: int | None) -> str:
    """Format a number of bytes: `512 B`, `1.5 KB`, `12.0 MB`, `1.25 GB`."""
    if count is None:
        return "unknown"
    for unit, factor, digits in UNITS:
        if count >= factor:
            return f"{count / factor:.{digits}f} {unit}"
    return f"{count} B"
