"""Videos, taken apart again."""

import io
import struct

import pytest
from PIL import Image

from browse.browser.recordings import webm
from browse.browser.recordings.webm import Frame, Size

CONTAINERS = {"1a45dfa3", "18538067", "1549a966", "1654ae6b", "ae", "e0", "1c53bb6b", "bb", "b7"}
CONTAINERS |= {"1f43b675"}


def elements(data: bytes, base: int = 0) -> list[tuple[str, int, bytes]]:
    """List (id, place, payload) of all elements, containers before what is in them."""
    found, at = [], 0
    while at < len(data):
        start = at
        width = 9 - data[at].bit_length()
        id, at = data[at : at + width].hex(), at + width
        width = 9 - data[at].bit_length()
        size = int.from_bytes(data[at : at + width], "big") & ((1 << 7 * width) - 1)
        at += width
        found.append((id, base + start, data[at : at + size]))
        if id in CONTAINERS:
            found += elements(data[at : at + size], base + at)
        at += size
    assert at == len(data)
    return found


def a_video(*frames: tuple[int, bytes], length_ms: int = 5000) -> list[tuple[str, int, bytes]]:
    out = io.BytesIO()
    pictures = io.BytesIO(b"".join(data for _, data in frames))
    told = [Frame(at, len(data)) for at, data in frames]
    webm.write(out, pictures, told, size=Size(800, 450), length_ms=length_ms)
    return elements(out.getvalue())


def values(video: list[tuple[str, int, bytes]], id: str) -> list[bytes]:
    return [payload for found, _, payload in video if found == id]


def numbers(video: list[tuple[str, int, bytes]], id: str) -> list[int]:
    return [int.from_bytes(payload, "big") for payload in values(video, id)]


def test_the_head_tells_kind_size_and_length():
    video = a_video((0, b"one"))

    assert values(video, "4282") == [b"webm"]
    assert values(video, "86") == [b"V_VP8"]
    assert (numbers(video, "b0"), numbers(video, "ba")) == ([800], [450])
    assert struct.unpack(">d", values(video, "4489")[0]) == (5000.0,)


def test_each_frame_is_there_at_its_time_and_whole():
    video = a_video((0, b"one"), (100, b"second" * 50), (70_000, b"third" * 9000))

    assert numbers(video, "e7") == [0, 100, 70_000]
    assert [block[4:] for block in values(video, "a3")] == [
        b"one",
        b"second" * 50,
        b"third" * 9000,
    ]


def test_cues_lead_to_the_frames_that_one_may_seek_to():
    video = a_video((0, b"one"), (100, b"two" * 99), (1500, b"three"), (9000, b"four"))

    segment = next(place for id, place, _ in video if id == "18538067") + 12
    clusters = {place - segment: payload for id, place, payload in video if id == "1f43b675"}
    led_to = [clusters[place][-3:] for place in numbers(video, "f1")]
    assert numbers(video, "b3") == [0, 1500, 9000]
    assert led_to == [b"one", b"ree", b"our"]


def a_webp(**options) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (33, 21), "red").save(out, "WEBP", **options)
    return out.getvalue()


@pytest.mark.parametrize("options", [{}, {"exif": b"Exif\0\0MM\0*"}], ids=["plain", "with more"])
def test_a_frame_is_taken_out_of_a_picture(options):
    frame = webm.vp8_frame(a_webp(quality=75, **options))

    start_code, width, height = struct.unpack_from("<3sHH", frame, 3)
    assert (start_code, width, height) == (b"\x9d\x01\x2a", 33, 21)


def test_a_picture_of_another_kind_has_no_frame():
    with pytest.raises(ValueError, match="lossy"):
        webm.vp8_frame(a_webp(lossless=True))
