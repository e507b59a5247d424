"""The truth table of the combiner."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browse.security.combine import (
    CONTENT,
    DETERMINISTIC,
    Decision,
    Label,
    Layer,
    Signal,
    combine,
)
from support.hostile import fuzz

W, T, H, B, A = (
    Layer.WORDS,
    Layer.TESTSAVANT,
    Layer.HIDDEN,
    Layer.BLOCKLIST,
    Layer.ARIA,
)
SAFE, LOG, WARN, BLOCK = Decision


def judge(label: Label | None, confidence: float) -> tuple[Layer, float, Label | None]:
    return Layer.JUDGE, confidence, label


# What the layers say → verdict, rule, confidence.
TABLE = [
    ([], SAFE, "", 0.0),
    ([(W, 0.39)], SAFE, "", 0.39),
    ([(W, 0.40)], LOG, "below_warning", 0.40),
    ([(W, 0.74)], LOG, "below_warning", 0.74),
    ([(W, 0.75)], WARN, "single_layer_medium", 0.75),
    ([(W, 0.91)], WARN, "single_layer_medium", 0.91),
    ([(W, 0.92)], WARN, "single_layer_high", 0.92),
    ([(W, 1.0)], WARN, "single_layer_high", 1.0),
    ([(W, 0.99), (T, 0.74)], WARN, "single_layer_high", 0.99),
    ([(W, 0.75), (T, 0.75)], BLOCK, "ensemble_agreement", 0.75),
    ([(W, 0.80), (T, 0.95)], BLOCK, "ensemble_agreement", 0.80),
    ([(W, 0.80), (H, 0.80)], BLOCK, "ensemble_agreement", 0.80),
    ([(W, 0.80), (B, 1.0)], BLOCK, "ensemble_agreement", 0.80),
    ([(H, 1.0), (B, 1.0)], BLOCK, "ensemble_agreement", 1.0),
    ([(H, 1.0)], WARN, "single_layer_medium", 1.0),
    ([(A, 0.76)], WARN, "single_layer_medium", 0.76),
    ([(W, 0.70), (H, 0.80)], WARN, "single_layer_medium", 0.80),
    ([(W, 0.80), (W, 0.90)], WARN, "single_layer_medium", 0.90),
    ([judge(Label.SAFE, 1.0)], SAFE, "", 0.0),
    ([judge(Label.SAFE, 1.0), (W, 0.80)], WARN, "single_layer_medium", 0.80),
    ([judge(Label.WARN, 0.1)], WARN, "single_layer_medium", 0.1),
    ([judge(Label.BLOCK, 0.39), (W, 0.80)], WARN, "single_layer_medium", 0.80),
    ([judge(Label.BLOCK, 0.40), (W, 0.80)], BLOCK, "ensemble_agreement", 0.40),
    ([judge(Label.BLOCK, 0.84)], WARN, "single_layer_medium", 0.84),
    ([judge(Label.BLOCK, 0.85)], WARN, "single_layer_high", 0.85),
    ([judge(None, 0.74)], LOG, "below_warning", 0.74),
    ([judge(None, 0.75)], WARN, "single_layer_medium", 0.75),
    ([judge(None, 0.99), (W, 0.80)], WARN, "single_layer_medium", 0.99),
]


@pytest.mark.parametrize(("said", "decision", "reason", "confidence"), TABLE)
def test_truth_table(said, decision, reason, confidence):
    found = combine(Signal(*each) for each in said)

    assert (found.decision, found.reason, found.confidence) == (decision, reason, confidence)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ([(W, 0.92)], "single_layer_tool_output"),
        ([judge(Label.BLOCK, 0.85)], "single_layer_tool_output"),
        ([(W, 0.80), (T, 0.80)], "ensemble_agreement"),
    ],
)
def test_a_sure_layer_blocks_where_nobody_reads_a_warning(said, reason):
    found = combine((Signal(*each) for each in said), tool_output=True)

    assert (found.decision, found.reason) == (BLOCK, reason)


def test_where_it_stood_alone_never_blocks_even_tool_output():
    assert combine([Signal(H, 1.0)], tool_output=True).decision is WARN


def test_signals_are_the_strongest_of_each_layer():
    found = combine([Signal(H, 0.2), Signal(W, 0.3), Signal(W, 0.6), Signal(W, 0.1)])

    assert found.signals == (Signal(W, 0.6), Signal(H, 0.2))


def test_every_layer_has_its_kind():
    assert {*CONTENT, *DETERMINISTIC, Layer.JUDGE} == set(Layer)
    assert not CONTENT & DETERMINISTIC


signals = st.builds(
    Signal,
    st.sampled_from(sorted(CONTENT | DETERMINISTIC)),
    st.floats(0, 1, allow_nan=False),
)


@fuzz
@given(st.lists(signals, max_size=6), signals)
def test_another_signal_never_makes_it_safer(some, another):
    order = list(Decision)

    without, more = combine(some).decision, combine([*some, another]).decision

    assert order.index(more) >= order.index(without)
