"""Scrolling again and again."""

import pytest

from browse.browser.actions.scrolling import repeated
from browse.browser.page.shapes import Scrolled


@pytest.mark.parametrize(
    ("places", "times", "done"),
    [
        ([1, 2, 3, 4], 4, 4),
        ([1, 2, 2, 2, 2], 5, 4),
        ([5, 5, 5], 9, 3),
        ([1, 1, 2, 2, 3], 5, 5),
    ],
)
async def test_two_rounds_in_vain_end_it(places, times, done):
    steps = iter(places)

    async def step() -> Scrolled:
        return Scrolled(scrolls=True, moved=True, x=0, y=next(steps), size=100)

    assert await repeated(step, times, 0) == done
