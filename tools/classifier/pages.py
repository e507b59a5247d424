"""Pages for validation: harmless ones as they are, and the same with one attack planted.

A third of them is longer than what `scan` reads whole, so that its choice of passages counts. Pages
of documents that instruct a model are made in the same way, and forms, mails and questions are
planted like attacks, so that neither length nor a change of subject tells harmless pages.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from tools.classifier.texts import PAGE_CHARS, Text, family, instructs

MAX_HOSTS = 90
# Of a source: harmless texts, attacks.
MAX_PLANTED = (20, 60)
KINDS = ("foreign", "planted")
# A text that is a paragraph, not a page of its own.
PARAGRAPH_CHARS = 900
# Pages are joined until they are as long as one of these.
LENGTHS = (0, 9_000, 18_000)
_SENTENCES = re.compile(r"(?<=[.!?\n])\s+")


def composed(texts: Sequence[Text], dealt: dict[str, int], seed: int = 7) -> list[Text]:
    """Make pages of harmless texts of one fold, and plant short texts of that fold in them."""
    chance = random.Random(seed)  # noqa: S311 - no secret is made here
    shuffled = list(texts)
    chance.shuffle(shuffled)
    hosts = _hosts([text for text in shuffled if not instructs(text)], dealt, chance)
    others = _hosts([text for text in shuffled if instructs(text)], dealt, random.Random(seed))  # noqa: S311
    found = [page for made in (hosts, others) for listed in made.values() for page in listed]
    attacks = [text for text in shuffled if text.label]
    found += _pages_with(attacks, hosts, dealt, chance)
    foreign = [text for text in shuffled if not text.label and not instructs(text)]
    return found + _pages_with(foreign, hosts, dealt, random.Random(seed))  # noqa: S311


def _pages_with(
    texts: Sequence[Text],
    hosts: dict[int, list[Text]],
    dealt: dict[str, int],
    chance: random.Random,
) -> list[Text]:
    """Plant short texts in pages of their fold, one in each."""
    found = []
    planted: Counter[str] = Counter()
    for text in texts:
        pages = hosts[dealt[family(text.source)]]
        short = len(text.text) <= PARAGRAPH_CHARS
        if short and pages and planted[text.source] < MAX_PLANTED[text.label]:
            planted[text.source] += 1
            page = _planted(chance.choice(pages).text, text.text, chance)
            found.append(Text(text.label, text.source, page, KINDS[text.label]))
    return found


def _planted(host: str, attack: str, chance: random.Random) -> str:
    """Put an attack between two sentences; the rest stays as it was, line ends included."""
    places = [0, *(found.end() for found in _SENTENCES.finditer(host)), len(host)]
    at = chance.choice(places)
    return f"{host[:at]}\n{attack}\n{host[at:]}"


def _hosts(
    texts: Sequence[Text], dealt: dict[str, int], chance: random.Random
) -> dict[int, list[Text]]:
    """Join harmless texts of each fold to pages of several lengths; each text is used once."""
    taken: Counter[str] = Counter()
    loose: dict[int, list[Text]] = defaultdict(list)
    for text in texts:
        long = text.label == 0 and len(text.text) >= PAGE_CHARS
        if long and taken[text.source] < MAX_HOSTS:
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
