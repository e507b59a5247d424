"""What may be emulated, and what is said of words that are none of it."""

import pytest

from browse.browser.emulation import values
from browse.browser.emulation.emulation import Screen, Throttle
from browse.core.errors import Usage

DEVICES = {
    "Pixel 7": {
        "user_agent": "Phone/1",
        "viewport": {"width": 412, "height": 839},
        "device_scale_factor": 2.625,
        "is_mobile": True,
        "has_touch": True,
    }
}


@pytest.mark.parametrize(
    ("what", "words", "fields"),
    [
        ("geo", ["48.8584,2.2945"], {"geo": (48.8584, 2.2945, 10.0)}),
        ("geo", ["-33.9,", "151.2,", "5"], {"geo": (-33.9, 151.2, 5.0)}),
        ("locale", ["pt-BR"], {"locale": "pt-BR"}),
        ("timezone", ["europe/berlin"], {"timezone": "Europe/Berlin"}),
        ("color-scheme", ["Dark"], {"color_scheme": "dark"}),
        ("reduced-motion", ["reduce"], {"reduced_motion": "reduce"}),
        ("media", ["print"], {"media": "print"}),
        ("permissions", ["camera", "camera", "midi"], {"permissions": ("camera", "midi")}),
        ("offline", ["on"], {"offline": True}),
        ("throttle", ["slow-3g"], {"throttle": Throttle(50_000, 50_000, 2_000)}),
        ("throttle", ["800,400,50"], {"throttle": Throttle(100_000, 50_000, 50)}),
        ("cpu", ["4"], {"cpu": 4.0}),
    ],
)
def test_words_are_read(what, words, fields):
    assert values.READERS[what](words) == fields


@pytest.mark.parametrize(
    ("what", "words", "said"),
    [
        ("geo", ["91,0"], "is not a latitude from -90 to 90"),
        ("geo", ["0,nan"], "is not a longitude"),
        ("geo", ["Paris"], "is not a position"),
        ("locale", ["deutsch!"], "is not a language tag"),
        ("timezone", ["Europe/Berlim"], "Did you mean Europe/Berlin?"),
        ("timezone", ["Europe/Berlin", "x"], "more than one word"),
        ("color-scheme", ["blue"], "is not one of: dark, light, no-preference"),
        ("permissions", ["camra"], "Did you mean camera?"),
        ("offline", ["maybe"], "is not one of: on"),
        ("throttle", ["5g"], "is not a network"),
        ("throttle", ["0,1,1"], "is not a speed"),
        ("cpu", ["0.5"], "is not a slowdown from 1 to 100"),
    ],
)
def test_other_words_are_refused(what, words, said):
    with pytest.raises(Usage) as caught:
        values.READERS[what](words)

    assert said in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("word", ["0x1", "1x16385", "100", "axb", "-1x5", "1e3x5", "1x1x1"])
def test_a_size_has_two_sides_within_bounds(word):
    with pytest.raises(Usage, match="is not a size with sides from 1 to 16384"):
        values.size(word)


def test_a_size_is_read():
    assert values.size("16384X1") == (16_384, 1)


def test_a_device_is_found_however_it_is_written():
    screen, fields = values.device(["pixel", "7"], DEVICES)

    assert screen == Screen(412, 839, 2.625, mobile=True)
    assert fields == {"device": "Pixel 7", "useragent": "Phone/1", "touch": True}


def test_another_device_is_suggested():
    with pytest.raises(Usage, match="Did you mean 'Pixel 7'"):
        values.device(["Pixle", "7"], DEVICES)
