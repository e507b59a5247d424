"""Frames a second in the live view, and the time from a key to the frame that shows it.

`.venv/bin/python -m tools.bench.live_view [--keys 30]`. A second browser looks at a headless tab on
loopback, as a person's would. The same screencast without the live view is measured beside it.
"""

import argparse
import asyncio
import re
import statistics
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Error, Page, async_playwright
from tools.bench.__main__ import COMMAND

from browse.browser.process import chromium
from browse.browser.process.chromium_sandbox import why_no_sandbox

SECONDS = 4
MOVING = """<!doctype html><title>Moving</title><style>@keyframes go{to{transform:translate(900px)}}
div{width:200px;height:200px;background:#f59e0b;animation:go 1s linear infinite alternate}</style>
<div></div><p>Some words beside it</p>"""
FIELD = """<!doctype html><title>Field</title><textarea autofocus
style="position:fixed;inset:0;width:100%;font:24px monospace;caret-color:transparent"></textarea>"""
COUNT = """seconds => new Promise(done => { let count = 0; const hear = () => { count++ };
document.addEventListener("frame", hear);
setTimeout(() => { document.removeEventListener("frame", hear); done(count / seconds) },
  seconds * 1000) })"""
# The time from a key in the viewer to the next frame that it has drawn.
LISTEN = """() => { const keys = document.getElementById("keys"); window.took = [];
let at = 0; keys.addEventListener("keydown", () => { at = performance.now() }, true);
document.addEventListener("frame", () => {
  if (at) { window.took.push(performance.now() - at); at = 0 } }) }"""


def browse(folder: Path, *words: str) -> str:
    """Run the client in a project."""
    done = subprocess.run([COMMAND, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


async def open_view(person: Browser, folder: Path, html: str) -> Page:
    """Show markup in the tab, and the tab in the person's browser."""
    (folder / "page.html").write_text(html)
    await asyncio.to_thread(browse, folder, "load-html", "./page.html")
    said = await asyncio.to_thread(browse, folder, "view", "--no-open")
    page = await person.new_page()
    await page.goto(re.findall(r"http\S+", said)[0])
    await page.locator("#waiting").wait_for(state="hidden")
    return page


async def frames(person: Browser, folder: Path) -> float:
    """Return how many frames of a moving page a viewer draws in a second."""
    page = await open_view(person, folder, MOVING)
    found: float = await page.evaluate(COUNT, SECONDS)
    await page.close()
    return found


async def keys(person: Browser, folder: Path, count: int) -> list[float]:
    """Return the milliseconds from each of some keys to its frame."""
    page = await open_view(person, folder, FIELD)
    await page.get_by_role("button", name="Take control").click()
    await page.get_by_text("You have control").wait_for()
    await page.locator("#picture").click()
    await page.evaluate(LISTEN)
    for number in range(count):
        await page.keyboard.press("x")
        await page.wait_for_function("count => window.took.length > count", arg=number)
    took: list[float] = await page.evaluate("window.took")
    await page.get_by_role("button", name="Give back").click()
    await page.close()
    return took


async def bare(person: Browser) -> float:
    """Return the frames a second of the same page, straight from Chromium to this program."""
    page = await person.new_page(viewport={"width": 1280, "height": 720})
    await page.set_content(MOVING)
    session = await page.context.new_cdp_session(page)
    count = 0

    async def acknowledge(event: dict[str, Any]) -> None:
        nonlocal count
        count += 1
        with suppress(Error):  # the page is closed in the end
            await session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    session.on("Page.screencastFrame", acknowledge)
    await session.send("Page.startScreencast", {"format": "jpeg", "quality": 75})
    await asyncio.sleep(SECONDS)
    await page.close()
    return count / SECONDS


async def main(count: int) -> None:
    """Measure, and print the figures."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        folder = Path(name)
        (folder / ".git").mkdir()
        async with async_playwright() as driver:
            sandbox = not why_no_sandbox(off=None, contained=True)
            program = chromium.find("").path
            person = await driver.chromium.launch(executable_path=program, chromium_sandbox=sandbox)
            try:
                plain = await bare(person)
                shown = await frames(person, folder)
                took = sorted(await keys(person, folder, count))
            finally:
                await asyncio.to_thread(browse, folder, "stop")
                await person.close()
    print(f"frames a second: {shown:.1f} (straight from Chromium: {plain:.1f})")
    late = took[int(len(took) * 0.95)]
    print(f"key to frame: median {statistics.median(took):.0f} ms, 95 % {late:.0f} ms")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--keys", type=int, default=30, help="how many keys are pressed")
    asyncio.run(main(options.parse_args().keys))
