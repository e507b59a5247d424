"""Small rules about text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browse.core.text import counted, cut_at_line, has_lone_surrogate, nearest, well_formed
from support.hostile import any_text, fuzz

KNOWN = ["goto", "text", "tabs", "newtab", "closetab", "load-html"]


@fuzz
@given(any_text)
def test_well_formed_text_always_encodes_and_keeps_its_length(text):
    clean = well_formed(text)

    assert clean.encode().decode() == clean
    assert len(clean) == len(text)


@fuzz
@given(any_text)
def test_well_formed_changes_nothing_but_half_characters(text):
    assert (well_formed(text) == text) is not has_lone_surrogate(text)


@fuzz
@given(any_text)
def test_making_text_well_formed_twice_changes_nothing_more(text):
    assert well_formed(well_formed(text)) == well_formed(text)


def test_an_emoji_is_not_half_a_character():
    assert not has_lone_surrogate("😀")


@fuzz
@given(st.text("ab\n", max_size=40), st.integers(1, 30))
def test_a_cut_text_is_a_beginning_within_the_limit(text, limit):
    kept = cut_at_line(text, limit)

    assert text.startswith(kept)
    assert len(kept) <= limit
    assert kept or not text


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("short", 10, "short"),
        ("one\ntwo\nthree", 9, "one\ntwo"),
        ("one\ntwo\nthree", 7, "one\ntwo"),
        ("a\nbbbbbbbbbbbbbbbb", 10, "a\nbbbbbbbb"),
        ("\nab", 1, "\n"),
    ],
    ids=["fits", "at a line", "exactly a line", "the line's end is too far back", "blank first"],
)
def test_a_text_is_cut_at_the_end_of_a_line_that_is_near_enough(text, limit, kept):
    assert cut_at_line(text, limit) == kept


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("gotoo", "goto"),
        ("txet", "text"),
        ("newtb", "newtab"),
        ("tex", "text"),
        ("screenshot", ""),
        ("", ""),
    ],
)
def test_a_slip_of_two_letters_is_recognised(typed, meant):
    assert nearest(typed, KNOWN) == meant


def test_a_megabyte_word_is_near_to_nothing_at_once():
    assert nearest("x" * 1_000_000, KNOWN) == ""


def test_nothing_is_near_where_nothing_is_known():
    assert nearest("goto", []) == ""


def test_a_count_has_its_noun_in_the_right_number():
    assert [counted(number, "tab") for number in (0, 1, 2)] == ["0 tabs", "1 tab", "2 tabs"]
    assert counted(10_000, "entry", plural="entries") == "10,000 entries"
