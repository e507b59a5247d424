"""The pictures of a video; that a tab is filmed is shown end to end."""

import io

import pytest
from PIL import Image

from browse.browser.recordings.video import Film
from browse.browser.recordings.webm import Size
from browse.core.errors import BrowseError, Code


def a_jpeg(colour: str, size: tuple[int, int] = (64, 36)) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, "JPEG")
    return out.getvalue()


@pytest.fixture
def film(tmp_path) -> Film:
    return Film(tmp_path / "pictures", None)


def test_pictures_that_are_old_or_the_same_are_left_out(film):
    film.add(a_jpeg("red"), 5000.0)
    film.add(a_jpeg("red"), 5100.0)
    film.add(a_jpeg("blue"), 5200.4)
    film.add(a_jpeg("green"), 5150.0)

    assert [frame.at_ms for frame in film.frames] == [0, 200]
    assert film.bytes == sum(frame.size for frame in film.frames)


def test_the_first_picture_gives_the_size_unless_one_was_asked_for(film, tmp_path):
    asked = Film(tmp_path / "others", Size(100, 100))

    for one in (film, asked):
        one.add(a_jpeg("red"), 0.0)
        one.add(a_jpeg("blue", (20, 90)), 100.0)

    assert film.size == (64, 36)
    assert asked.size == (100, 100)
    assert len(film.frames) == len(asked.frames) == 2


def test_the_video_lasts_until_the_end_of_the_recording(film, tmp_path):
    film.add(a_jpeg("red"), 1000.0)

    film.write(tmp_path / "video.webm", 4000.0)

    data = (tmp_path / "video.webm").read_bytes()
    assert data.startswith(bytes.fromhex("1a45dfa3"))
    assert bytes.fromhex("448988") + bytes.fromhex("40a7700000000000") in data


def test_nothing_painted_is_no_video(film, tmp_path):
    with pytest.raises(BrowseError) as caught:
        film.write(tmp_path / "video.webm", 1.0)

    assert caught.value.code is Code.RECORDING
    assert not (tmp_path / "video.webm").exists()
