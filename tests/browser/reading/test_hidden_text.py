"""How much hidden content is found, and how seldom honest pages alarm, in a real Chromium."""

import pytest
from playwright.async_api import Page, async_playwright

from browse.browser.page import scripts
from browse.browser.page.shapes import HiddenWords
from browse.browser.reading import frame_text
from browse.browser.reading.hidden_text import to_blocks
from browse.security.blocks import Block, Place
from support import hiding

LEAST_FOUND = 0.95
MOST_FALSE = 0.05
WORDS = f"<b class=words role=button tabindex=0>{hiding.ORDER}</b>"
REF_NUMBERS = {"doc": 1, "e": 1, "c": 1}


def test_what_scripts_tell_becomes_blocks():
    found = [HiddenWords("words", Place.HIDDEN, "tiny text", users=True, alarm=True)]

    assert to_blocks(found, foreign=True) == [
        Block("words", Place.HIDDEN, "tiny text", foreign=True, by_users=True, alarming=True)
    ]


async def outcomes(file: str) -> list[hiding.Outcome]:
    async with async_playwright() as driver, hiding.opened(driver) as page:
        return [await hiding.read(page, case) for case in hiding.cases(file)]


@pytest.mark.e2e
async def test_tricks_are_found(capsys):
    hostile = await outcomes("hostile.html")
    missed = [it.case.name for it in hostile if not it.alarms or it.leaks]
    with capsys.disabled():
        print(f"\nhidden content: {len(hostile)} tricks, missed: {missed or 'none'}")

    assert len(hostile) >= 45
    assert len(missed) <= (1 - LEAST_FOUND) * len(hostile), missed


@pytest.mark.e2e
async def test_honest_pages_are_left_in_peace(capsys):
    benign = await outcomes("benign.html")
    false = [it.case.name for it in benign if it.alarms]
    with capsys.disabled():
        print(f"\nhidden content: {len(benign)} honest pages, false alarms: {false or 'none'}")

    assert len(benign) >= 45
    assert len(false) <= MOST_FALSE * len(benign), false


async def is_painted(page: Page) -> bool:
    before = await page.screenshot()
    await page.add_style_tag(content=".words { visibility: hidden !important }")
    return await page.screenshot() != before


@pytest.mark.e2e
async def test_words_are_read_where_chromium_paints_them_and_nowhere_else():
    """Where they can be scrolled to they count as seen."""
    wrong = []
    async with async_playwright() as driver, hiding.opened(driver) as page:
        for case in hiding.cases("clips.html"):
            what, _, _ = case.name.partition(":")
            html = case.html.replace("{words}", WORDS)
            await page.goto("about:blank")
            await page.set_content(f"<!doctype html><meta charset=utf-8>{html}")
            text, hidden = await frame_text.read_text(page.main_frame)
            tree, _ = await scripts.SNAPSHOT.read(
                page.main_frame, evidence=False, numbers=REF_NUMBERS, interactive=True,
                compact=False, depth=None, cursor=False, listening=[], hidden=False, refs=True,
                looking=False, room=0, ask="none",
            )  # fmt: skip
            marks = [row.marks for row in tree.rows]
            is_read = hiding.ORDER in text and not any(it.alarming for it in hidden)
            is_marked = any("clipped" in it or "transparent" in it for it in marks)
            if await is_painted(page) != (what == "seen"):
                wrong.append(f"{case.name}: Chromium")
            if is_read != (what in ("seen", "scroll")):
                wrong.append(f"{case.name}: text")
            if is_marked and what != "gone":
                wrong.append(f"{case.name}: {marks}")

    assert not wrong, "\n".join(wrong)
