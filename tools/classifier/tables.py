"""Tables of recall on held-out sources, with intervals, as docs/security/classifier.md shows them.

An interval is where 95 of 100 repetitions lie if the sources, attacks and harmless ones alike, are
drawn anew each time: texts of one source are alike, so more of them would tell little.
"""

import re
from collections import Counter, defaultdict
from typing import Any

import numpy as np
from tools.classifier.texts import Scored, family, instructs, is_page

RATES = (0.01, 0.02, 0.05)
# The point at which `scan` warns.
AT = RATES.index(0.02)
# A mean over sources leaves out those with fewer attacks.
FEWEST = 6
REPETITIONS = 400
MAX_OF_FAMILY = 100
KEYWORDS = re.compile(
    r"ignore (?:all |any )?(?:the |your )?(?:previous|prior|above)|disregard (?:all|the|any|your)"
    r"|forget (?:everything|all|your)|system prompt|you are now|new instructions?:"
    r"|do not tell the user|jailbreak|developer mode",
    re.IGNORECASE,
)


def tables(scored: Scored) -> list[str]:
    """Tell recall on texts as they are, and on pages with one attack planted."""
    kinds = {
        "Texts as they are": [each for each in scored if each[0].kind == "whole"],
        "Pages with one planted attack, against pages without": [
            each for each in scored if is_page(each[0])
        ],
    }
    lines = ["| | attacks | harmless | 1 % | 2 % | 5 % | all attacks at 2 % | mean at 2 % |"]
    lines.append("| --- | ---: | ---: | ---: | ---: | ---: | --- | --- |")
    for title, mine in kinds.items():
        lines.append(_summary(title, mine))
        easier = [each for each in mine if each[0].label or not instructs(each[0])]
        lines.append(_summary("the same, against harmless texts that instruct no model", easier))
    return [*lines, "", *(line for title, mine in kinds.items() for line in table(mine, title))]


def limits(harmless: Any) -> list[float]:
    """Tell above which sum so many harmless texts are, for each rate."""
    falling = np.sort(harmless)[::-1]
    return [float(falling[int(rate * len(falling))]) for rate in RATES]


def table(scored: Scored, title: str) -> list[str]:
    """Write a table: the share of each source above the limits, and what keywords find."""
    above = limits([sum_ for text, sum_ in scored if text.label == 0])
    by_source: dict[tuple[int, str], Scored] = defaultdict(list)
    for text, sum_ in scored:
        by_source[1 - text.label, text.source].append((text, sum_))
    lines = [f"### {title}", "", "| source | texts | 1 % | 2 % | 5 % | keywords |"]
    lines.append("| --- | ---: | ---: | ---: | ---: | ---: |")
    for (harmless, source), mine in sorted(by_source.items()):
        kind = "harmless" if harmless else "attacks"
        lines.append(f"| {kind}: {source} | {_row(mine, above)} |")
    attacks = [each for each in scored if each[0].label]
    lines.append(f"| **all attacks** | {_row(attacks, above)} |")
    means = " | ".join(f"{mean:.2f}" for mean in _mean_recall(_by_family(scored), above))
    lines.append(f"| **mean over families of attacks** | | {means} | |")
    others = [each for each in scored if not each[0].label]
    lines.append(f"| **all harmless** | {_row(others, above)} |")
    return [*lines, ""]


def balanced_limit(scored: Scored, rate: float) -> float:
    """Tell above which sum so many harmless texts are if no family counts for very much."""
    sizes = Counter(family(text.source) for text, _ in scored if not text.label)
    harmless = [
        (sum_, min(1.0, MAX_OF_FAMILY / sizes[family(text.source)]))
        for text, sum_ in sorted(scored, key=lambda each: -each[1])
        if not text.label
    ]
    room = rate * sum(weight for _, weight in harmless)
    for sum_, weight in harmless:
        room -= weight
        if room < 0:
            return sum_
    return harmless[-1][0]


def _summary(title: str, scored: Scored) -> str:
    above = limits([sum_ for text, sum_ in scored if text.label == 0])
    attacks = np.array([sum_ for text, sum_ in scored if text.label])
    shares = " | ".join(f"{(attacks > limit).mean():.2f}" for limit in above)
    count = len(scored) - len(attacks)
    return f"| {title} | {len(attacks)} | {count} | {shares} | {' | '.join(intervals(scored))} |"


def intervals(scored: Scored, seed: int = 1) -> list[str]:
    """Tell recall at 2 %, of all attacks and as a mean over families, each with its interval."""
    chance = np.random.default_rng(seed)
    sums = _by_family(scored)
    names = {label: [name for kind, name in sums if kind == label] for label in (0, 1)}
    found = [_recalls(sums, names)]
    for _ in range(REPETITIONS):
        drawn = {label: list(chance.choice(names[label], len(names[label]))) for label in (0, 1)}
        found.append(_recalls(sums, drawn))
    low, high = np.percentile(found[1:], (2.5, 97.5), axis=0)
    return [
        f"{measured:.2f} ({low[at]:.2f} to {high[at]:.2f})" for at, measured in enumerate(found[0])
    ]


def _recalls(sums: dict[tuple[int, str], Any], drawn: dict[int, list[str]]) -> tuple[float, float]:
    above = limits(np.concatenate([sums[0, name] for name in drawn[0]]))
    attacks = np.concatenate([sums[1, name] for name in drawn[1]])
    again = {(1, str(at)): sums[1, name] for at, name in enumerate(drawn[1])}
    return float((attacks > above[AT]).mean()), _mean_recall(again, above)[AT]


def _by_family(scored: Scored) -> dict[tuple[int, str], Any]:
    found: dict[tuple[int, str], list[float]] = defaultdict(list)
    for text, sum_ in scored:
        found[text.label, family(text.source)].append(sum_)
    return {key: np.array(sums) for key, sums in found.items()}


def _mean_recall(sums: dict[tuple[int, str], Any], above: list[float]) -> list[float]:
    attacks = [mine for (label, _), mine in sums.items() if label and len(mine) >= FEWEST]
    return [float(np.mean([(mine > limit).mean() for mine in attacks])) for limit in above]


def _row(scored: Scored, above: list[float]) -> str:
    keywords = np.mean([bool(KEYWORDS.search(text.text)) for text, _ in scored])
    shares = [np.mean([sum_ > limit for _, sum_ in scored]) for limit in above]
    return f"{len(scored)} | {' | '.join(f'{share:.2f}' for share in shares)} | {keywords:.2f}"
