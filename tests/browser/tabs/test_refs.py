"""Refs as they are typed, the frames that they were given out to, and who has seen them."""

from typing import Any

import pytest

from browse.browser.page.shapes import Next, RoleAndName
from browse.browser.tabs.refs import (
    MAX_CALLERS,
    MAX_RANGES,
    Ref,
    RefNumbers,
    TakenRefs,
    parse,
)
from browse.browser.tabs.seen_refs import MAX_EARLIER

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


def claimed(numbers: RefNumbers, frame: Any, e: int, c: int = 1) -> None:
    numbers.claim(frame, Next(numbers.doc, e, c))


def named(name: str) -> RoleAndName:
    return RoleAndName("button", name)


def shown_to(numbers: RefNumbers, caller: str, **refs: str) -> None:
    numbers.begin(caller)
    numbers.show({f"@{ref}": named(name) for ref, name in refs.items()})


def test_numbers_lead_to_the_frame_that_took_them():
    numbers = RefNumbers()
    claimed(numbers, MAIN, 4)
    claimed(numbers, CHILD, 6)
    claimed(numbers, MAIN, 7)

    assert [numbers.frame_of(Ref("e", number)) for number in range(8)] == [
        None, MAIN, MAIN, MAIN, CHILD, CHILD, MAIN, None,
    ]  # fmt: skip


def test_kinds_are_numbered_apart():
    numbers = RefNumbers()
    claimed(numbers, MAIN, 4)

    assert numbers.start() == {"doc": 1, "e": 4, "c": 1}
    assert numbers.frame_of(Ref("c", 1)) is None


def test_no_number_is_given_out_twice_in_a_document():
    numbers = RefNumbers()
    claimed(numbers, MAIN, 4)
    claimed(numbers, CHILD, 2)

    assert numbers.next["e"] == 4
    assert numbers.frame_of(Ref("e", 1)) is MAIN


def test_old_stretches_are_forgotten():
    numbers = RefNumbers()
    for number in range(MAX_RANGES + 10):
        claimed(numbers, MAIN if number % 2 else CHILD, number + 2)

    assert numbers.frame_of(Ref("e", 1)) is None


def test_numbers_start_again_in_a_new_document():
    numbers = RefNumbers()
    claimed(numbers, MAIN, 4, 3)
    word = numbers.word(Ref("e", 1))

    numbers.restart()

    assert numbers.start() == {"doc": 2, "e": 1, "c": 1}
    assert numbers.frame_of(Ref("e", 1)) is None
    assert numbers.word(Ref("e", 1)) != word


def test_numbers_of_a_document_that_was_left_are_not_counted():
    numbers = RefNumbers()
    numbers.restart()

    numbers.claim(MAIN, Next(1, 9, 9))

    assert numbers.next == {"e": 1, "c": 1}


def test_ref_is_known_to_the_caller_that_saw_it():
    numbers = RefNumbers()
    shown_to(numbers, "one", e1="Go")

    numbers.begin("other")
    assert not numbers.is_shown(Ref("e", 1))
    assert numbers.was(Ref("e", 1)) is None

    numbers.begin("one")
    assert numbers.is_shown(Ref("e", 1))
    assert not numbers.is_shown(Ref("c", 1))


def test_ref_of_an_earlier_document_is_known_only_as_what_it_was():
    numbers = RefNumbers()
    shown_to(numbers, "one", e1="Go", e7="Delete")
    numbers.restart()
    shown_to(numbers, "one", e1="Stay")

    assert numbers.is_shown(Ref("e", 1))
    assert not numbers.is_shown(Ref("e", 7))
    assert (numbers.was(Ref("e", 7)), numbers.was(Ref("e", 8))) == (named("Delete"), None)


def test_only_what_the_reply_has_of_a_snapshot_is_seen():
    numbers = RefNumbers()
    taken = TakenRefs(numbers.doc, {"@e1": named("Go"), "@e2": named("Stay")})

    numbers.seen_by("one", taken, ["@e2", "@e3"])

    numbers.begin("one")
    assert [numbers.is_shown(Ref("e", number)) for number in (1, 2, 3)] == [False, True, False]


def test_reply_that_comes_after_a_navigation_shows_nothing_of_the_new_document():
    numbers = RefNumbers()
    taken = TakenRefs(numbers.doc, {"@e1": named("Go")})
    numbers.restart()
    shown_to(numbers, "one", e2="Stay")

    numbers.seen_by("one", taken, ["@e1"])

    assert not numbers.is_shown(Ref("e", 1))
    assert numbers.was(Ref("e", 1)) == named("Go")


def test_what_is_remembered_of_documents_and_callers_is_limited():
    numbers = RefNumbers()
    shown_to(numbers, "one", **{f"e{n}": f"name {n}" for n in range(1, MAX_EARLIER + 2)})
    numbers.restart()
    shown_to(numbers, "one", e1="Go")
    numbers.restart()
    shown_to(numbers, "one", e1="Go")

    assert numbers.was(Ref("e", MAX_EARLIER + 1)) is None
    assert numbers.was(Ref("e", MAX_EARLIER)) is not None

    for number in range(MAX_CALLERS):
        shown_to(numbers, f"caller {number}", e1="Go")
    numbers.begin("one")
    assert not numbers.is_shown(Ref("e", 1))
