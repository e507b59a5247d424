"""Our model and the defender as one layer: the sum of what each says, in log odds.

Both read the same words, so they are one witness: together they never count as two votes. Each may
correct the other, within the limits of what the defender's say is worth.
"""

import math
from collections.abc import Iterable

from browse.security.classifier.model import log_odds
from browse.security.combine import Layer, Signal

# What the defender's log odds are worth beside ours, and what they come to at most.
SHARE = 0.32
LOWEST, HIGHEST = -2.0, 0.6
# The sums that 5, 2 and 0.5 % of harmless texts reach, and the log odds of 0.40, 0.75 and 0.92.
CURVE = ((-1.76, -0.405), (0.03, 1.099), (2.09, 2.442))


def may_change(words: float) -> bool:
    """Check whether the defender could raise a score to a warning, or take a warning back."""
    odds = odds_of(words)
    return odds + HIGHEST >= CURVE[1][0] > odds + LOWEST


def with_second(signals: Iterable[Signal], defender: Signal | None) -> list[Signal]:
    """Put what the defender says, if anything, into the signal of our model."""
    if defender is None:
        return list(signals)
    return [together(it, defender) if it.layer is Layer.WORDS else it for it in signals]


def together(words: Signal, defender: Signal) -> Signal:
    """Make one signal of both; it keeps what it was made of."""
    said = min(max(SHARE * odds_of(defender.confidence), LOWEST), HIGHEST)
    return Signal(Layer.WORDS, _confidence(odds_of(words.confidence) + said), of=(words, defender))


def odds_of(confidence: float) -> float:
    """Return the log odds of a confidence."""
    kept = min(max(confidence, 1e-9), 1 - 1e-9)
    return math.log(kept / (1 - kept))


def _confidence(total: float) -> float:
    return 1 / (1 + math.exp(-max(-500.0, min(500.0, log_odds(CURVE, total)))))
