"""Pages for validation: harmless ones as they are, and the same with one attack planted.

A third of them is longer than what `scan` reads whole, so that its choice of passages counts.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from tools.classifier.held_out import Text, family

PAGE_CHARS = 1_500
MAX_HOSTS, MAX_PLANTED = 90, 60
# An attack that is a paragraph, not a page of its own.
PARAGRAPH_CHARS = 900
# Pages are joined until they are as long as one of these.
LENGTHS = (0, 9_000, 18_000)
# Prompts, documentation for agents, and documentation of tools against injection: harmless, and yet
# they instruct a model or quote such instructions. Nothing is planted there.
INSTRUCTING = ("agent-docs", "awesome-chatgpt", "notinject", "security-docs", "wildguard")
_SENTENCES = re.compile(r"(?<=[.!?\n])\s+")


def composed(texts: Sequence[Text], dealt: dict[str, int], seed: int = 7) -> list[Text]:
    """Make pages of harmless texts of one fold, and plant short attacks of that fold in them."""
    chance = random.Random(seed)  # noqa: S311 - no secret is made here
    shuffled = list(texts)
    chance.shuffle(shuffled)
    hosts = _hosts(shuffled, dealt, chance)
    found = [page for listed in hosts.values() for page in listed]
    planted: Counter[str] = Counter()
    for text in shuffled:
        pages = hosts[dealt[family(text.source)]]
        short = text.label and len(text.text) <= PARAGRAPH_CHARS
        if short and pages and planted[text.source] < MAX_PLANTED:
            planted[text.source] += 1
            parts = _SENTENCES.split(chance.choice(pages).text)
            parts.insert(chance.randrange(len(parts) + 1), f"\n{text.text}\n")
            found.append(Text(1, text.source, " ".join(parts), "planted"))
    return found


def _hosts(
    texts: Sequence[Text], dealt: dict[str, int], chance: random.Random
) -> dict[int, list[Text]]:
    """Join harmless texts of each fold to pages of several lengths; each text is used once."""
    taken: Counter[str] = Counter()
    loose: dict[int, list[Text]] = defaultdict(list)
    for text in texts:
        long = text.label == 0 and len(text.text) >= PAGE_CHARS
        if long and taken[text.source] < MAX_HOSTS and not text.source.startswith(INSTRUCTING):
            taken[text.source] += 1
            loose[dealt[family(text.source)]].append(text)
    hosts: dict[int, list[Text]] = defaultdict(list)
    for fold, listed in loose.items():
        while listed:
            first = listed.pop()
            words, wanted = first.text, chance.choice(LENGTHS)
            while listed and len(words) < wanted:
                words += f"\n\n{listed.pop().text}"
            hosts[fold].append(Text(0, first.source, words, "page"))
    return hosts
