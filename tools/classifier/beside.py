"""What a further model adds to ours, on a sample of texts from sources that ours has not seen."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tools.classifier.fitting import Doc
from tools.classifier.validating import RATES, Scored

SHOWN_CHARS = 4_000
HARMLESS_SHARE = 0.5
PAGE_CHARS = 1_500


@dataclass(frozen=True, slots=True)
class Both:
    """A text with the log odds that both models give it."""

    doc: Doc
    ours: float
    theirs: float


def weighed(
    scored: Scored, curve: tuple[float, float], score: Callable[[str], float], count: int
) -> list[Both]:
    """Ask the other model about a sample, half of it harmless."""
    chance = random.Random(3)  # noqa: S311 - no secret is made here
    harmless = [each for each in scored if not each[0].label]
    attacks = [each for each in scored if each[0].label]
    some = min(len(harmless), int(count * HARMLESS_SHARE))
    sample = chance.sample(harmless, some) + chance.sample(attacks, min(len(attacks), count - some))
    slope, shift = curve
    return [
        Both(doc, slope * sum_ + shift, _log_odds(score(doc.text[:SHOWN_CHARS])))
        for doc, sum_ in sample
    ]


def table(both: list[Both]) -> list[str]:
    """Tell recall of either model alone, and of the sum of their log odds."""
    kinds: dict[str, Callable[[Doc], Any]] = {
        "texts": lambda doc: doc.kind == "whole",
        "pages": lambda doc: (
            doc.kind == "planted" or (not doc.label and len(doc.text) >= PAGE_CHARS)
        ),
    }
    sums: dict[str, Callable[[Both], float]] = {
        "`words`": lambda each: each.ours,
        "the other": lambda each: each.theirs,
        "both": lambda each: each.ours + each.theirs,
    }
    lines = ["| | 1 % | 2 % | 5 % |", "| --- | ---: | ---: | ---: |"]
    for kind, belongs in kinds.items():
        mine = [each for each in both if belongs(each.doc)]
        for name, sum_ in sums.items():
            found = " | ".join(f"{share:.2f}" for share in _recall(mine, sum_))
            lines.append(f"| {kind}: {name} | {found} |")
    return lines


def _recall(both: list[Both], sum_: Callable[[Both], float]) -> list[float]:
    harmless = sorted((sum_(each) for each in both if not each.doc.label), reverse=True)
    attacks = [sum_(each) for each in both if each.doc.label]
    limits = [harmless[int(rate * len(harmless))] for rate in RATES]
    return [sum(each > limit for each in attacks) / len(attacks) for limit in limits]


def _log_odds(chance: float) -> float:
    kept = min(max(chance, 1e-9), 1 - 1e-9)
    return math.log(kept / (1 - kept))
