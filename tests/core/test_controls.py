"""No control character reaches a terminal."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browse.core.controls import encode_json, one_line, visible
from support.hostile import fuzz

CONTROLS = {chr(code) for code in [*range(0x20), *range(0x7F, 0xA0)]}


@fuzz
@given(st.text())
def test_only_tabs_and_line_ends_are_left(text):
    assert not set(visible(text)) & (CONTROLS - {"\t", "\n"})


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("usual words\n\té", "usual words\n\té"),
        ("\x1b]52;c;cm0=\x07", "␛]52;c;cm0=␇"),
        ("\x7f\x9b2J", "␡\ufffd2J"),
        ("a\r\nb\rc", "a\nb␍c"),
    ],
)
def test_the_others_are_pictures(text, shown):
    assert visible(text) == shown


@fuzz
@given(st.text())
def test_a_line_stays_a_line_of_printable_characters(text):
    assert one_line(text).isprintable()


def test_a_line_shows_what_was_escaped():
    assert one_line("été\n\x1b[2J\u2028") == "été\\n\\x1b[2J\\u2028"


@fuzz
@given(st.recursive(st.text(), lambda inner: st.dictionaries(st.text(), inner)))
def test_json_keeps_its_values_and_has_no_control_character(data):
    encoded = encode_json(data).decode()

    assert json.loads(encoded) == data
    assert not set(encoded) & CONTROLS
