"""Our latencies, sizes and memory, as ratios: `.venv/bin/python -m tools.bench [--rounds 15]`.

Each operation is timed through the real client, in rounds that are interleaved with a bare
interpreter start and with the same act in plain Playwright, so that a noisy machine disturbs all
of them alike. The ratios count, not the milliseconds.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
from playwright.async_api import Page, async_playwright
from tools.bench import measured

from browse.browser.process import chromium
from browse.browser.process.chromium_sandbox import why_no_sandbox
from browse.core.settings import load

ROOT = Path(__file__).resolve().parents[2]
COMMAND = str(ROOT / "browse")
BARE = [sys.executable, "-I", "-S", "-c", "pass"]
COLD_ROUNDS = 3
Act = Callable[[Page], Awaitable[object]]


@dataclass(frozen=True)
class Operation:
    """Something that is timed: our words for it, and the same in plain Playwright."""

    name: str
    words: tuple[str, ...]
    plain: Act | None


class Bench:
    """One project with one daemon, timed against a page in plain Playwright."""

    def __init__(self, folder: Path, rounds: int) -> None:
        self.folder = folder
        self.rounds = rounds
        self.ours: dict[str, list[float]] = defaultdict(list)
        self.plain: dict[str, list[float]] = defaultdict(list)
        self.bare: list[float] = []
        self.size: dict[str, int] = {}

    def call(self, *words: str) -> tuple[float, bytes]:
        started = time.perf_counter()
        done = subprocess.run(
            [COMMAND, *words],
            cwd=self.folder,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        spent = (time.perf_counter() - started) * 1000
        if done.returncode:
            sys.exit(f"browse {' '.join(words)} failed:\n{done.stderr.decode(errors='replace')}")
        return spent, done.stdout

    def time_bare(self) -> None:
        started = time.perf_counter()
        subprocess.run(BARE, check=True)
        self.bare.append((time.perf_counter() - started) * 1000)

    async def time(self, operation: Operation, page: Page) -> None:
        for _ in range(self.rounds):
            self.time_bare()
            spent, out = await asyncio.to_thread(self.call, *operation.words)
            self.ours[operation.name].append(spent)
            self.size[operation.name] = len(out)
            if operation.plain:
                started = time.perf_counter()
                await operation.plain(page)
                self.plain[operation.name].append((time.perf_counter() - started) * 1000)

    def daemon_megabytes(self) -> float:
        """Memory of the daemon and the driver, without Chromium."""
        state = json.loads((self.folder / ".gstack" / "browse.json").read_text())
        family = [psutil.Process(state["pid"])]
        family += [child for child in family[0].children() if "node" in child.name()]
        return sum(process.memory_info().rss for process in family) / 1e6


def operations(base: str) -> list[tuple[str, Operation]]:
    """List (page that must be open, operation), in the order in which they run."""

    def at(name: str) -> str:
        return f"{base}/{name}.html"

    def going(name: str) -> Operation:
        return Operation(
            f"goto {name}",
            ("goto", at(name)),
            lambda page: page.goto(at(name), wait_until="domcontentloaded"),
        )

    def reading(name: str) -> Operation:
        return Operation(
            f"text {name}", ("text", "--max-chars", "0"), lambda page: page.inner_text("body")
        )

    def seeing(count: int) -> Operation:
        return Operation(
            f"snapshot -i {count}",
            ("snapshot", "-i", "--max-chars", "0"),
            # In plain Playwright, the largest takes as long as all else together.
            (lambda page: page.aria_snapshot()) if count <= 2_000 else None,
        )

    return [
        (at("small"), going("small")),
        (at("small"), Operation("url", ("url",), None)),
        (at("small"), Operation("js 1+1", ("js", "1+1"), lambda page: page.evaluate("1+1"))),
        (at("small"), reading("small")),
        (at("article"), reading("article")),
        (at("big"), reading("big")),
        (
            at("big"),
            Operation("html big", ("html", "--max-chars", "0"), lambda page: page.content()),
        ),
        (at("big"), Operation("links big", ("links", "--max-chars", "0"), None)),
        *((at(f"table{count}"), seeing(count)) for count in measured.TABLES),
    ]


async def plain_cold(executable: str) -> float:
    """Time plain Playwright from nothing to a blank page."""
    started = time.perf_counter()
    code = f"""
from playwright.sync_api import sync_playwright
driver = sync_playwright().start()
browser = driver.chromium.launch(executable_path={executable!r}, chromium_sandbox={_sandbox()})
browser.new_page().goto("about:blank")
browser.close()
driver.stop()
"""
    await asyncio.to_thread(subprocess.run, [sys.executable, "-I", "-c", code], check=True)
    return (time.perf_counter() - started) * 1000


def _sandbox() -> bool:
    settings = load(os.environ)
    return not why_no_sandbox(off=settings.no_sandbox, contained=settings.container or settings.ci)


async def measure(bench: Bench, base: str) -> None:
    executable = str(chromium.find(load(os.environ).chromium_path).path)
    for _ in range(COLD_ROUNDS):
        bench.call("stop")
        bench.ours["cold start + goto"].append(bench.call("goto", f"{base}/small.html")[0])
        bench.plain["cold start + goto"].append(await plain_cold(executable))
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(
            executable_path=executable, chromium_sandbox=_sandbox()
        )
        page = await browser.new_page()
        for address, operation in operations(base):
            bench.call("goto", address)
            await page.goto(address)
            await bench.time(operation, page)
        await browser.close()


def report(bench: Bench) -> dict[str, dict[str, float | None]]:
    floor = statistics.median(bench.bare)
    print(f"bare interpreter start: {floor:.1f} ms (median of {len(bench.bare)})\n")
    print(f"{'operation':20}{'ms':>9}{'x bare':>9}{'plain ms':>10}{'x plain':>9}{'bytes':>10}")
    table: dict[str, dict[str, float | None]] = {}
    for name, times in bench.ours.items():
        ours = statistics.median(times)
        plain = statistics.median(bench.plain[name]) if bench.plain.get(name) else None
        table[name] = {"ms": ours, "bare": ours / floor, "plain": ours / plain if plain else None}
        beside = f"{plain:10.1f}{ours / plain:9.2f}" if plain else f"{'':19}"
        print(f"{name:20}{ours:9.1f}{ours / floor:9.2f}{beside}{bench.size.get(name, 0):10,}")
    megabytes = bench.daemon_megabytes()
    table["memory"] = {"megabytes": megabytes}
    print(f"\nmemory of the daemon and its driver after the largest page: {megabytes:.0f} MB")
    return table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / ".git").mkdir()
        measured.write(root)
        bench = Bench(root, options.rounds)
        try:
            with measured.served(root) as base:
                asyncio.run(measure(bench, base))
            table = report(bench)
        finally:
            bench.call("stop")
    if options.json:
        options.json.write_text(json.dumps(table, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
