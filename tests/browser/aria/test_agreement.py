"""Roles and names agree with Chromium's own accessibility tree, on pages of every kind."""

from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.async_api import Page

from support import axtree

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="module")]

PAGES = sorted(Path(__file__).parent.glob("*.html"))
LANDMARKS = {
    *("banner", "complementary", "contentinfo", "form"),
    *("main", "navigation", "region", "search"),
}
INTERACTIVE = {
    *("button", "link", "textbox", "searchbox", "checkbox", "radio", "switch", "combobox"),
    *("listbox", "option", "slider", "spinbutton", "tab", "treeitem"),
    *("menuitem", "menuitemcheckbox", "menuitemradio"),
}
COMPARED = LANDMARKS | INTERACTIVE | {"heading", "image"}
LEAST_AGREEING = 0.99


class Difference(NamedTuple):
    """One element of a page, as (role, name), told in two ways."""

    page: str
    chromium: tuple[str, str]
    ours: tuple[str, str]


RECURSES = "the standard reads containers inside a control; Chromium leaves it without a name"
# Where we differ on purpose, and why.
EXCEPTIONS = {
    Difference("bootstrap", ("button", ""), ("button", "Loading...")): RECURSES,
    Difference("shop", ("link", ""), ("link", "Card as article € 5")): RECURSES,
    Difference("differences", ("link", ""), ("link", "Card")): RECURSES,
    Difference("disclosure", ("button", "Second summary"), ("generic", "")): (
        "only the first summary opens its details"
    ),
    Difference("differences", ("textbox", ""), ("textbox", "Title behind a blank label")): (
        "a blank label says nothing, so the standard goes on to the title"
    ),
    Difference("differences", ("link", "Listens for clicks"), ("generic", "")): (
        "a script cannot see the listeners of another"
    ),
    Difference("differences", ("link", "Signed in with •••••••"), ("link", "Signed in with")): (
        "not even the length of a password is told"
    ),
    Difference("differences", ("heading", ""), ("heading", "Gem stays")): (
        "an element that nobody can see owns nothing, says the standard"
    ),
    Difference("differences", ("region", "Misspelt"), ("generic", "")): (
        "aria-labeledby is a misspelling that no standard knows"
    ),
    Difference("differences", ("button", "Inner"), ("generic", "")): (
        "what a custom element tells through ElementInternals cannot be read by a script"
    ),
}


class Reading(NamedTuple):
    """How many elements of a page were compared, and where we differ."""

    compared: int
    differences: list[Difference]


async def read(page: Page, file: Path) -> Reading:
    """Compare what we say with what Chromium says, both ways, element by element."""
    await page.goto(file.as_uri())
    await axtree.ask(page, "mark")
    chromium = {seen.mark: seen for seen in await axtree.chromium_tree(page)}
    compared, differences = 0, []
    for element in await axtree.ask(page, "marked"):
        theirs = chromium.get(element["mark"])
        said = (theirs.role, theirs.name) if theirs else ("", "")
        ours = ("", "") if element["hidden"] else (element["role"], axtree.fold(element["name"]))
        if said[0] not in COMPARED and ours[0] not in INTERACTIVE:
            continue
        compared += 1
        if ours != said:
            differences.append(Difference(file.stem, said, ours))
    return Reading(compared, differences)


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.stem)
async def test_agrees_with_chromium(page: Page, file: Path) -> None:
    reading = await read(page, file)

    allowed = {difference for difference in EXCEPTIONS if difference.page == file.stem}
    assert set(reading.differences) == allowed


async def test_differences_are_few(page: Page) -> None:
    # One page is made of nothing but known differences.
    readings = [await read(page, file) for file in PAGES if file.stem != "differences"]

    compared = sum(reading.compared for reading in readings)
    differing = sum(len(reading.differences) for reading in readings)
    assert compared >= 700
    assert 1 - differing / compared >= LEAST_AGREEING
