"""How a secret may be spelled, and what only looks like it."""

import base64

import pytest

from browse.guard.spellings import core_of, in_base64, pattern_of


@pytest.mark.parametrize("end", ["", "…", '","href":"', " → http://"])
def test_of_a_value_that_is_cut_the_beginning_is_found(end):
    pattern = pattern_of("battery Staple&93")

    for shown in ("battery S", "battery Staple", "battery Staple&amp;9", "battery%20Staple%26"):
        assert pattern.sub("*", f"x{shown}{end}") == f"x*{end}"
    for other in ("battery Staples", "battery ", "battery Stapler&93", "battery"):
        assert pattern.sub("*", f"x{other}{end}") == f"x{other}{end}"


@pytest.mark.parametrize("value", ["pa&s w\u00f6rd/9", "sunshine day", "a-b-c-d-e-f", "&&//&&//"])
def test_the_core_is_in_all_that_is_found(value):
    core = core_of(value)

    for spelled in (value, value.encode("unicode_escape").decode(), value[:-1]):
        assert core in spelled


def test_a_backslash_is_found_however_often_it_was_escaped():
    pattern = pattern_of("a\\b\\\\c")

    for times in (1, 2, 4):
        assert pattern.fullmatch("a" + "\\" * times + "b" + "\\" * 2 * times + "c")
    assert pattern.fullmatch("a%5Cb%255c%255Cc")


@pytest.mark.parametrize("value", ["\\" * 12 + "x", 'a"' * 20, "a" * 30, '\\"' * 4 + "x"])
def test_a_value_of_many_signs_takes_no_longer_in_a_text_made_to_be_slow(value):
    """No time is measured: a search that tries all ways takes minutes on this."""
    for text in ("\\" * 20_000, 'a\\\\"' * 10_000, ("a" * 29 + "bbb") * 1_000):
        assert pattern_of(value).sub("", text) is not None


@pytest.mark.parametrize("before", ["", "a", "ab", '{"pw":"'])
def test_base64_of_a_value_is_known_at_every_place_of_a_longer_text(before):
    whole = base64.urlsafe_b64encode(f"{before}~~Staple?>?93~~, x".encode()).decode()

    assert any(it in whole for it in in_base64("~~Staple?>?93~~"))
