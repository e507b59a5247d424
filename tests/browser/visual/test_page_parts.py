"""How a page is divided into readable images."""

import pytest

from browse.browser.visual.page_parts import divide, part_files
from browse.browser.visual.screenshots import MAX_SIDE_PX, Area
from browse.guard.files import Roots, check_write


@pytest.mark.parametrize(
    ("width", "height", "ratio", "longest", "count", "step"),
    [
        (1280, 720, 1, 2000, 1, 720),
        (1280, 4000, 1, 2000, 1, 4000),
        (1280, 4100, 1, 2000, 3, 2000),
        (1280, 105_008, 1, 2000, 53, 2000),
        (375, 1900, 1, 2000, 1, 1900),
        (375, 2100, 1, 2000, 2, 2000),
        (1280, 9000, 2, 2000, 8, 1280),
        (1280, 16_383, 1, None, 1, 16_383),
        (1280, 40_000, 1, None, 3, MAX_SIDE_PX),
        (20_000, 700, 1, None, 1, 700),
    ],
)
def test_page_is_divided_where_one_image_could_not_be_read(
    width, height, ratio, longest, count, step
):
    areas = divide(Area(0, 0, width, height), ratio, longest)

    assert (len(areas), areas[0].height) == (count, step)
    assert sum(area.height for area in areas) == height
    assert all(area.width == width for area in areas)
    assert [area.y for area in areas] == [step * number for number in range(count)]


@pytest.mark.parametrize(
    ("name", "count", "files"),
    [
        ("page.png", 1, ["page.png"]),
        ("page.png", 2, ["page-1.png", "page-2.png"]),
        ("page", 2, ["page-1", "page-2"]),
        ("a.b.webp", 10, [f"a.b-{number:02}.webp" for number in range(1, 11)]),
    ],
)
def test_parts_are_numbered(tmp_path, name, count, files):
    file = check_write(name, cwd=str(tmp_path), roots=Roots.of(str(tmp_path)))

    assert [path.real for path in part_files(file, count)] == [
        str(tmp_path.resolve() / name) for name in files
    ]
