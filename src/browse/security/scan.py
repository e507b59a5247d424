"""Scan page words: blocks in, one verdict out. Pure computation, bounded for any input.

Long texts are not scored whole: the stretches with words that attacks need are found by a search,
and only the most promising of them are scored.
"""

import re
from collections.abc import Iterable, Sequence

import msgspec

from browse.security.blocks import Block, Place
from browse.security.characters.plain import decoded, plain
from browse.security.classifier import features, model
from browse.security.classifier.stretches import MAX_SEARCHED, MAX_WEIGHED, fewest, stretches
from browse.security.combine import LOG_ONLY, Combined, Layer, Signal, combine

MAX_SPANS = 8
QUOTED = 160
# A model that is asked about a window gets this many tokens before and after it too.
AROUND = 12
# How much more likely an attack is in each place than in visible text (log odds).
PRIORS = {Place.HIDDEN: 1.5, Place.ATTRIBUTE: 0.5, Place.ACCESSIBLE: 1.0, Place.META: 0.5}
FOREIGN, BY_USERS = 0.3, 0.3
# Rules that no harmless label or title has a reason to match.
LABELS = frozenset({Place.ATTRIBUTE, Place.ACCESSIBLE})
PHRASES = frozenset({"override", "new_orders", "from_now_on", "conceal", "reveal"})
_PHRASES = frozenset(at for at, name in enumerate(features.RULES) if name in PHRASES)
# Who wrote the words that follow, as a chat names its messages for screen readers. The model takes
# "user's message" for a mark of a prompt.
_SPEAKER = re.compile(
    r"""(^|["'\n] *)(?:user|bot|chatbot|assistant)['\u2019]s message:(?= )""", re.IGNORECASE
)
HIDDEN_CONFIDENCE, ARIA_CONFIDENCE = 0.9, 0.8


class Span(msgspec.Struct, frozen=True):
    """A suspicious stretch: where it was, in which line of its block, and its plain words."""

    block: int
    line: int
    quote: str
    score: float


class Verdict(msgspec.Struct, frozen=True):
    """The result of a scan; `combined` has the decision and the layers, `score` is our model's.

    `passage` holds the words that have that score, with a few around them.
    """

    combined: Combined
    score: float
    spans: tuple[Span, ...]
    passage: str = ""


class _Found(msgspec.Struct, frozen=True):
    score: float
    spans: list[Span]
    phrases: bool
    passage: str


class _Part(msgspec.Struct, frozen=True):
    words: str
    lines_before: int


class Scanner:
    """Scores blocks of words; the weights are read on first use."""

    def rate(self, text: str) -> float:
        """Return how much a text reads like an attack, from 0 to 1, as visible text."""
        return self.scan([Block(text)]).score

    def scan(self, blocks: Sequence[Block], *, also: Iterable[Signal] = ()) -> Verdict:
        """Scan blocks, and combine the result with the signals of other layers."""
        signals = list(also)
        spans: list[Span] = []
        score, passage = 0.0, ""
        for number, block in fewest(blocks):
            found = _weigh(block, number)
            if found.score > score:
                score, passage = found.score, found.passage
            spans += found.spans
            signals += _signals(block, found)
        spans.sort(key=lambda span: -span.score)
        return Verdict(combine(signals), score, tuple(spans[:MAX_SPANS]), passage)


def _signals(block: Block, found: _Found) -> list[Signal]:
    signals = [Signal(Layer.WORDS, found.score)]
    if block.alarming and found.score >= LOG_ONLY:
        signals.append(Signal(Layer.HIDDEN, HIDDEN_CONFIDENCE))
    if found.phrases:
        signals.append(Signal(Layer.ARIA, ARIA_CONFIDENCE))
    return signals


def _weigh(block: Block, number: int) -> _Found:
    text = block.text[:MAX_SEARCHED]
    best = _weigh_parts(
        block, number, [_Part(unlabelled(plain(words)), lines) for lines, words in stretches(text)]
    )
    for at, words in decoded(text):
        part = _Part(unlabelled(plain(words[:MAX_WEIGHED])), text.count("\n", 0, at))
        best = max(best, _weigh_parts(block, number, [part]), key=lambda found: found.score)
    return best


def _weigh_parts(block: Block, number: int, parts: Sequence[_Part]) -> _Found:
    words = "\n".join(part.words for part in parts)
    weights = model.load()
    text = features.tokens(words)
    reading = weights.read(text)
    prior = PRIORS.get(block.place, 0.0) + FOREIGN * block.foreign + BY_USERS * block.by_users
    # Only what people can read may be excused as talk about attacks.
    logit = reading.logit if block.place is Place.VISIBLE else reading.meant
    score = weights.confidence(logit + prior) if text.words else 0.0
    spans: list[Span] = []
    if score >= LOG_ONLY:
        start, quote = cut(text, words, reading.windows[0], around=0)
        quote = " ".join(quote.split())[:QUOTED]
        spans = [Span(number, _line(parts, words, start), quote, score)]
    _, passage = cut(text, words, reading.windows[0], around=AROUND) if text.words else (0, "")
    return _Found(score, spans, block.place in LABELS and _has_phrase(text), passage)


def unlabelled(words: str) -> str:
    """Remove the labels that a chat puts before its messages."""
    return _SPEAKER.sub(r"\1", words)


def cut(
    text: features.TokenizedText, words: str, window: model.Window, *, around: int
) -> tuple[int, str]:
    """Cut a window out of the words, with so many tokens around it: where it starts, and it."""
    start = text.starts[max(0, window.first - around)]
    return start, words[start : _end(text.starts, window.end + around, len(words))]


def _has_phrase(text: features.TokenizedText) -> bool:
    return any(rule in _PHRASES for _, rule in features.rule_hits(text.classes))


def _line(parts: Sequence[_Part], words: str, at: int) -> int:
    """Return the line of an offset in the joined parts."""
    start = 0
    for part in parts:
        end = start + len(part.words) + 1
        if at < end:
            return part.lines_before + words.count("\n", start, at) + 1
        start = end
    return 1


def _end(starts: Sequence[int], token: int, length: int) -> int:
    return starts[token] if token < len(starts) else length
