"""Pictures compared, without a browser."""

import io

import pytest
from PIL import Image

from browse.browser.visual.pixel_diff import compare


def drawn(size: tuple[int, int], *dots: tuple[int, int]) -> bytes:
    image = Image.new("RGB", size, "white")
    for dot in dots:
        image.putpixel(dot, (0, 0, 200))
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize(
    ("one", "two", "changed", "total"),
    [
        (drawn((10, 10)), drawn((10, 10)), 0, 100),
        (drawn((10, 10)), drawn((10, 10), (3, 4), (9, 9)), 2, 100),
        (drawn((10, 10), (3, 4)), drawn((10, 10), (3, 4)), 0, 100),
        (drawn((10, 10)), drawn((10, 20)), 100, 200),
        (drawn((20, 10)), drawn((10, 20)), 300, 400),
    ],
    ids=["same", "two dots", "the same dot", "longer", "wider and longer"],
)
def test_differing_pixels_are_counted(one, two, changed, total):
    found = compare(one, two, longest=2000)

    assert (found.changed, found.total) == (changed, total)
    assert found.percent == pytest.approx(100 * changed / total)


def test_the_picture_shows_where_and_is_not_too_large():
    found = compare(drawn((100, 40)), drawn((100, 40), (30, 20)), longest=100)
    shown = Image.open(io.BytesIO(found.picture))

    assert shown.size == (100, 40)
    assert shown.getpixel((30, 20)) == (220, 0, 0)
    assert shown.getpixel((31, 20)) == (255, 255, 255)
    small = compare(drawn((100, 40)), drawn((100, 40)), longest=50).picture
    assert Image.open(io.BytesIO(small)).size == (50, 20)
