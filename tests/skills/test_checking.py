from browse.flow.steps import Mark
from browse.skills.checking import (
    DriftReport,
    Finding,
    Freshness,
    is_reached,
    start_of,
    steps_in_words,
)
from browse.skills.recording.codify import Flow
from support.flows import URL, a_step

OLD, OTHER = Mark(URL, "", "0001" * 128), "0002" * 128


def test_the_worst_finding_is_the_verdict():
    drifted = Finding(Freshness.DRIFTED, "the page is built differently")
    broken = Finding(Freshness.BROKEN, "its element is not on the page", 3, "click")

    assert DriftReport().verdict is Freshness.FRESH
    assert DriftReport([drifted]).verdict is Freshness.DRIFTED
    assert DriftReport([broken, drifted]).verdict is Freshness.BROKEN
    assert str(broken) == "step 3 (click): its element is not on the page"


def test_a_page_that_is_built_differently_has_drifted():
    same, other, none = DriftReport(), DriftReport(), DriftReport()
    same.compare(OLD.sketch, OLD.sketch)
    other.compare(OLD.sketch, OTHER)
    none.compare("", OTHER)

    assert (same.verdict, same.likeness) == (Freshness.FRESH, 1.0)
    assert (other.verdict, other.likeness) == (Freshness.DRIFTED, 0.0)
    assert (none.verdict, none.likeness) == (Freshness.FRESH, None)


def test_a_flow_begins_where_its_first_step_was_taken():
    opened = a_step(1, "goto", URL, before=Mark("about:blank"), after=OLD)
    pressed = a_step(1, "press", "Enter", before=OLD, after=Mark("http://x.example/"))
    unknown = a_step(1, "press", "Tab", before=Mark(URL), after=OLD)

    assert [start_of(Flow(URL, (step,))) for step in (opened, pressed, unknown)] == [OLD, OLD, OLD]


def test_a_step_is_reached_if_its_page_was_built_the_same_or_only_typed_into():
    typed, pressed = a_step(2, "fill", "#q", "tea"), a_step(2, "click", "#go")
    same, other = a_step(3, "text", before=OLD), a_step(3, "text", before=Mark(URL, "", OTHER))
    unseen, elsewhere = a_step(3, "text"), a_step(3, "text", before=Mark("http://x.example/"))

    def reached(step, *done):
        return is_reached(step, OLD, done)

    assert reached(elsewhere)
    assert (reached(same, pressed), reached(other, typed)) == (True, False)
    assert (reached(unseen, typed), reached(unseen, typed, pressed)) == (True, False)
    assert not reached(elsewhere, typed)


def test_numbers_of_steps_in_words():
    assert (steps_in_words([4]), steps_in_words([4, 5, 6])) == ("step 4", "steps 4 to 6")
