"""L6, the combiner: the signals of all layers become one verdict.

A layer gives signals, each with a confidence from 0 to 1; of several signals of one layer the
highest counts. Content layers (`words`, and the models that a user may add) judge what is written.
Deterministic layers (`hidden_content`, `url_blocklist`, `aria_regex`) tell where it stood or where
it points. The judge answers with a label.

The first rule that matches decides:

1. Two layers vote to block: block. A content or deterministic layer votes from 0.75 on; the judge
   when it says `block` with 0.40 or more.
2. One layer alone is very sure (content 0.92, the judge's `block` 0.85): warn, and block only where
   `tool_output` says that nobody would read the warning.
3. Any layer reaches 0.75, or the judge says `warn`, or `block` with little confidence: warn.
4. Any layer reaches 0.40: log_only. Otherwise: safe.

So a classifier alone warns; to block it needs another layer, except where nobody reads warnings: in
what a skill prints for other programs.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec

BLOCK = 0.85
WARN = 0.75
LOG_ONLY = 0.40
SOLO_CONTENT_BLOCK = 0.92


class Layer(StrEnum):
    """The sources of a score."""

    WORDS = "words"
    DEFENDER = "defender_content"
    TESTSAVANT = "testsavant_content"
    DEBERTA = "deberta_content"
    HIDDEN = "hidden_content"
    BLOCKLIST = "url_blocklist"
    ARIA = "aria_regex"
    JUDGE = "transcript_classifier"


CONTENT = frozenset({Layer.WORDS, Layer.DEFENDER, Layer.TESTSAVANT, Layer.DEBERTA})
DETERMINISTIC = frozenset({Layer.HIDDEN, Layer.BLOCKLIST, Layer.ARIA})


class Label(StrEnum):
    """What the judge may answer."""

    SAFE = "safe"
    WARN = "warn"
    BLOCK = "block"


class Decision(StrEnum):
    """What to do, from harmless to bad."""

    SAFE = "safe"
    LOG_ONLY = "log_only"
    WARN = "warn"
    BLOCK = "block"


class Signal(msgspec.Struct, frozen=True):
    """What one layer reports; only the judge gives a label.

    `of` is what a signal was made of, if two models make up one layer (`together.py`).
    """

    layer: Layer
    confidence: float
    label: Label | None = None
    of: tuple["Signal", ...] = ()


class Combined(msgspec.Struct, frozen=True):
    """The verdict, the rule that decided, and the strongest signal of each layer."""

    decision: Decision
    reason: str
    confidence: float
    signals: tuple[Signal, ...]


def combine(signals: Iterable[Signal], *, tool_output: bool = False) -> Combined:
    """Combine the signals of all layers; see the module for the rules."""
    heard = _strongest(signals)
    decision, reason, confidence = _decide(heard, tool_output=tool_output)
    return Combined(decision, reason, confidence, heard)


def _decide(heard: Sequence[Signal], *, tool_output: bool) -> tuple[Decision, str, float]:
    votes = [each.confidence for each in heard if _votes_to_block(each)]
    if len(votes) >= 2:
        return Decision.BLOCK, "ensemble_agreement", min(votes)
    alone = [each.confidence for each in heard if _is_sure_alone(each)]
    if alone and tool_output:
        return Decision.BLOCK, "single_layer_tool_output", max(alone)
    if alone:
        return Decision.WARN, "single_layer_high", max(alone)
    # A judge that says `safe` does not count, however sure it is.
    worry = [each for each in heard if each.label is not Label.SAFE]
    highest = max((each.confidence for each in worry), default=0.0)
    if highest >= WARN or any(each.label for each in worry):
        return Decision.WARN, "single_layer_medium", highest
    if highest >= LOG_ONLY:
        return Decision.LOG_ONLY, "below_warning", highest
    return Decision.SAFE, "", highest


def _strongest(signals: Iterable[Signal]) -> tuple[Signal, ...]:
    best: dict[Layer, Signal] = {}
    for each in signals:
        if each.layer not in best or each.confidence > best[each.layer].confidence:
            best[each.layer] = each
    return tuple(best[layer] for layer in Layer if layer in best)


def _votes_to_block(signal: Signal) -> bool:
    if signal.layer is Layer.JUDGE:
        return signal.label is Label.BLOCK and signal.confidence >= LOG_ONLY
    return signal.layer in CONTENT | DETERMINISTIC and signal.confidence >= WARN


def _is_sure_alone(signal: Signal) -> bool:
    if signal.layer is Layer.JUDGE:
        return signal.label is Label.BLOCK and signal.confidence >= BLOCK
    return signal.layer in CONTENT and signal.confidence >= SOLO_CONTENT_BLOCK
