"""A person is suggested to an agent that tries in vain."""

import pytest

from browse.auth.caller import ROOT
from browse.core.errors import BrowseError, Code, Usage
from browse.core.scopes import Scope
from browse.registry.bind import Bound
from browse.view.failure_streaks import FailureStreaks
from support.fakes import a_caller, a_runner, a_spec, run

CLICK, TEXT = Bound(a_spec(name="click", acts=True)), Bound(a_spec(name="text"))


def failed(code: Code = Code.NO_MATCH) -> BrowseError:
    return BrowseError(code, "No element matches.", hint="look")


def after(*endings: BrowseError | None) -> str:
    streaks, last = FailureStreaks(), failed()
    for ending in (*endings, last):
        streaks.note(ROOT, CLICK, ending)
    return last.hint


def test_after_three_failures_in_a_row_a_person_is_suggested():
    assert "handoff" not in after(failed())
    assert after(failed(), failed()) == (
        "look\n3 failures in a row: `browse handoff '<why>'` lets a person help"
    )
    assert "4 failures" in after(failed(), failed(), failed())


def test_a_success_ends_the_row():
    assert "handoff" not in after(failed(), failed(), None)


@pytest.mark.parametrize(
    "ending", [failed(Code.HANDED_OVER), failed(Code.NEEDS_CONFIRMATION), Usage("no", hint="yes")]
)
def test_what_is_not_the_pages_fault_does_not_count(ending):
    assert "handoff" not in after(failed(), ending)


def test_reading_counts_for_nothing():
    streaks, last = FailureStreaks(), failed()
    for bound, ending in ((CLICK, failed()), (TEXT, None), (CLICK, failed()), (TEXT, failed())):
        streaks.note(ROOT, bound, ending)
    streaks.note(ROOT, CLICK, last)

    assert "3 failures" in last.hint


def test_a_paired_agent_cannot_hand_over_and_is_not_told_to():
    streaks, last = FailureStreaks(), failed()
    for _ in range(5):
        streaks.note(a_caller(Scope.WRITE), CLICK, last)

    assert last.hint == "look"


async def test_the_suggestion_reaches_the_caller():
    async def fail(_: object) -> None:
        raise failed()

    runner = a_runner(a_spec(fail, "click", mutates=True))
    said = [(await run(runner, "click"))[0] for _ in range(3)]

    assert ["handoff" in it for it in said] == [False, False, True]
