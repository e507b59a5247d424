"""A person at the live view: their browser's page, and what the agent types meanwhile."""

import asyncio
import re
from subprocess import Popen

from playwright.async_api import Browser, Page, expect

from support.cli import Project, Ran

WIDTH, HEIGHT = 1280, 720
# The picture is seen whole, and has the page's proportions.
WHOLE = """() => { const shown = document.getElementById("picture").getBoundingClientRect();
const room = document.getElementById("stage").getBoundingClientRect();
return shown.top >= room.top && shown.bottom <= room.bottom && shown.left >= room.left &&
  shown.right <= room.right && Math.abs(shown.width / shown.height - 1280 / 720) < 0.02 }"""


async def run(project: Project, *words: str) -> Ran:
    """Run the client beside the person's browser; it must succeed."""
    return await asyncio.to_thread(project.ok, *words)


async def refused(project: Project, *words: str) -> Ran:
    """Run the client beside the person's browser; it must fail."""
    ran = await asyncio.to_thread(project.browse, *words)
    assert ran.code, ran.out
    return ran


async def open_view(person: Browser, address: str) -> Page:
    """Open the live view as a person does, and wait for its first picture."""
    context = await person.new_context(viewport={"width": 1300, "height": 900})
    page = await context.new_page()
    await page.goto(address)
    await expect(page.locator("#waiting")).to_be_hidden()
    await page.wait_for_function(WHOLE)
    return page


async def view(person: Browser, project: Project, *flags: str) -> Page:
    """Type `browse view`, and open what it prints."""
    said = (await run(project, "view", "--no-open", *flags)).out
    return await open_view(person, re.findall(r"http://\S+", said)[-1])


async def take_control(page: Page) -> None:
    """Press the button."""
    await page.get_by_role("button", name="Take control").click()
    await expect(page.get_by_text("You have control")).to_be_visible()


async def at(page: Page, x: float, y: float) -> tuple[float, float]:
    """Return where a point of the tab is in the person's window."""
    box = await page.locator("#picture").bounding_box()
    assert box
    return box["x"] + x / WIDTH * box["width"], box["y"] + y / HEIGHT * box["height"]


async def address_of(handed: Popen[bytes]) -> str:
    """Return the address that a waiting `handoff` has printed."""
    assert handed.stderr
    while line := await asyncio.to_thread(handed.stderr.readline):
        if found := re.search(rb"LIVE VIEW: (\S+)", line):
            return found[1].decode()
    raise AssertionError("no address was printed")
