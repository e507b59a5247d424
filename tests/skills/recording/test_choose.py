import pytest

from browse.core.errors import BrowseError, Code
from browse.flow.steps import Shape
from browse.skills.recording.choose import choose
from support.flows import COMMANDS, URL, a_flow, a_step


def chosen(*steps, since=None):
    found = choose(steps, COMMANDS, since)
    return [step.number for step in found.steps], {it.number: it.reason for it in found.left_out}


def test_the_last_stretch_without_what_failed_or_only_looked():
    kept, left = chosen(*a_flow())

    assert kept == [3, 5, 7, 8, 10, 12]
    assert left == {
        6: "it failed (ref-stale)",
        9: "the same was read again",
        11: "a skill may not run JavaScript",
    }


def test_a_list_of_tables_is_a_look():
    listed = Shape("rows", 0, 2, ("nth", "kind", "name", "rows", "columns"))

    assert chosen(a_step(1, "table", shape=listed), a_step(2, "table", "--nth=2")) == ([2], {})


def test_from_a_number_on():
    kept, _ = chosen(*a_flow(), since=1)

    assert kept[:3] == [1, 2, 3]


def test_a_reading_is_kept_twice_if_something_was_done_between():
    kept, left = chosen(a_step(1, "text"), a_step(2, "press", "Enter"), a_step(3, "text"))

    assert (kept, left) == ([1, 2, 3], {})


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (a_step(2, "upload", "#f", "a.txt"), "a skill may not read or write your files"),
        (a_step(2, "wait", "--js=x"), "a skill may not run JavaScript"),
        (a_step(2, "wait", "@e3"), "its ref means nothing on another visit"),
        (a_step(2, "press", "***"), "a secret is part of it"),
        (a_step(2, "load-html", "a.html"), "a skill opens pages by their address"),
    ],
)
def test_what_a_skill_may_not_do_is_said(step, reason):
    _, left = chosen(a_step(1, "goto", URL), step, a_step(3, "text"), since=1)

    assert left == {2: reason}


@pytest.mark.parametrize(
    "steps", [(), (a_step(1, "snapshot"),), (a_step(1, "click", "x", error="no-match"),)]
)
def test_nothing_to_record_is_an_error_that_says_what_to_do(steps):
    with pytest.raises(BrowseError) as caught:
        choose(steps, COMMANDS)

    assert caught.value.code is Code.JOURNAL
    assert "browse" in caught.value.hint


def test_a_number_that_is_not_there_is_refused():
    with pytest.raises(BrowseError, match="there is no step 99 in this tab; it has 1 to 12"):
        choose(a_flow(), COMMANDS, 99)
