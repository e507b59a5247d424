"""How a window stands out from its page: by its score, and by words that the rest does not have.

A planted paragraph has another subject than its page. A sentence that looks like an order in a
document about just that has not. Short texts have no rest to compare with.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence

import msgspec

from browse.security.classifier.features import TokenizedText

# A text of fewer tokens has no rest to compare a window with.
FEWEST_TOKENS = 300
# Windows this many tokens away belong to the rest of the page; so few are no rest.
AWAY, FEWEST_AWAY = 100, 4
# Without a single word to compare.
UNKNOWN = 0.4
_SAMPLE, _SAMPLES = 40, 12
_SUBJECT_NEAR, _WORD_NEAR, _PASSAGE_NEAR, _LINE_NEAR = 40, 10, 30, 20
# The windows around one begin this far from it, and end there; its drop if there are none.
AROUND, AROUND_FAR, ALONE = 20, 140, 3.0
# A passage reaches this far from its worst window, over windows that are no better than this.
PASSAGE, ALIKE = 60, 3.0
# A line of this many tokens is a paragraph.
SHORTEST_LINE, LONGEST_LINE = 8, 200


class Scores(msgspec.Struct, frozen=True):
    """The windows of a text, and the score of each without phrases."""

    places: Sequence[tuple[int, int]]
    base: Sequence[float]

    def between(self, before: int, after: int, *, far: float) -> list[float]:
        """List the scores of windows that end before or start after, and no further than `far`."""
        return [
            base
            for (start, stop), base in zip(self.places, self.base, strict=True)
            if before - far <= stop <= before or after <= start <= after + far
        ]


def compared(text: TokenizedText, scores: Scores, worst: int) -> list[float] | None:
    """Compare a window with the rest of its page, or return None if there is not enough of it.

    The result: the log of how many windows there are; the mean score of those away from it; how
    much higher its score is than around it; and which shares of words the rest of the page has too:
    of its words, of its words of no class, of those of its passage and of its line, and of those of
    other windows.
    """
    if len(text.words) < FEWEST_TOKENS:
        return None
    first, end = scores.places[worst]
    away = scores.between(first - AWAY, end + AWAY, far=math.inf)
    if len(away) < FEWEST_AWAY:
        return None
    words = _Occurrences([word if len(word) > 4 else "" for word in text.words])
    subject = _Occurrences(
        [
            word if len(word) > 3 and letter == "." else ""
            for word, letter in zip(text.words, text.classes, strict=True)
        ]
    )
    return [
        math.log(len(scores.places)),
        sum(away) / len(away),
        _drop(scores, worst),
        _or_unknown(words.shared(first, end, _WORD_NEAR)),
        _or_unknown(subject.shared(first, end, _SUBJECT_NEAR)),
        _or_unknown(subject.shared(*_passage(scores, worst), _PASSAGE_NEAR)),
        _or_unknown(subject.shared(*_line(text.line_ends, first, end), _LINE_NEAR)),
        _or_unknown(_usual(subject)),
    ]


def _drop(scores: Scores, worst: int) -> float:
    """Return how much higher a window's score is than the mean of those around it."""
    first, end = scores.places[worst]
    around = scores.between(first - AROUND, end + AROUND, far=AROUND_FAR)
    return scores.base[worst] - sum(around) / len(around) if around else ALONE


def _passage(scores: Scores, worst: int) -> tuple[int, int]:
    """Return the passage that a window belongs to: the windows near it that are about as bad."""
    first, end = scores.places[worst]
    alike = [
        place
        for place, base in zip(scores.places, scores.base, strict=True)
        if base > scores.base[worst] - ALIKE
        and place[0] >= first - PASSAGE
        and place[1] <= end + PASSAGE
    ]
    return min(place[0] for place in alike), max(place[1] for place in alike)


def _line(line_ends: Sequence[int], first: int, end: int) -> tuple[int, int]:
    """Return the line that a window is in, or the window, if the line is no paragraph."""
    middle = (first + end) // 2
    at = bisect_left(line_ends, middle)
    start = line_ends[at - 1] + 1 if at else 0
    stop = line_ends[at] if at < len(line_ends) else end
    return (start, stop) if SHORTEST_LINE <= stop - start <= LONGEST_LINE else (first, end)


class _Occurrences:
    """The words of a text that count, and where each occurs first and last."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._first: dict[str, int] = {}
        self._last: dict[str, int] = {}
        for at, word in enumerate(words):
            if word:
                self._first.setdefault(word, at)
                self._last[word] = at

    def __len__(self) -> int:
        return len(self._words)

    def shared(self, first: int, end: int, near: int) -> float | None:
        """Return which share of the words of a window occurs further away than `near` tokens."""
        here = [word for word in self._words[first:end] if word]
        if not here:
            return None
        low, high = first - near, end + near
        found = [self._first[word] < low or self._last[word] >= high for word in here]
        return sum(found) / len(found)


def _usual(subject: _Occurrences) -> float | None:
    """Return the mean share for windows spread over the text."""
    length = len(subject)
    starts = range(0, length - _SAMPLE, max(_SAMPLE, length // _SAMPLES))
    found = [subject.shared(at, at + _SAMPLE, _SUBJECT_NEAR) for at in starts]
    known = [share for share in found if share is not None]
    return sum(known) / len(known) if known else None


def _or_unknown(share: float | None) -> float:
    return UNKNOWN if share is None else share
