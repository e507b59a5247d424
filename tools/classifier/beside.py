"""What the defender adds to our model, on a sample of texts from sources that ours has not seen."""

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tools.classifier.tables import balanced_limit, limits
from tools.classifier.texts import Text, is_page

from browse.security.classifier.model import log_odds
from browse.security.combine import WARN, Layer, Signal
from browse.security.together import HIGHEST, LOWEST, SHARE, may_change, odds_of, together

HARMLESS_SHARE = 0.55
Passage = tuple[tuple[Text, float], str]


@dataclass(frozen=True, slots=True)
class Both:
    """A text with the log odds that both models give it."""

    text: Text
    ours: float
    theirs: float

    @property
    def total(self) -> float:
        """The sum that `together` makes of both."""
        return self.ours + min(max(SHARE * self.theirs, LOWEST), HIGHEST)

    @property
    def is_asked(self) -> bool:
        """Whether `scan` asks the defender."""
        return may_change(_chance(self.ours))

    @property
    def warns(self) -> bool:
        """Whether `scan` warns."""
        ours = Signal(Layer.WORDS, _chance(self.ours))
        if self.is_asked:
            ours = together(ours, Signal(Layer.DEFENDER, _chance(self.theirs)))
        return ours.confidence >= WARN


def sampled(passages: Sequence[Passage], count: int) -> list[Passage]:
    """Take a sample, about half of it harmless."""
    chance = random.Random(3)  # noqa: S311 - no secret is made here
    harmless = [each for each in passages if not each[0][0].label]
    attacks = [each for each in passages if each[0][0].label]
    some = min(len(harmless), int(count * HARMLESS_SHARE))
    return chance.sample(harmless, some) + chance.sample(attacks, min(len(attacks), count - some))


def weighed(
    sample: Sequence[Passage], curve: list[tuple[float, float]], score: Callable[[str], float]
) -> list[Both]:
    """Ask the defender about the worst passage of each text."""
    return [
        Both(text, log_odds(curve, sum_), odds_of(score(passage)))
        for (text, sum_), passage in sample
    ]


def table(both: list[Both]) -> list[str]:
    """Tell recall of either model alone and of both, and what `scan` does."""
    sums: dict[str, Callable[[Both], float]] = {
        "`words`": lambda each: each.ours,
        "the defender": lambda each: each.theirs,
        "both": lambda each: each.total,
    }
    points = [
        balanced_limit([(it.text, it.total) for it in both], at) for at in (0.05, 0.02, 0.005)
    ]
    lines = [f"Sums that 5, 2 and 0.5 % reach: {', '.join(f'{at:.2f}' for at in points)}", ""]
    lines += ["| | 1 % | 2 % | 5 % |", "| --- | ---: | ---: | ---: |"]
    for kind in ("texts", "pages"):
        mine = [each for each in both if _belongs(each.text, kind)]
        for name, sum_ in sums.items():
            above = limits([sum_(each) for each in mine if not each.text.label])
            found = [sum_(each) for each in mine if each.text.label]
            shares = [sum(each > limit for each in found) / len(found) for limit in above]
            lines.append(f"| {kind}: {name} | {' | '.join(f'{share:.2f}' for share in shares)} |")
        lines += [_decided(mine, kind, label) for label in (1, 0)]
    return lines


def _decided(both: Sequence[Both], kind: str, label: int) -> str:
    mine = [each for each in both if each.text.label == label]
    asked = sum(each.is_asked for each in mine) / len(mine)
    warned = sum(each.warns for each in mine) / len(mine)
    what = "attacks" if label else "harmless"
    return f"{kind}, {what} ({len(mine)}): asked about {asked:.3f}, warned of {warned:.3f}"


def _belongs(text: Text, kind: str) -> bool:
    return is_page(text) if kind == "pages" else text.kind == "whole"


def _chance(odds: float) -> float:
    return 1 / (1 + math.exp(-max(-500.0, min(500.0, odds))))
