"""Fitting the second stage: what a long text's worst window is worth, given the rest of the text.

A logistic regression over a few numbers (`standing_out.py`), fitted on pages whose windows were
scored by models that saw nothing of their families: pages with an attack and pages made in the same
way without one, or it would learn how pages are made. Its sums are stretched so that harmless pages
get about those of harmless texts.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from tools.classifier.texts import Text, family

# The numbers are few and most of them noisy: a strong penalty.
STRENGTH = 0.1
# The share of a family in its label grows more slowly than its size.
BALANCE = 0.5
# Of a source, so many pages with a harmless text planted in them: fewer than there are attacks.
MAX_FOREIGN = 5
# Harmless pages and harmless texts get the same sums at these two places.
LIKE = (0.90, 0.98)


@dataclass(frozen=True, slots=True)
class Reading:
    """A text, its sum by the first stage, what the second weighs, and the worst passage."""

    text: Text
    logit: float
    page: list[float] | None
    passage: str


def fit(readings: Sequence[Reading]) -> list[float]:
    """Fit the second stage: what it starts from, and the weight of each number."""
    mine = list(_fitted_on(readings))
    values: Any = np.array([each.page for each in mine])
    labels = np.array([each.text.label for each in mine])
    middle, spread = values.mean(0), values.std(0) + 1e-6
    model = LogisticRegression(C=STRENGTH, max_iter=300)
    model.fit((values - middle) / spread, labels, sample_weight=_shares(mine))
    weights = model.coef_[0] / spread
    low, high = _quantiles(values[labels == 0] @ weights)
    wanted_low, wanted_high = _quantiles([it.logit for it in readings if not it.text.label])
    stretch = (wanted_high - wanted_low) / (high - low)
    return [round(float(it), 5) for it in (wanted_low - stretch * low, *(stretch * weights))]


def weigh(stage: Sequence[float], reading: Reading) -> float:
    """Return the sum of a text by both stages, as `Model.read` has it."""
    if reading.page is None:
        return reading.logit
    return float(stage[0] + np.dot(stage[1:], reading.page))


def _fitted_on(readings: Sequence[Reading]) -> Iterator[Reading]:
    taken: Counter[str] = Counter()
    for each in readings:
        if each.page is None or each.text.kind == "whole":
            continue
        taken[each.text.source] += each.text.kind == "foreign"
        if each.text.kind != "foreign" or taken[each.text.source] <= MAX_FOREIGN:
            yield each


def _quantiles(sums: Any) -> tuple[float, float]:
    low, high = np.quantile(sums, LIKE)
    return float(low), float(high)


def _shares(readings: Sequence[Reading]) -> Any:
    keys = [(each.text.label, family(each.text.source)) for each in readings]
    sizes = Counter(keys)
    found = np.array([sizes[key] ** (BALANCE - 1) for key in keys])
    labels = np.array([label for label, _ in keys])
    for label in (0, 1):
        found[labels == label] *= len(keys) / 2 / found[labels == label].sum()
    return found
