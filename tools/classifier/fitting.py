"""Fitting the two linear models: one over words and letters, one over classes and rules.

Both are logistic regressions over windows. A long attack is mostly harmless words, so its windows
count only after a first round has told which of them look worst (several harmless windows that
look bad are added in the same round).
"""

import math
import random
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from browse.security.characters.plain import plain
from browse.security.classifier import features
from browse.security.classifier.model import SHORT, spans
from browse.security.classifier.phrases import phrase_count

MAX_CHARS = 8_000
COLUMNS = 1 << features.BITS
RULES = len(features.RULES)
# Short attacks are taken whole.
WHOLE = 48
# The share of a source in its label grows more slowly than its size.
BALANCE = 0.35
SYNTHETIC_SHARE = 0.6
STRENGTH = {"grams": 0.2, "classes": 1.0}
GRAM_VALUE, CLASS_VALUE, RULE_VALUE = 0.8, 1.0, 2.0
Item = tuple["Doc", int, int]


@dataclass(slots=True, eq=False)
class Doc:
    """A text as both models see it: features by token, laid end to end, and rule hits."""

    label: int
    source: str
    kind: str
    text: str
    length: int
    grams: Any
    grams_until: list[int]
    classes: Any
    classes_until: list[int]
    hits: list[tuple[int, int]]
    letters: str
    phrases: int


def read(label: int, source: str, text: str, kind: str = "whole") -> Doc:
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
        label, source, kind, text, len(found.words),
        np.array(grams, np.int32), until,
        np.array([features.bucket(name) for _, name in classes], np.int32), class_until,
        features.rule_hits(found.classes), found.classes, phrase_count(found.words),
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
        found = [
            (sums[end] - sums[first]) / math.sqrt(max(end - first, SHORT))
            + sum(self.rules[rule] for rule in rules_in(doc, first, end))
            for first, end in spans(doc.length)
        ]
        return self.bias + np.array(found)


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
        worst = np.argsort(-part.logits(doc))[: 3 if doc.label else 2]
        items += [(doc, *places[at]) for at in worst]
    return _fit_once(items, which)


def _fit_once(items: list[Item], which: str) -> Part:
    labels = np.array([doc.label for doc, _, _ in items])
    model = LogisticRegression(C=STRENGTH[which], max_iter=40, tol=2e-3)
    model.fit(_matrix(items, which), labels, sample_weight=_shares(items))
    weights = model.coef_[0]
    value = GRAM_VALUE if which == "grams" else CLASS_VALUE
    return Part(
        which, weights[:COLUMNS] * value, weights[COLUMNS:] * RULE_VALUE, float(model.intercept_[0])
    )


def _features(doc: Doc, which: str) -> tuple[Any, list[int]]:
    if which == "grams":
        return doc.grams, doc.grams_until
    return doc.classes, doc.classes_until


def rules_in(doc: Doc, first: int, end: int) -> set[int]:
    """List the rules that hold in a window."""
    found = doc.hits[bisect_left(doc.hits, (first, -1)) : bisect_left(doc.hits, (end, -1))]
    return {rule for _, rule in found}


def _matrix(items: list[Item], which: str) -> Any:
    columns, values, until = [], [], [0]
    value = GRAM_VALUE if which == "grams" else CLASS_VALUE
    for doc, first, end in items:
        held, ends = _features(doc, which)
        mine = held[ends[first] : ends[end]]
        rules = [] if which == "grams" else sorted(rules_in(doc, first, end))
        columns += [mine, np.array(rules, np.int32) + COLUMNS]
        share = value / math.sqrt(max(end - first, SHORT))
        values += [np.full(len(mine), share), np.full(len(rules), RULE_VALUE)]
        until.append(until[-1] + len(mine) + len(rules))
    shape = (len(items), COLUMNS + RULES)
    found = csr_matrix((np.concatenate(values), np.concatenate(columns), until), shape=shape)
    found.sum_duplicates()
    return found


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
