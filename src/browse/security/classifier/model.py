"""Our own classifier of page words: two linear models over windows of a text, in plain Python.

One scores words, their letters and their neighbours, the other the classes of words and the rules
that match; the score is a mixture of both. Phrases that harmless pages only quote, and those of
`phrases.py`, raise the score of the window that they are in; text about attacks lowers it. In a
long text a second stage compares the worst window with the rest (`standing_out.py`). The weights
are in `weights.bin`, made by `tools/train_classifier.py`, and are read on first use.
docs/security/classifier.md says what the model detects and what not.
"""

import json
import math
import zlib
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate
from operator import mul
from pathlib import Path
from typing import Any

import msgspec

from browse.security.classifier import features
from browse.security.classifier.features import TokenizedText
from browse.security.classifier.phrases import answer_phrase_hits
from browse.security.classifier.standing_out import Scores, compared

WEIGHTS = Path(__file__).with_name("weights.bin")
MAGIC = b"browse words 3\n"
# Windows of two sizes, in tokens, each with the step from one to the next.
SIZES = ((20, 10), (48, 16))
# How much of a window's score comes from the words, the rest from the classes.
BY_WORDS = 0.65
# A window of fewer tokens is scored as if it had this many.
SHORT = 12
MAX_CACHED_WORDS = 20_000
# Words about attacks within this many tokens of a window mean that it is a quotation.
NEAR = 60
# In a text of no more tokens than this, one word about attacks excuses nothing.
BRIEF = 80
MAX_PHRASES, MAX_ANSWER_PHRASES = 2.0, 2
PHRASE_WORTH = [worth for worth, _ in features.PHRASES.values()]


class Window(msgspec.Struct, frozen=True):
    """A stretch of tokens, and how much it reads like an attack (log odds).

    `meant` is that without regard to quotation: where a page talks about attacks in words that a
    person can see, `logit` is lower. `base` is without phrases.
    """

    first: int
    end: int
    logit: float
    meant: float
    base: float


class ModelOutput(msgspec.Struct, frozen=True):
    """The model's result for a text: its windows, worst first, and what the worst comes to.

    `page` is what the second stage weighs in a long text: how its worst window stands out.
    """

    windows: list[Window]
    logit: float
    meant: float
    page: list[float] | None = None


def spans(count: int) -> list[tuple[int, int]]:
    """Return the windows over a number of tokens."""
    found: set[tuple[int, int]] = set()
    for size, step in SIZES:
        found.update((at, at + size) for at in range(0, count - size + 1, step))
        found.add((max(0, count - size), count))
    return sorted(found)


class Model:
    """The weights, and the numbers that turn them into one verdict."""

    def __init__(self, grams: memoryview, classes: memoryview, head: Mapping[str, Any]) -> None:
        self._grams = grams
        self._classes = classes
        self._head = head
        self._of_word: dict[str, float] = {}
        self._of_class: dict[str, float] = {}

    def read(self, text: TokenizedText) -> ModelOutput:
        """Score a text that is plain already (`plain.plain`)."""
        if not text.words:
            return ModelOutput([], -math.inf, -math.inf)
        share = share_about_attacks(text.classes)
        windows = list(self._windows(text, share))
        # The highest of many scores is higher than that of few, in harmless texts as well.
        many = self._head["windows"] * math.log(len(windows))
        worst = max(range(len(windows)), key=lambda at: windows[at].logit)
        logit = windows[worst].logit - many - self._head["quoting"][0] * share
        page = _page(text, windows, worst, (logit, share))
        if page and "page" in self._head:
            bias, *weights = self._head["page"]
            logit = bias + sum(map(mul, weights, page))
        windows.sort(key=lambda each: -each.meant)
        return ModelOutput(windows, logit, windows[0].meant - many, page)

    def confidence(self, logit: float) -> float:
        """Turn a sum into a confidence from 0 to 1."""
        odds = log_odds(self._head["confidence"], logit)
        return 1 / (1 + math.exp(-max(-500.0, min(500.0, odds))))

    def _windows(self, text: TokenizedText, share: float) -> Iterator[Window]:
        nearby = self._head["quoting"][1]
        phrases, said = features.phrase_hits(text.classes), answer_phrase_hits(text.words)
        for first, end, base in self._weighed(text):
            bonus = self._bonus(
                features.within(phrases, first, end), features.within(said, first, end)
            )
            near = nearby * near_about_attacks(text.classes, first, end)
            heard = base - near + (bonus if share < self._head["talk"] else 0.0)
            yield Window(first, end, heard, base + bonus, base)

    def _weighed(self, text: TokenizedText) -> Iterator[tuple[int, int, float]]:
        """Weigh each window by both tables."""
        grams = [0.0, *accumulate(self._gram_weights(text))]
        classes = [0.0, *accumulate(self._class_weights(text))]
        hits = features.rule_hits(text.classes)
        rules, bias = self._head["rules"], self._head["bias"]
        for first, end in spans(len(text.words)):
            share = 1 / math.sqrt(max(end - first, SHORT))
            by_words = bias["grams"] + (grams[end] - grams[first]) * share
            by_classes = bias["classes"] + (classes[end] - classes[first]) * share
            by_classes += sum([rules[rule] for rule in features.within(hits, first, end)])
            yield first, end, BY_WORDS * by_words + (1 - BY_WORDS) * by_classes

    def _gram_weights(self, text: TokenizedText) -> list[float]:
        found = [0.0] * len(text.words)
        table, scale = self._grams, self._head["scale"]["grams"]
        last = before = ""
        for at, word in enumerate(text.words):
            if features.is_sign(word):
                continue
            weight = self._word(word)
            if last:
                weight += table[features.bucket(f"{last} {word}")] * scale
            if before:
                weight += table[features.bucket(f"{before} {last} {word}")] * scale
            found[at] = weight
            before, last = last, word
        return found

    def _class_weights(self, text: TokenizedText) -> list[float]:
        found = [0.0] * len(text.words)
        for at, feature in features.of_classes(text.classes):
            weight = self._of_class.get(feature)
            if weight is None:  # there are not many: pairs and triples of letters
                weight = self._classes[features.bucket(feature)] * self._head["scale"]["classes"]
                self._of_class[feature] = weight
            found[at] += weight
        return found

    def _word(self, word: str) -> float:
        weight = self._of_word.get(word)
        if weight is None:
            if len(self._of_word) >= MAX_CACHED_WORDS:
                self._of_word.clear()
            weight = sum([self._grams[at] for at in features.of_word(word)])
            weight *= self._head["scale"]["grams"]
            self._of_word[word] = weight
        return weight

    def _bonus(self, phrases: set[int], said: set[int]) -> float:
        worth = min(sum([PHRASE_WORTH[each] for each in phrases]), MAX_PHRASES)
        return float(
            self._head["phrases"] * worth
            + self._head["answer_phrases"] * min(len(said), MAX_ANSWER_PHRASES)
        )


def _page(
    text: TokenizedText, windows: Sequence[Window], worst: int, known: tuple[float, float]
) -> list[float] | None:
    scores = Scores([(it.first, it.end) for it in windows], [it.base for it in windows])
    found = compared(text, scores, worst)
    return None if found is None else [*known, *found]


def log_odds(points: Sequence[tuple[float, float]], logit: float) -> float:
    """Turn a sum into the log odds of a confidence, by straight lines through known points."""
    at = bisect_left([sum_ for sum_, _ in points[1:-1]], logit)
    (low, low_odds), (high, high_odds) = points[at : at + 2]
    return low_odds + (high_odds - low_odds) * (logit - low) / (high - low)


def share_about_attacks(classes: str) -> float:
    """Return how much of a text is talk about attacks."""
    return min(40 * _about_attacks(classes, 0, len(classes)) / (len(classes) + 40), 2.5)


def near_about_attacks(classes: str, first: int, end: int) -> float:
    """Return how much talk about attacks there is around a window."""
    return min(_about_attacks(classes, max(0, first - NEAR), end + NEAR), 6) / 2


def _about_attacks(classes: str, first: int, end: int) -> int:
    return max(0, classes.count("Z", first, end) - (len(classes) <= BRIEF))


@cache
def load(path: Path = WEIGHTS) -> Model:
    """Read the weights; they are part of the package, so a defect in them is a bug."""
    raw = path.read_bytes()
    if not raw.startswith(MAGIC):
        raise ValueError(f"{path} holds no weights of this version")
    head, _, tables = zlib.decompress(raw[len(MAGIC) :]).partition(b"\n")
    both = memoryview(tables).cast("b")
    half = len(both) // 2
    return Model(both[:half], both[half:], json.loads(head))


def pack(grams: bytes, classes: bytes, head: Mapping[str, Any]) -> bytes:
    """Write weights as `load` reads them."""
    return MAGIC + zlib.compress(json.dumps(head).encode() + b"\n" + grams + classes, 9)
