"""Our model and the defender as one layer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browse.security.combine import LOG_ONLY, WARN, Decision, Layer, Signal, combine
from browse.security.together import may_change, together, with_second
from support.hostile import fuzz

chances = st.floats(0, 1)


def both(words: float, defender: float) -> Signal:
    return together(Signal(Layer.WORDS, words), Signal(Layer.DEFENDER, defender))


def test_a_doubt_of_ours_with_which_the_defender_agrees_is_a_warning():
    assert both(0.6, 0.9).confidence >= WARN
    assert both(0.45, 0.99).confidence >= WARN


def test_a_warning_that_the_defender_does_not_share_is_taken_back():
    assert LOG_ONLY <= both(0.78, 0.02).confidence < WARN


def test_one_that_is_sure_is_not_outdone():
    assert both(0.05, 1.0).confidence < LOG_ONLY
    assert both(0.99, 0.0).confidence >= WARN


def test_both_are_one_witness():
    """They read the same words: to block, another layer is needed."""
    found = combine([both(0.99, 1.0)])

    assert found.decision is Decision.WARN
    assert [each.layer for each in found.signals] == [Layer.WORDS]


def test_a_signal_tells_what_it_was_made_of():
    words, defender = Signal(Layer.WORDS, 0.6), Signal(Layer.DEFENDER, 0.9)

    assert together(words, defender).of == (words, defender)


def test_only_our_signal_changes():
    hidden = Signal(Layer.HIDDEN, 0.9)

    found = with_second([hidden, Signal(Layer.WORDS, 0.6)], Signal(Layer.DEFENDER, 0.9))

    assert found == [hidden, both(0.6, 0.9)]
    assert with_second([hidden], None) == [hidden]


@pytest.mark.parametrize(
    ("words", "asked"), [(0.01, False), (0.5, True), (0.8, True), (0.99, False)]
)
def test_the_defender_is_asked_where_it_matters(words, asked):
    assert may_change(words) is asked


@fuzz
@given(chances, chances)
def test_where_it_is_not_asked_it_would_change_nothing(words, defender):
    if not may_change(words):
        assert (both(words, defender).confidence >= WARN) == (words >= WARN)


@fuzz
@given(chances, chances, chances)
def test_more_suspicion_never_makes_it_safer(words, one, other):
    low, high = sorted([one, other])

    assert both(words, low).confidence <= both(words, high).confidence
    assert both(low, words).confidence <= both(high, words).confidence
