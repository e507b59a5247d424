"""Train the classifier of page words, or tell how well it does on sources that it has not seen.

The data is a file of JSON objects, one a line: `label` (1 attack, 0 harmless), `source`, `text`.
Needs numpy, scipy and scikit-learn, which browse itself does not; docs/security/classifier.md
shows how to make an environment for it.
"""

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

import numpy as np  # noqa: E402
from tools.classifier import beside, validating  # noqa: E402
from tools.classifier.fitting import Doc, Part, read  # noqa: E402
from tools.classifier.synthetic import made  # noqa: E402

from browse.security.classifier.features import RULES  # noqa: E402
from browse.security.classifier.model import WEIGHTS, pack  # noqa: E402
from browse.sidecar.models import load  # noqa: E402

EACH = 90
# Weights beyond this share of the largest few are cut, so that the rest keep their differences.
KEPT = 99.95
# Harmless pages that may reach 0.40 and 0.75 of confidence.
LOGGED, WARNED = 0.05, 0.01
PLANTED_INTO = 1_500


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the labelled texts, as JSON lines")
    parser.add_argument(
        "--validate", action="store_true", help="print tables for held-out sources; write nothing"
    )
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="where the weights go")
    parser.add_argument(
        "--without", action="append", default=[], metavar="SOURCE", help="leave a source out"
    )
    parser.add_argument(
        "--defender", type=int, metavar="N", help="also ask stackone-defender about N texts"
    )
    given = parser.parse_args()
    rows = [json.loads(line) for line in given.data.read_bytes().splitlines()]
    rows = [row for row in rows if row["source"] not in given.without]
    synthetic = [read(label, source, text) for label, source, text in made(EACH)]
    scored = validating.held_out(rows, synthetic)
    print("\n".join(tables(scored)))
    if given.defender:
        score = load("defender", Path())
        print(
            "\n".join(
                beside.table(beside.weighed(scored, confidence(scored), score, given.defender))
            )
        )
    if not given.validate:
        size = write(given.out, rows, synthetic, confidence(scored))
        print(f"wrote {given.out} ({size:,} bytes)")
    return 0


def tables(scored: validating.Scored) -> list[str]:
    """Tell recall on texts as they are, and on pages with one attack planted."""
    whole = [each for each in scored if each[0].kind == "whole"]
    pages = [
        each
        for each in scored
        if each[0].kind == "planted" or (each[0].label == 0 and len(each[0].text) >= PLANTED_INTO)
    ]
    return [
        *validating.table(whole, "Texts as they are"),
        *validating.table(pages, "Pages with one planted attack, against pages without"),
    ]


def confidence(scored: validating.Scored) -> tuple[float, float]:
    """Choose slope and shift so that the two rates of harmless texts meet 0.40 and 0.75."""
    harmless = sorted((sum_ for doc, sum_ in scored if doc.label == 0), reverse=True)
    low, high = harmless[int(LOGGED * len(harmless))], harmless[int(WARNED * len(harmless))]
    odds = [math.log(chance / (1 - chance)) for chance in (0.40, 0.75)]
    slope = (odds[1] - odds[0]) / (high - low)
    return slope, odds[0] - slope * low


def write(
    path: Path, rows: list[dict[str, Any]], synthetic: list[Doc], curve: tuple[float, float]
) -> int:
    """Fit both models on everything and write their weights."""
    docs = validating.sampled(rows)
    fitted = validating.Fitted([*docs, *validating.excerpts(docs), *synthetic])
    grams, gram_scale = quantised(fitted.grams)
    classes, class_scale = quantised(fitted.classes)
    head = {
        "scale": {"grams": gram_scale, "classes": class_scale},
        "bias": {"grams": fitted.grams.bias, "classes": fitted.classes.bias},
        "rules": [round(float(fitted.classes.rules[at]), 4) for at in range(len(RULES))],
        "confidence": curve,
        **validating.BLEND,
    }
    return path.write_bytes(pack(grams, classes, head))


def quantised(part: Part) -> tuple[bytes, float]:
    """Squeeze weights into a byte each."""
    present = np.abs(part.table[part.table != 0])
    scale = float(np.percentile(present, KEPT)) / 127
    return np.clip(np.rint(part.table / scale), -127, 127).astype(np.int8).tobytes(), scale


if __name__ == "__main__":
    sys.exit(main())
