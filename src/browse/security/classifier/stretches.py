"""Choose the parts of a long text to score: those with the most kinds of words that attacks need.

A text is cut into cells. A cell counts with the next one, so that no paragraph is missed for lying
across a border. The search is over bytes, which is several times as fast as over characters.
"""

from collections.abc import Sequence
from functools import cache

from browse.security.blocks import Block
from browse.security.characters.plain import plain, visible
from browse.security.classifier.lexicon import CLASS_OF, UNSPACED

# A text up to this length is scored whole; of a longer one, this many stretches.
MAX_WEIGHED = 6_000
CELL = 200
MARGIN = 100
STRETCH = 2 * CELL + 2 * MARGIN
MAX_STRETCHES = 10
# Text beyond this is not searched; a reply is never that long.
MAX_SEARCHED = 4_000_000
MAX_BLOCKS = 100
# How much is given to models that are slower than ours.
MAX_PROMISING = 4_000
# How much more often an attack has a word of a class than a harmless text of the same length (log
# odds, rounded). A class that is not here tells nothing.
WORTH = {
    "O": 16, "i": 13, "w": 12, "n": 12, "J": 11, "P": 10, "T": 9, "L": 9, "y": 9, "S": 9, "W": 8,
    "E": 8, "C": 7, "I": 7, "N": 7, "Y": 7, "U": 7, "M": 7, "R": 6, "A": 6, "b": 5, "t": 5, "p": 5,
    "Q": 4, "v": 4, "V": 4, "o": 3, "a": 3, "h": 3, "e": 3, "l": 2, "r": 2, "B": 2, "s": 2,
    "@": 10, "!": 9,
}  # fmt: skip
_LETTERS = bytes(range(97, 123)) + b"'" + bytes(range(128, 256))
_WORDS_ONLY = bytes(
    byte + 32 if 65 <= byte <= 90 else byte if byte in _LETTERS else 32 for byte in range(256)
)


@cache
def _classes() -> dict[bytes, str]:
    return {word.encode(): letter for word, letter in CLASS_OF.items() if letter in WORTH}


@cache
def _within_words() -> dict[bytes, str]:
    """List what is found without spaces around it, each with its class."""
    return {b"@": "@", b"!": "!", **{word.encode(): CLASS_OF[word] for word in UNSPACED}}


def fewest(blocks: Sequence[Block]) -> list[tuple[int, Block]]:
    """Choose the blocks to score if there are very many: those with the most kinds of words."""
    numbered = list(enumerate(blocks))
    if len(numbered) <= MAX_BLOCKS:
        return numbered

    def worth(item: tuple[int, Block]) -> int:
        return max(_pairs(_cells(_bytes(item[1].text[:MAX_WEIGHED]))), default=0)

    return sorted(numbered, key=worth, reverse=True)[:MAX_BLOCKS]


def stretches(
    text: str, limit: int = MAX_WEIGHED, most: int = MAX_STRETCHES
) -> list[tuple[int, str]]:
    """Return what to score, each part with the number of lines before it."""
    if len(text) <= limit:
        return [(0, text)] if text.strip() else []
    raw = _bytes(visible(text[:MAX_SEARCHED]))
    worths = _pairs(_cells(raw))
    best: set[int] = set()
    for at in sorted(range(len(worths)), key=lambda at: (-worths[at], at)):
        if len(best) == most or not worths[at]:
            break
        if not {at - 1, at + 1} & best:
            best.add(at)
    return [
        (raw.count(b"\n", 0, start), raw[start:end].decode("utf-8", "ignore"))
        for start, end in _joined(sorted(best), len(raw))
    ]


def promising(blocks: Sequence[Block]) -> str:
    """Choose the plain words to give to other models, alarming ones first."""
    parts: list[str] = []
    room = MAX_PROMISING
    for block in sorted(blocks, key=lambda block: not block.alarming)[:MAX_BLOCKS]:
        for _, words in stretches(block.text, MAX_PROMISING, MAX_PROMISING // STRETCH):
            parts.append(plain(words[:room]))
            room -= len(parts[-1])
            if room <= 0:
                return "\n".join(parts)
    return "\n".join(parts)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _cells(raw: bytes) -> list[set[str | None]]:
    """List the classes and signs in each cell; a word belongs to the cell that it begins in."""
    words, known = raw.translate(_WORDS_ONLY), _classes().get
    within = [(each, letter) for each, letter in _within_words().items() if each in raw]
    found = []
    start = 0
    for border in range(CELL, len(raw) + CELL, CELL):
        end = words.find(b" ", max(border, start), border + CELL)
        end = border if end < 0 else end
        here: set[str | None] = {*map(known, words[start:end].split())}
        cell = raw[start:end]
        here.update([letter for each, letter in within if each in cell])
        found.append(here)
        start = end
    return found


def _pairs(cells: Sequence[set[str | None]]) -> list[int]:
    worth = WORTH.get
    return [
        sum([worth(each or "", 0) for each in here | after])
        for here, after in zip(cells, [*cells[1:], set()], strict=False)
    ]


def _joined(numbers: Sequence[int], length: int) -> list[tuple[int, int]]:
    """Take each cell with the next one and a margin, and join those that touch."""
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        start = max(0, number * CELL - MARGIN)
        end = min(length, (number + 2) * CELL + MARGIN)
        if ranges and start <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], end)
        else:
            ranges.append((start, end))
    return ranges
