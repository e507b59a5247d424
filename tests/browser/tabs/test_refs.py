"""Refs as they are typed, and the frames that they were given out to."""

from typing import Any

import pytest

from browse.browser.tabs.refs import MAX_STRETCHES, Numbers, Ref, parse

MAIN: Any = object()
CHILD: Any = object()


@pytest.mark.parametrize(
    ("word", "ref"), [("@e1", Ref("e", 1)), ("@c12", Ref("c", 12)), ("@e007", Ref("e", 7))]
)
def test_refs_are_read(word, ref):
    assert parse(word) == ref


@pytest.mark.parametrize(
    "word", ["", "@", "e1", "@e", "@x1", "@e-1", "@e1 ", "@E1", "@e1!", "@e٣", "@e" + "9" * 10]
)
def test_other_words_are_no_refs(word):
    assert parse(word) is None


def test_ref_is_spelled_as_it_is_typed():
    assert str(Ref("c", 3)) == "@c3"


def test_numbers_lead_to_the_frame_that_took_them():
    numbers = Numbers()
    numbers.claim("e", MAIN, 4)
    numbers.claim("e", CHILD, 6)
    numbers.claim("e", MAIN, 7)

    assert [numbers.frame_of(Ref("e", number)) for number in range(8)] == [
        None, MAIN, MAIN, MAIN, CHILD, CHILD, MAIN, None,
    ]  # fmt: skip


def test_kinds_are_numbered_apart():
    numbers = Numbers()
    numbers.claim("e", MAIN, 4)

    assert numbers.next == {"e": 4, "c": 1}
    assert numbers.frame_of(Ref("c", 1)) is None


def test_no_number_is_given_out_twice():
    numbers = Numbers()
    numbers.claim("e", MAIN, 4)
    numbers.claim("e", CHILD, 2)

    assert numbers.next["e"] == 4
    assert numbers.frame_of(Ref("e", 1)) is MAIN


@pytest.mark.parametrize(("number", "given"), [(0, False), (1, True), (3, True), (4, False)])
def test_what_was_given_out_is_known(number, given):
    numbers = Numbers()
    numbers.claim("e", MAIN, 4)

    assert numbers.given(Ref("e", number)) is given


def test_old_stretches_are_forgotten_but_stay_given():
    numbers = Numbers()
    for number in range(MAX_STRETCHES + 10):
        numbers.claim("e", MAIN if number % 2 else CHILD, number + 2)

    assert numbers.frame_of(Ref("e", 1)) is None
    assert numbers.given(Ref("e", 1))
