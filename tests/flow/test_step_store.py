"""Steps in memory have bounds: of a tab, of all tabs, and by what they take."""

import msgspec
import pytest

from browse.flow import step_store
from browse.flow.step_store import StepStore
from browse.flow.steps import Mark, Step

MINE = ("", 1)


def filled(book: StepStore, key: step_store.Key, count: int, **more) -> None:
    for _ in range(count):
        book.add(key, Step(book.number(key), "", key[1], "text", **more))


def numbers(book: StepStore, key: step_store.Key) -> list[int]:
    return [step.number for step in book.steps(key)]


def test_tab_keeps_its_latest_steps():
    book = StepStore()

    filled(book, MINE, step_store.MAX_TAB_STEPS + 20)

    assert numbers(book, MINE) == list(range(21, step_store.MAX_TAB_STEPS + 21))


def test_tab_that_was_used_longest_ago_makes_room_first(monkeypatch):
    monkeypatch.setattr(step_store, "MAX_STEPS", 10)
    book = StepStore()
    filled(book, ("", 1), 6)
    filled(book, ("", 2), 4)
    filled(book, ("", 1), 1)

    filled(book, ("", 3), 3)

    assert numbers(book, ("", 2)) == []
    assert numbers(book, ("", 1)) == [1, 2, 3, 4, 5, 6, 7]
    assert numbers(book, ("", 3)) == [1, 2, 3]
    assert book.number(("", 2)) == 5, "numbers are given once"


def test_large_steps_make_room_by_their_bytes(monkeypatch):
    monkeypatch.setattr(step_store, "MAX_BYTES", 10_000)
    book = StepStore()

    filled(book, MINE, 30, words=("x" * 900,))

    kept = book.steps(MINE)
    assert 5 < len(kept) < 12
    assert sum(len(msgspec.json.encode(step)) for step in kept) <= 10_000


def test_completed_step_takes_the_place_of_the_first_version_and_counts(monkeypatch):
    monkeypatch.setattr(step_store, "MAX_BYTES", 10_000)
    book = StepStore()
    filled(book, MINE, 20)

    for step in book.steps(MINE):
        book.complete(MINE, msgspec.structs.replace(step, after=Mark("u", "t", "f" * 2_000)))

    kept = book.steps(MINE)
    assert [step.number for step in kept] == [17, 18, 19, 20]
    assert {step.after.title for step in kept} == {"t"}
    assert book.last(MINE).title == "t"


@pytest.mark.parametrize("number", [0, 4, 999])
def test_completing_a_step_that_is_gone_changes_nothing(number: int):
    book = StepStore()
    filled(book, MINE, 3)

    book.complete(MINE, Step(number, "", 1, "click"))

    assert [step.command for step in book.steps(MINE)] == ["text"] * 3


def test_clients_and_tabs_are_kept_apart():
    book = StepStore()
    filled(book, ("", 1), 2)
    filled(book, ("codex", 1), 1)

    assert (numbers(book, ("", 1)), numbers(book, ("codex", 1))) == ([1, 2], [1])
    assert book.steps(("", 2)) == []
