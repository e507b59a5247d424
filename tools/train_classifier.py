"""Train the classifier of page words, or tell how well it does on sources that it has not seen.

The data is one or more files of JSON objects, one a line: `label` (1 attack, 0 harmless), `source`,
`text`. Needs numpy, scipy and scikit-learn, which browse itself does not;
docs/security/classifier.md shows how to make an environment for it.
"""

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from tools.classifier import beside, held_out, second_stage, tables  # noqa: E402
from tools.classifier.fitting import Doc, read  # noqa: E402
from tools.classifier.pages import composed  # noqa: E402
from tools.classifier.synthetic import made  # noqa: E402
from tools.classifier.texts import Scored, Text  # noqa: E402

from browse.security.classifier.model import WEIGHTS, pack  # noqa: E402
from browse.sidecar.models import load  # noqa: E402

EACH = 90
# Of harmless texts from sources that the model has not seen, so many reach each confidence.
REACHED = ((0.05, 0.40), (0.02, 0.75), (0.005, 0.92))


def main() -> int:
    """Run the command line."""
    given = _arguments()
    rows = [json.loads(line) for file in given.data for line in file.read_bytes().splitlines()]
    texts = held_out.sampled(row for row in rows if row["source"] not in given.without)
    synthetic = [read(label, source, text) for label, source, text in made(EACH)]
    pages = composed(texts, held_out.folds(texts))
    readings = held_out.readings(texts, pages, synthetic)
    scored = held_out.scored(readings)
    print("\n".join(tables.tables(scored)))
    if given.defender:
        passages = [each.passage for fold in readings for each in fold]
        sample = beside.sampled(list(zip(scored, passages, strict=True)), given.defender)
        asked = beside.weighed(sample, confidence(scored), load("defender", Path()))
        print("\n".join(beside.table(asked)))
    if not given.validate:
        stage = second_stage.fit([each for fold in readings for each in fold])
        head = {"page": stage, "confidence": confidence(scored)}
        size = write(given.out, texts, synthetic, head)
        print(f"wrote {given.out} ({size:,} bytes)")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, nargs="+", help="the labelled texts, as JSON lines")
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
    return parser.parse_args()


def confidence(scored: Scored) -> list[tuple[float, float]]:
    """Choose the points of the curve: a sum, and the log odds of the confidence there."""
    return [
        (tables.balanced_limit(scored, rate), math.log(chance / (1 - chance)))
        for rate, chance in REACHED
    ]


def write(path: Path, texts: list[Text], synthetic: list[Doc], more: dict[str, Any]) -> int:
    """Fit both models on everything and write their weights."""
    seen = held_out.docs([*texts, *held_out.excerpts(texts)])
    grams, classes, head = held_out.fitted([*seen, *synthetic])
    return path.write_bytes(pack(grams, classes, {**head, **more}))


if __name__ == "__main__":
    sys.exit(main())
