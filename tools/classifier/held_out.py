"""Score every text with a model that saw nothing of its family of sources.

A family is the first word of a source's name, after a colon if there is one: `site-a`, `site-b` and
`docs:site` are one. What is reported for a source comes from models that saw nothing of its family.
The models are those of `security.classifier`, so what is measured is what is shipped.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from tools.classifier import second_stage
from tools.classifier.fitting import Doc, fit, quantised, read
from tools.classifier.second_stage import Reading
from tools.classifier.texts import Scored, Text, family

from browse.security.characters.plain import plain
from browse.security.classifier import features
from browse.security.classifier.model import Model
from browse.security.classifier.stretches import stretches
from browse.security.scan import AROUND, cut

FOLDS = 6
MAX_A_SOURCE = 300
_SENTENCES = re.compile(r"(?<=[.!?\n])\s+")
# Chosen with whole families held out: what the number of windows, talk about attacks, and the two
# kinds of phrases are worth, and from which share of such talk on phrases count as quoted.
BLEND: dict[str, Any] = {
    "windows": 0.7,
    "quoting": (3.0, 0.9),
    "phrases": 4.0,
    "answer_phrases": 3.0,
    "talk": 0.2,
}


def folds(texts: Sequence[Text]) -> dict[str, int]:
    """Deal the families out, the largest first, those with attacks and those without in turn."""
    sizes = Counter(family(text.source) for text in texts)
    hostile = {family(text.source) for text in texts if text.label}
    dealt: dict[str, int] = {}
    for names in (hostile, sizes.keys() - hostile):
        filled = [0] * FOLDS
        for name in sorted(names, key=lambda name: (-sizes[name], name)):
            dealt[name] = filled.index(min(filled))
            filled[dealt[name]] += sizes[name]
    return dealt


def sampled(rows: Iterable[dict[str, Any]], seed: int = 2) -> list[Text]:
    """Take a bounded number of texts of each source."""
    chance = random.Random(seed)  # noqa: S311 - no secret is made here
    by_source: dict[str, list[Text]] = defaultdict(list)
    for row in rows:
        by_source[row["source"]].append(Text(row["label"], row["source"], row["text"]))
    found = []
    for listed in by_source.values():
        chance.shuffle(listed)
        found += listed[:MAX_A_SOURCE]
    return found


def excerpts(texts: Iterable[Text], seed: int = 9) -> list[Text]:
    """Cut harmless texts short, so that shortness tells nothing."""
    chance = random.Random(seed)  # noqa: S311 - no secret is made here
    found = []
    for text in texts:
        parts = _SENTENCES.split(text.text)
        if text.label == 0 and len(parts) > 4:
            at = chance.randrange(len(parts) - 2)
            words = " ".join(parts[at : at + chance.randint(1, 5)])
            found.append(Text(0, text.source, words[:1_000]))
    return found


def docs(texts: Iterable[Text]) -> list[Doc]:
    """Extract the features of texts, to fit with."""
    return [read(text.label, text.source, text.text) for text in texts]


def fitted(seen: list[Doc]) -> tuple[bytes, bytes, dict[str, Any]]:
    """Fit both models: their tables, and the head of the weights without the confidence."""
    grams, classes = fit(seen, "grams"), fit(seen, "classes")
    (gram_table, gram_scale), (class_table, class_scale) = quantised(grams), quantised(classes)
    head = {
        "scale": {"grams": gram_scale, "classes": class_scale},
        "bias": {"grams": grams.bias, "classes": classes.bias},
        "rules": [round(float(rule), 4) for rule in classes.rules],
        **BLEND,
    }
    return gram_table, class_table, head


def readings(texts: list[Text], pages: list[Text], made: list[Doc]) -> list[list[Reading]]:
    """Read texts and pages by fold, each with a first stage that saw nothing of its family."""
    dealt = folds(texts)
    seen = docs([*texts, *excerpts(texts)])
    found: list[list[Reading]] = []
    for fold in range(FOLDS):
        others = [doc for doc in seen if dealt[family(doc.source)] != fold]
        grams, classes, head = fitted([*others, *made])
        model = Model(memoryview(grams).cast("b"), memoryview(classes).cast("b"), head)
        mine = [text for text in [*texts, *pages] if dealt[family(text.source)] == fold]
        found.append([_reading(model, text) for text in mine])
        print(f"fold {fold + 1} of {FOLDS} done", flush=True)
    return found


def scored(read: list[list[Reading]]) -> Scored:
    """Score what was read, each fold with a second stage that was fitted on the other folds."""
    found: Scored = []
    for fold, mine in enumerate(read):
        others = [each for at, listed in enumerate(read) if at != fold for each in listed]
        stage = second_stage.fit(others)
        found += [(each.text, second_stage.weigh(stage, each)) for each in mine]
    return found


def _reading(model: Model, text: Text) -> Reading:
    """Read a text as `scan` does."""
    chosen = "\n".join(plain(words) for _, words in stretches(text.text))
    found = features.tokens(chosen)
    output = model.read(found)
    passage = cut(found, chosen, output.windows[0], around=AROUND)[1] if found.words else ""
    return Reading(text, max(output.logit, -99.0), output.page, passage)
