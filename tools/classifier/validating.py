"""Validation by holding whole families of sources out, attacks and harmless ones alike.

A family is what the first word of a source's name tells (`site-a` and `site-b` are one). What is
reported for a source comes from models that saw nothing of its family.
"""

import math
import random
import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np
from tools.classifier.fitting import Doc, fit, read

from browse.security.classifier import features
from browse.security.classifier.model import (
    MAX_PHRASES,
    near_about_attacks,
    share_about_attacks,
    spans,
)

FOLDS = 5
RATES = (0.01, 0.02, 0.05)
MAX_A_SOURCE = 300
PLANTED_CHARS = 900
PAGE_CHARS = 1_500
_FAMILY = re.compile(r"(?:\w+:)?([A-Za-z]+)")
_SENTENCES = re.compile(r"(?<=[.!?\n])\s+")
KEYWORDS = re.compile(
    r"ignore (?:all |any )?(?:the |your )?(?:previous|prior|above)|disregard (?:all|the|any|your)"
    r"|forget (?:everything|all|your)|system prompt|you are now|new instructions?:"
    r"|do not tell the user|jailbreak|developer mode",
    re.IGNORECASE,
)


def family(source: str) -> str:
    """Name the family of a source."""
    found = _FAMILY.match(source)
    return found[1] if found else source


def folds(docs: Iterable[Doc]) -> dict[str, int]:
    """Deal the families out, those with attacks and those without in turn."""
    attacks: dict[str, bool] = defaultdict(bool)
    for doc in docs:
        attacks[family(doc.source)] |= bool(doc.label)
    dealt: dict[str, int] = {}
    for kind in (True, False):
        names = sorted(name for name, attacking in attacks.items() if attacking is kind)
        dealt |= {name: at % FOLDS for at, name in enumerate(names)}
    return dealt


def sampled(rows: list[dict[str, Any]], seed: int = 2) -> list[Doc]:
    """Read a bounded number of texts of each source."""
    chance = random.Random(seed)  # noqa: S311 - no secret is made here
    by_source: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_source[row["source"]].append(row)
    docs = []
    for listed in by_source.values():
        chance.shuffle(listed)
        docs += [read(row["label"], row["source"], row["text"]) for row in listed[:MAX_A_SOURCE]]
    return docs


def composed(docs: list[Doc], dealt: dict[str, int], seed: int = 7) -> list[Doc]:
    """Plant short attacks into harmless pages of the same fold."""
    chance = random.Random(seed)  # noqa: S311 - no secret is made here
    pages: dict[int, list[Doc]] = defaultdict(list)
    for doc in docs:
        # A page about attacks excuses what it quotes, on purpose, so nothing is planted there.
        quotes = 40 * doc.letters.count("Z") >= BLEND["talk"] * (doc.length + 40)
        if doc.label == 0 and len(doc.text) >= PAGE_CHARS and not quotes:
            pages[dealt[family(doc.source)]].append(doc)
    planted = []
    for doc in docs:
        hosts = pages[dealt[family(doc.source)]]
        if doc.label and len(doc.text) <= PLANTED_CHARS and hosts:
            parts = _SENTENCES.split(chance.choice(hosts).text[:6_000])
            parts.insert(chance.randrange(len(parts) + 1), f"\n{doc.text}\n")
            planted.append(read(1, doc.source, " ".join(parts), "planted"))
    return planted


def excerpts(docs: list[Doc], seed: int = 9) -> list[Doc]:
    """Cut harmless texts short, so that shortness tells nothing."""
    chance = random.Random(seed)  # noqa: S311 - no secret is made here
    found = []
    for doc in docs:
        parts = _SENTENCES.split(doc.text)
        if doc.label == 0 and len(parts) > 4:
            at = chance.randrange(len(parts) - 2)
            text = " ".join(parts[at : at + chance.randint(1, 5)])
            found.append(read(0, doc.source, text[:1_000], "excerpt"))
    return found


class Fitted:
    """Both models, and how a text's windows become one sum, as `security.classifier.model`."""

    def __init__(self, docs: list[Doc]) -> None:
        self.grams, self.classes = fit(docs, "grams"), fit(docs, "classes")

    def logit(self, doc: Doc) -> float:
        """Weigh a text."""
        if not doc.length:
            return -99.0
        windows = np.maximum(self.grams.logits(doc), self.classes.logits(doc))
        first, end = spans(doc.length)[int(windows.argmax())]
        share = share_about_attacks(doc.letters)
        near = near_about_attacks(doc.letters, first, end)
        bonus = BLEND["phrases"] * min(sum(it for _, it in features.phrase_hits(doc.letters)), 2.0)
        bonus += BLEND["sayings"] * min(doc.phrases, MAX_PHRASES)
        return float(
            windows.max()
            - BLEND["windows"] * math.log(len(windows))
            - BLEND["quoting"][0] * share
            - BLEND["quoting"][1] * near
            + (bonus if share < BLEND["talk"] else 0)
        )


# Chosen with whole families held out: what the number of windows, talk about attacks, phrases and
# sayings are worth, and from which share of such talk on phrases and sayings count as quoted.
BLEND: dict[str, Any] = {
    "windows": 0.6,
    "quoting": (3.0, 0.9),
    "phrases": 4.0,
    "sayings": 3.0,
    "talk": 0.2,
}
Scored = list[tuple[Doc, float]]


def held_out(rows: list[dict[str, Any]], made: list[Doc]) -> Scored:
    """Score every text with models that saw nothing of its family."""
    docs = sampled(rows)
    dealt = folds(docs)
    cut, planted = excerpts(docs), composed(docs, dealt)
    found: Scored = []
    for fold in range(FOLDS):
        seen = [doc for doc in [*docs, *cut] if dealt[family(doc.source)] != fold]
        fitted = Fitted([*seen, *made])
        unseen = [doc for doc in [*docs, *planted] if dealt[family(doc.source)] == fold]
        found += [(doc, fitted.logit(doc)) for doc in unseen]
        print(f"fold {fold + 1} of {FOLDS} done", flush=True)
    return found


def limits(scored: Scored) -> list[float]:
    """Tell above which sum so many harmless texts are, for each rate."""
    harmless = sorted((sum_ for doc, sum_ in scored if doc.label == 0), reverse=True)
    return [harmless[int(rate * len(harmless))] for rate in RATES]


def table(scored: Scored, title: str) -> list[str]:
    """Write a table: the share of each source above the limits, and what keywords find."""
    above = limits(scored)
    by_source: dict[tuple[int, str], list[tuple[Doc, float]]] = defaultdict(list)
    for doc, sum_ in scored:
        by_source[1 - doc.label, doc.source].append((doc, sum_))
    lines = [f"### {title}", "", "| source | texts | 1 % | 2 % | 5 % | keywords |"]
    lines.append("| --- | ---: | ---: | ---: | ---: | ---: |")
    for (harmless, source), mine in sorted(by_source.items()):
        kind = "harmless" if harmless else "attacks"
        lines.append(f"| {kind}: {source} | {_row(mine, above)} |")
    attacks = [each for each in scored if each[0].label]
    lines.append(f"| **all attacks** | {_row(attacks, above)} |")
    rows = [_shares_above(mine, above) for (harmless, _), mine in by_source.items() if not harmless]
    means = " | ".join(f"{np.mean([row[at] for row in rows]):.2f}" for at in range(len(RATES)))
    lines.append(f"| **mean over attack sources** | | {means} | |")
    others = [each for each in scored if not each[0].label]
    lines.append(f"| **all harmless** | {_row(others, above)} |")
    return [*lines, ""]


def _shares_above(scored: Scored, above: list[float]) -> list[float]:
    return [float(np.mean([sum_ > limit for _, sum_ in scored])) for limit in above]


def _row(scored: Scored, above: list[float]) -> str:
    keywords = np.mean([bool(KEYWORDS.search(doc.text)) for doc, _ in scored])
    shares = " | ".join(f"{share:.2f}" for share in _shares_above(scored, above))
    return f"{len(scored)} | {shares} | {keywords:.2f}"
