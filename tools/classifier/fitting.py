"""Fitting the two linear models: one over words and letters, one over classes and rules.

Both are logistic regressions over windows. A long attack is mostly harmless words, so its windows
count only after a first round has told which of them look worst. The harmless windows that look
worst are added in the same round: a long page is judged by its worst window.
"""

import math
import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from browse.security.characters.plain import plain
from browse.security.classifier import features
from browse.security.classifier.model import SHORT, spans

MAX_CHARS = 8_000
COLUMNS = 1 << features.BITS
RULES = len(features.RULES)
# Short attacks are taken whole.
WHOLE = 48
# How many of a text's worst windows the second round adds: of harmless texts, of attacks.
WORST = (4, 3)
# The share of a source in its label grows more slowly than its size.
BALANCE = 0.35
SYNTHETIC_SHARE = 0.6
STRENGTH = {"grams": 0.2, "classes": 1.0}
# Weights beyond this share of the largest few are cut, so that the rest keep their differences.
KEPT = 99.95
GRAM_VALUE, CLASS_VALUE, RULE_VALUE = 0.8, 1.0, 2.0
Item = tuple["Doc", int, int]


@dataclass(slots=True, eq=False)
class Doc:
    """A text as both models see it: features by token, laid end to end, and rule hits."""

    label: int
    source: str
    length: int
    grams: Any
    grams_until: list[int]
    classes: Any
    classes_until: list[int]
    hits: list[tuple[int, int]]


def read(label: int, source: str, text: str) -> Doc:
    """Extract the features of a text."""
    found = features.tokens(plain(text[:MAX_CHARS]))
    grams: list[int] = []
    until = [0]
    last = before = ""
    for word in found.words:
        if not features.is_sign(word):
            grams += features.of_word(word)
            if last:
                grams.append(features.bucket(f"{last} {word}"))
            if before:
                grams.append(features.bucket(f"{before} {last} {word}"))
            before, last = last, word
        until.append(len(grams))
    classes = list(features.of_classes(found.classes))
    ends = Counter(at for at, _ in classes)
    class_until = [0]
    for at in range(len(found.words)):
        class_until.append(class_until[-1] + ends[at])
    return Doc(
        label, source, len(found.words),
        np.array(grams, np.int32), until,
        np.array([features.bucket(name) for _, name in classes], np.int32), class_until,
        features.rule_hits(found.classes),
    )  # fmt: skip


@dataclass(slots=True)
class Part:
    """A fitted model: a weight for each bucket and for each rule, and what it starts from."""

    which: str
    table: Any
    rules: Any
    bias: float

    def logits(self, doc: Doc) -> Any:
        """Weigh each window of a text."""
        held, until = _features(doc, self.which)
        sums = np.concatenate([[0.0], np.cumsum(self.table[held])])[until]
        first, end = np.array(spans(doc.length)).T
        found = (sums[end] - sums[first]) / np.sqrt(np.maximum(end - first, SHORT))
        if len(self.rules):
            found = found + hit_in(doc.hits, RULES, doc.length, first, end) @ self.rules
        return self.bias + found


def fit(docs: list[Doc], which: str, seed: int = 0) -> Part:
    """Fit one of the two models in two rounds."""
    chance = random.Random(seed)  # noqa: S311 - no secret is made here
    items: list[Item] = []
    for doc in docs:
        if doc.length >= 3 and (doc.label == 0 or doc.length <= WHOLE):
            places = spans(doc.length)
            chance.shuffle(places)
            items += [(doc, *place) for place in (places[:6] if doc.label == 0 else places)]
    part = _fit_once(items, which)
    for doc in docs:
        if doc.length < 3 or (doc.label and doc.length <= WHOLE):
            continue
        places = spans(doc.length)
        worst = np.argsort(-part.logits(doc))[: WORST[doc.label]]
        items += [(doc, *places[at]) for at in worst]
    return _fit_once(items, which)


def _fit_once(items: list[Item], which: str) -> Part:
    labels = np.array([doc.label for doc, _, _ in items])
    model = LogisticRegression(C=STRENGTH[which], max_iter=40, tol=2e-3)
    model.fit(_matrix(items, which), labels, sample_weight=_shares(items))
    weights = model.coef_[0]
    value = GRAM_VALUE if which == "grams" else CLASS_VALUE
    rules = weights[COLUMNS:] * RULE_VALUE if which == "classes" else np.empty(0)
    return Part(which, weights[:COLUMNS] * value, rules, float(model.intercept_[0]))


def _features(doc: Doc, which: str) -> tuple[Any, list[int]]:
    if which == "grams":
        return doc.grams, doc.grams_until
    return doc.classes, doc.classes_until


def hit_in(hits: list[tuple[int, int]], kinds: int, length: int, first: Any, end: Any) -> Any:
    """Tell for each window which kinds of hits end in it."""
    until: Any = np.zeros((length + 1, kinds), np.int32)
    for at, kind in hits:
        until[at + 1, kind] += 1
    until = until.cumsum(0)
    return until[end] > until[first]


def _matrix(items: list[Item], which: str) -> Any:
    columns, values, until = [], [], [0]
    value = GRAM_VALUE if which == "grams" else CLASS_VALUE
    for doc, first, end in items:
        held, ends = _features(doc, which)
        mine = held[ends[first] : ends[end]]
        rules = [] if which == "grams" else sorted(features.within(doc.hits, first, end))
        columns += [mine, np.array(rules, np.int32) + COLUMNS]
        share = value / math.sqrt(max(end - first, SHORT))
        values += [np.full(len(mine), share), np.full(len(rules), RULE_VALUE)]
        until.append(until[-1] + len(mine) + len(rules))
    shape = (len(items), COLUMNS + RULES)
    found = csr_matrix((np.concatenate(values), np.concatenate(columns), until), shape=shape)
    found.sum_duplicates()
    return found


def quantised(part: Part) -> tuple[bytes, float]:
    """Squeeze weights into a byte each."""
    present = np.abs(part.table[part.table != 0])
    scale = float(np.percentile(present, KEPT)) / 127
    return np.clip(np.rint(part.table / scale), -127, 127).astype(np.int8).tobytes(), scale


def _shares(items: list[Item]) -> Any:
    """Give labels the same weight, and within a label no source much more than another."""
    sizes = Counter((doc.label, doc.source) for doc, _, _ in items)
    wanted = {
        key: size**BALANCE * (SYNTHETIC_SHARE if key[1].startswith("synthetic:") else 1)
        for key, size in sizes.items()
    }
    totals = {label: sum(wanted[key] for key in wanted if key[0] == label) for label in (0, 1)}
    each = {key: wanted[key] / sizes[key] / totals[key[0]] for key in sizes}
    return np.array([each[doc.label, doc.source] for doc, _, _ in items]) * len(items) / 2
