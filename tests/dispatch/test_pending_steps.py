"""Steps that wait for a person: bounded, kept for a while, each told once."""

import pytest

from browse.core.errors import BrowseError, Code
from browse.dispatch.pending_steps import KEPT_S, MAX_KEPT, MAX_WAITING, Held, Steps
from support.fakes import a_call


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def a_step(*words: str, hash: str = "aabbccdd") -> Held:
    return Held(a_call(*(words or ("click", "#x")), tab_id=1), "click #x", "shop.example", "", hash)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def steps(clock) -> Steps:
    return Steps(clock)


def refusal(steps: Steps, id: str) -> BrowseError:
    with pytest.raises(BrowseError) as caught:
        steps.find(id)
    return caught.value


def test_the_same_step_waits_once_in_whatever_form_its_reply_is_wanted(steps):
    first = steps.add(a_step("click", "#x"))

    assert steps.add(a_step("click", "#x", "--json")) is first
    assert steps.waiting() == [first]
    assert steps.find(first.id) is first


def test_asked_for_again_on_another_page_it_takes_the_place_of_the_old_one(steps):
    old = steps.add(a_step())
    new = steps.add(a_step(hash="11223344"))

    assert steps.waiting() == [new]
    assert old.decided.is_set()


def test_a_step_is_forgotten_in_time(steps, clock):
    held = steps.add(a_step())
    clock.now += KEPT_S

    assert refusal(steps, held.id).code is Code.STEP_UNKNOWN
    assert steps.waiting() == []


def test_so_many_may_wait(steps):
    for number in range(MAX_WAITING):
        steps.add(a_step("click", f"#x{number}"))

    with pytest.raises(BrowseError) as caught:
        steps.add(a_step("click", "#more"))

    assert caught.value.code is Code.NEEDS_CONFIRMATION
    assert len(steps.waiting()) == MAX_WAITING


def test_so_many_outcomes_are_kept(steps):
    ended = []
    for number in range(MAX_KEPT + 5):
        ended.append(steps.add(a_step("click", f"#x{number}")))
        steps.end(ended[-1], None, None)

    assert refusal(steps, ended[0].id).message.startswith("No step")
    assert steps.known(ended[-1].id) is ended[-1]


def test_an_outcome_is_told_once_and_does_not_wait(steps):
    held = steps.add(a_step())
    steps.end(held, None, None)

    assert steps.untold(held.key) is held
    held.told = True
    assert steps.untold(held.key) is None
    assert "it is done" in refusal(steps, held.id).message
    assert steps.add(a_step()) is not held


def test_a_denied_step_stays_denied_for_a_while(steps, clock):
    held = steps.add(a_step())
    steps.deny(held, "no")

    assert steps.add(a_step()) is held
    clock.now += KEPT_S
    assert steps.add(a_step()).state == "waiting"


def test_a_step_whose_page_changed_can_be_asked_for_anew(steps):
    held = steps.add(a_step())
    steps.end(held, None, BrowseError(Code.STEP_CHANGED, "changed", hint="look"))

    assert steps.untold(held.key) is None
    assert steps.add(a_step()).state == "waiting"


def test_the_steps_of_one_caller_go_with_it(steps):
    steps.add(a_step())
    steps.clear("somebody else")
    assert len(steps.waiting()) == 1
    steps.clear("root")
    assert steps.waiting() == []
