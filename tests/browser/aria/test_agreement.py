"""Roles and names agree with Chromium's own accessibility tree, on pages of every kind."""

from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page
from support import axtree

pytestmark = [pytest.mark.e2e, pytest.mark.asyncio(loop_scope="module")]

PAGES = sorted(Path(__file__).parent.glob("*.html"))
LANDMARKS = {"banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search"}
INTERACTIVE = {
    "button", "link", "textbox", "checkbox", "radio", "combobox", "listbox", "menuitem", "menuitemcheckbox",
    "menuitemradio", "option", "searchbox", "slider", "spinbutton", "switch", "tab", "treeitem",
}  # fmt: skip
COMPARED = LANDMARKS | INTERACTIVE | {"heading", "image"}

# Where we differ on purpose: page, Chromium's (role, name), ours, and why.
EXCEPTIONS: dict[tuple[str, str, str], tuple[str, str, str]] = {
}


async def both(page: Page, file: Path) -> list[tuple[dict[str, Any], axtree.Seen | None]]:
    """Each element of a page as we tell it and as Chromium does."""
    await page.goto(file.as_uri())
    await axtree.ask(page, "mark")
    theirs = {seen.mark: seen for seen in await axtree.chromium_tree(page)}
    return [(ours, theirs.get(ours["mark"])) for ours in await axtree.ask(page, "marked")]


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.stem)
async def test_agree(page: Page, file: Path) -> None:
    wrong = []
    for ours, theirs in await both(page, file):
        if theirs and theirs.role in COMPARED:
            got = ("hidden" if ours["hidden"] else ours["role"], axtree.fold(ours["name"]))
            if got != (theirs.role, theirs.name):
                wrong.append((file.stem, (theirs.role, theirs.name), got))
        if not theirs and ours["interactive"] and not ours["hidden"]:
            wrong.append((file.stem, ("", ""), (ours["role"], ours["name"])))
    for w in wrong: print("X", w)
    assert not wrong
