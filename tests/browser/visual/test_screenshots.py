"""Areas and sizes, as far as they need no browser."""

import io

import pytest
from PIL import Image

from browse.browser.visual.screenshots import Area, dimensions

PAGE = Area(0, 0, 800, 2000)


@pytest.mark.parametrize(
    ("area", "part"),
    [
        (Area(10, 20, 30, 40), Area(10, 20, 30, 40)),
        (Area(-10, -20, 30, 40), Area(0, 0, 20, 20)),
        (Area(790, 1990, 30, 40), Area(790, 1990, 10, 10)),
        (Area(900, 50, 30, 40), Area(900, 50, 0, 40)),
    ],
)
def test_an_area_is_cut_to_what_there_is(area, part):
    assert area.within(PAGE) == part


def test_an_area_is_rounded_to_whole_pixels_around_it():
    assert Area(0.5, 211.875, 99.5, 50).rounded() == Area(0, 211, 100, 51)
    assert Area(3, 4, 5, 6).rounded() == Area(3, 4, 5, 6)


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
async def test_the_size_is_read_off_the_image(kind):
    file = io.BytesIO()
    Image.new("RGB", (30, 20)).save(file, kind)

    assert await dimensions(file.getvalue()) == (30, 20)
