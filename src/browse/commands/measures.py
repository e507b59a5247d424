"""How long things took, and how much memory they use."""

import time

from browse.browser import memory as heap
from browse.browser.console import iso
from browse.browser.scripts import LOADING_TIMES
from browse.core.scopes import Scope
from browse.dispatch.context import Ctx
from browse.registry.results import Text, inline_url
from browse.registry.spec import Group, Lane, command

MAX_ROWS = 10
UNITS = (("GB", 1 << 30, 2), ("MB", 1 << 20, 1), ("KB", 1 << 10, 1))
NOTES = (
    "Memory that processes share is counted in each of them.",
    "A tab's heap is that of its main process; frames of other sites have their own.",
)


@command(group=Group.INSPECTION, scope=Scope.READ)
async def perf(ctx: Ctx) -> Text:
    """Show how long the parts of loading the page took, and when it was painted.

    `fcp` is the first paint with content, `lcp` that of the largest element so far, `cls` how much
    the layout has shifted; they are left out where the browser does not know them.

    Examples:
        browse perf
        browse perf --json
    """
    times = await LOADING_TIMES(ctx.tab.frame)
    if times is None:
        return Text("No navigation timing data available.", {"timing": None})
    lines = [
        f"{name:<12} {value:.3f}" if name == "cls" else f"{name:<12} {round(value)}ms"
        for name, value in times.items()
    ]
    return Text("\n".join(lines), {"timing": times})


@command(group=Group.SERVER, scope=Scope.CONTROL, lane=Lane.FREE)
async def memory(ctx: Ctx) -> Text:
    """Show where the memory goes: the daemon, its driver, Chromium's processes, the tabs.

    Examples:
        browse memory
        browse memory --json
    """
    seen = await heap.look(ctx.session)
    data = {**seen.data(), "capturedAt": iso(time.time()), "notes": list(NOTES)}
    return Text("\n".join([*_processes(seen), *_tabs(seen), *_rest(seen)]), data)


def _processes(seen: heap.Picture) -> list[str]:
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


def _tabs(seen: heap.Picture) -> list[str]:
    lines = [f"Renderers: {len(seen.tabs)} tabs (top by JS heap):"]
    for tab in seen.tabs[:MAX_ROWS]:
        numbers = f"{size(tab.used):>9} JS, {tab.nodes} nodes, {tab.listeners} listeners"
        told = "does not answer" if tab.used is None else numbers
        lines.append(f"  [{told}] tab #{tab.id} — {inline_url(tab.url, 80)}")
    left = len(seen.tabs) - MAX_ROWS
    return [*lines, f"  ...and {left} more"] if left > 0 else lines


def _rest(seen: heap.Picture) -> list[str]:
    lines = ["---", "In-memory structures:"]
    for name, told in seen.structures.items():
        lines.append(f"  {name}: {told['entries']:,} entries, {size(told['bytes'])}")
    return [*lines, "Notes:", *(f"  {note}" for note in NOTES)]


def size(count: int | None) -> str:
    """Spell a number of bytes: `512 B`, `1.5 KB`, `12.0 MB`, `1.25 GB`."""
    if count is None:
        return "unknown"
    for unit, factor, digits in UNITS:
        if count >= factor:
            return f"{count / factor:.{digits}f} {unit}"
    return f"{count} B"
