"""What a further model adds to ours, on a sample of texts from sources that ours has not seen."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tools.classifier.held_out import Scored, Text
from tools.classifier.tables import RATES, is_page, limits

from browse.security.blocks import Block
from browse.security.classifier.model import log_odds
from browse.security.classifier.stretches import promising
from browse.security.combine import LOG_ONLY, Decision, Layer, Signal, combine

HARMLESS_SHARE = 0.55


@dataclass(frozen=True, slots=True)
class Both:
    """A text with the log odds that both models give it."""

    text: Text
    ours: float
    theirs: float

    @property
    def decision(self) -> Decision:
        """What `scan` decides, which asks the other model only if ours has a doubt."""
        signals = [Signal(Layer.WORDS, _chance(self.ours))]
        if signals[0].confidence >= LOG_ONLY:
            signals.append(Signal(Layer.DEFENDER, _chance(self.theirs)))
        return combine(signals).decision


def weighed(
    scored: Scored, curve: list[tuple[float, float]], score: Callable[[str], float], count: int
) -> list[Both]:
    """Ask the other model about a sample, about half of it harmless."""
    chance = random.Random(3)  # noqa: S311 - no secret is made here
    harmless = [each for each in scored if not each[0].label]
    attacks = [each for each in scored if each[0].label]
    some = min(len(harmless), int(count * HARMLESS_SHARE))
    sample = chance.sample(harmless, some) + chance.sample(attacks, min(len(attacks), count - some))
    return [
        Both(text, log_odds(curve, sum_), _log_odds(score(promising([Block(text.text)]))))
        for text, sum_ in sample
    ]


def table(both: list[Both]) -> list[str]:
    """Tell recall of either model alone, of the sum of their log odds, and what `scan` does."""
    sums: dict[str, Callable[[Both], float]] = {
        "`words`": lambda each: each.ours,
        "the other": lambda each: each.theirs,
        "both": lambda each: each.ours + each.theirs,
    }
    asked = [_chance(each.ours) >= LOG_ONLY for each in both if not each.text.label]
    lines = [f"Asked about {sum(asked) / len(asked):.2f} of harmless texts.", ""]
    lines += ["| | 1 % | 2 % | 5 % | sum at 2 % |", "| --- | ---: | ---: | ---: | ---: |"]
    for kind in ("texts", "pages"):
        mine = [each for each in both if _belongs(each.text, kind)]
        for name, sum_ in sums.items():
            above = limits([sum_(each) for each in mine if not each.text.label])
            found = [sum_(each) for each in mine if each.text.label]
            shares = [sum(each > limit for each in found) / len(found) for limit in above]
            told = " | ".join(f"{share:.2f}" for share in shares)
            lines.append(f"| {kind}: {name} | {told} | {above[RATES.index(0.02)]:.2f} |")
        lines += [_decided(mine, kind, label) for label in (1, 0)]
    return lines


def _decided(both: Sequence[Both], kind: str, label: int) -> str:
    found = [each.decision for each in both if each.text.label == label]
    shares = [
        f"{decision.value} {found.count(decision) / len(found):.3f}"
        for decision in (Decision.WARN, Decision.BLOCK)
    ]
    what = "attacks" if label else "harmless"
    return f"{kind}, {what} ({len(found)}), with both: {', '.join(shares)}"


def _belongs(text: Text, kind: str) -> bool:
    return is_page(text) if kind == "pages" else text.kind == "whole"


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-max(-500.0, min(500.0, odds))))


def _log_odds(chance: float) -> float:
    kept = min(max(chance, 1e-9), 1 - 1e-9)
    return math.log(kept / (1 - kept))
