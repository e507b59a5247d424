"""How long `connect` takes, beside a plain launch: `.venv/bin/python -m tools.bench.window`.

Each round launches Chromium in a window by plain Playwright, with the same extensions and a profile
of its own, and then through browse: without a daemon, and from one that runs without a window.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from browse.browser.process import chromium
from browse.browser.window import extensions

COMMAND = str(Path(__file__).resolve().parents[2] / "browse")
PLAIN = """
import sys, time
begun = time.perf_counter()
from playwright.sync_api import sync_playwright
with sync_playwright() as driver:
    ready = time.perf_counter()
    window = driver.chromium.launch_persistent_context(
        sys.argv[1], executable_path=sys.argv[2], headless=False, no_viewport=True,
        chromium_sandbox=False, args=sys.argv[3:],
    )
    print(time.perf_counter() - begun, time.perf_counter() - ready)
    window.close()
"""


@contextmanager
def display() -> Iterator[str]:
    """Run a virtual display for all rounds."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1920x1080x24"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    try:
        yield f":{os.read(reading, 20).decode().strip()}"
    finally:
        server.terminate()
        server.wait()


class WindowBench:
    """A project, and a folder for the profile of the plain launch."""

    def __init__(self, folder: Path, shown: str) -> None:
        self._profile = folder / "plain"
        self._project = folder / "project"
        (self._project / ".git").mkdir(parents=True)
        self._env = {**os.environ, "DISPLAY": shown, "HOME": str(folder)}

    def plain(self) -> list[float]:
        """Launch a window; return the seconds with the driver's start, and without it."""
        found = chromium.find_with_window()
        words = [sys.executable, "-c", PLAIN, str(self._profile), str(found.path)]
        done = subprocess.run(
            [*words, *extensions.flags()], env=self._env, capture_output=True, text=True, check=True
        )
        return [float(word) for word in done.stdout.split()]

    def call(self, *words: str) -> float:
        begun = time.perf_counter()
        subprocess.run(
            [COMMAND, *words], env=self._env, cwd=self._project, capture_output=True, check=True
        )
        return time.perf_counter() - begun

    def round(self) -> list[float]:
        """Time one of each: two plain figures, cold, warm, and back."""
        times = [*self.plain(), self.call("connect")]
        self.call("stop")
        self.call("goto", "about:blank")
        times += [self.call("connect"), self.call("disconnect")]
        self.call("stop")
        return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds: int = parser.parse_args().rounds
    with display() as shown, tempfile.TemporaryDirectory(prefix="bench-") as folder:
        bench = WindowBench(Path(folder), shown)
        bench.round()  # makes both profiles
        rows = [bench.round() for _ in range(rounds)]
    driver, launch, cold, warm, back = (
        statistics.median(column) for column in zip(*rows, strict=True)
    )
    print(f"plain launch {driver:.2f} s with the driver, {launch:.2f} s without")
    print(f"connect without a daemon {cold:.2f} s: {cold / driver:.2f} x plain with the driver")
    print(f"connect from a daemon {warm:.2f} s: {warm / launch:.2f} x plain without the driver")
    print(f"disconnect {back:.2f} s")


if __name__ == "__main__":
    main()
