"""How much hidden content is found, and how seldom honest pages alarm, in a real Chromium."""

import pytest
from playwright.async_api import async_playwright

from browse.browser.page.shapes import HiddenWords
from browse.browser.reading.hidden_text import to_blocks
from browse.security.blocks import Block, Place
from support import hiding

LEAST_FOUND = 0.95
MOST_FALSE = 0.05


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
