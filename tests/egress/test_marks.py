"""The mark that runs through page words."""

import re

import pytest
from hypothesis import given

from browse.egress.marks import EVERY_CHARS, marked
from support.hostile import any_text, fuzz

MARK = re.compile(r"\^[A-HJ-NP-Z2-9]{6}")


def mark_of(note: str) -> str:
    found = MARK.search(note)
    assert found
    return found.group()


def test_each_line_begins_with_the_mark_that_the_note_tells():
    shown = marked("one\ntwo\n\nthree")
    mark = mark_of(shown.note)

    assert shown.text == f"{mark} one\n{mark} two\n{mark} \n{mark} three"


@pytest.mark.parametrize("blank", [" ", "\t", "\u00a0", "\u3000"], ids=ascii)
def test_it_runs_through_a_long_line(blank):
    shown = marked(f"word{blank}" * 1000)
    mark = mark_of(shown.note)

    assert max(map(len, shown.text.split(mark))) <= EVERY_CHARS + 10


def test_no_reply_has_the_mark_of_another():
    assert len({mark_of(marked("same").note) for _ in range(50)}) == 50


def test_a_line_without_blanks_stays_whole():
    assert "x" * 10_000_000 in marked("x" * 10_000_000).text


@fuzz
@given(any_text)
def test_without_the_mark_the_words_are_what_they_were(text):
    shown = marked(text)

    assert shown.text.replace(mark_of(shown.note) + " ", "") == text
