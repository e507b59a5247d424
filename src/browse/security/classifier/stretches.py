"""Choose the parts of a long text to score: the stretches with words that attacks need.

The search is over bytes, which is several times as fast as over characters.
"""

from collections.abc import Sequence

from browse.security.blocks import Block
from browse.security.characters.plain import plain, visible

# A text up to this length is scored whole; of a longer one, this many stretches.
MAX_WEIGHED = 6_000
STRETCH = 400
MAX_STRETCHES = 4
# Text beyond this is not searched; a reply is never that long.
MAX_SEARCHED = 4_000_000
MAX_BLOCKS = 100
# How much is given to models that are slower than ours.
MAX_PROMISING = 4_000
# Parts of words that attacks are made of, in the languages that they come in.
TRIGGERS = [
    word.encode()
    for word in (
        "ignor", "disregard", "forget", "overrid", "instruct", "prompt", "assistant", "chatgpt",
        "language model", " ai ", "ai agent", "system:", "password", "secret", "credential",
        "you are now", "from now on", "pretend", "act as", "respond", "your answer", "summar",
        "reveal", " not tell", " not mention", "the user", "send ", "recommend", "without asking",
        "important", "anweisung", "vergiss", "oublie", "olvida", "istruzion",
        "instruç", "инструкц", "забудь", "指令", "忽略", "指示", "지시",
    )
]  # fmt: skip
_ASCII_TRIGGERS = [word for word in TRIGGERS if word.isascii()]


def fewest(blocks: Sequence[Block]) -> list[tuple[int, Block]]:
    """Choose the blocks to score if there are very many: those with the most triggers."""
    numbered = list(enumerate(blocks))
    if len(numbered) <= MAX_BLOCKS:
        return numbered

    def triggers(item: tuple[int, Block]) -> int:
        search = _bytes(item[1].text[:MAX_WEIGHED]).lower()
        return sum(trigger in search for trigger in TRIGGERS)

    return sorted(numbered, key=triggers, reverse=True)[:MAX_BLOCKS]


def stretches(text: str, limit: int = MAX_WEIGHED) -> list[tuple[int, str]]:
    """Return what to score, each part with the number of lines before it."""
    if len(text) <= limit:
        return [(0, text)] if text.strip() else []
    raw = _bytes(visible(text[:MAX_SEARCHED]))
    search = raw.lower()
    counts: dict[int, int] = {}
    for trigger in _ASCII_TRIGGERS if raw.isascii() else TRIGGERS:
        at = search.find(trigger)
        while at >= 0:
            counts[at // STRETCH] = counts.get(at // STRETCH, 0) + 1
            at = search.find(trigger, (at // STRETCH + 1) * STRETCH)
    best = sorted(counts, key=lambda each: (-counts[each], each))[:MAX_STRETCHES]
    return [
        (raw.count(b"\n", 0, start), raw[start:end].decode("utf-8", "ignore"))
        for start, end in _joined(sorted(best), len(raw))
    ]


def promising(blocks: Sequence[Block]) -> str:
    """Choose the plain words to give to other models, alarming ones first."""
    parts: list[str] = []
    room = MAX_PROMISING
    for block in sorted(blocks, key=lambda block: not block.alarming)[:MAX_BLOCKS]:
        for _, words in stretches(block.text, MAX_PROMISING):
            parts.append(plain(words[:room]))
            room -= len(parts[-1])
            if room <= 0:
                return "\n".join(parts)
    return "\n".join(parts)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _joined(numbers: Sequence[int], length: int) -> list[tuple[int, int]]:
    """Widen stretches by half on either side, and join those that touch."""
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        start = max(0, number * STRETCH - STRETCH // 2)
        end = min(length, (number + 1) * STRETCH + STRETCH // 2)
        if ranges and start <= ranges[-1][1]:
            ranges[-1] = (ranges[-1][0], end)
        else:
            ranges.append((start, end))
    return ranges
