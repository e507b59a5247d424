"""The models that a sidecar knows: where each is, and what its output means."""

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path

from browse.sidecar.onnx import Scorer
from browse.sidecar.verified import Files, UnusableModel

TOKENS = 512
ATTACK_LABEL = "INJECTION"


def _of_folder(name: str) -> Callable[[Path], Scorer]:
    """Build a loader for a classifier with two labels, in a folder that the user filled."""

    def load(models: Path) -> Scorer:
        files = Files(models / name)
        labels = _labels(files.read("config.json"))

        def confidence(logits: Sequence[float]) -> float:
            highest = max(logits)
            odds = [math.exp(each - highest) for each in logits]
            return odds[labels.index(ATTACK_LABEL)] / sum(odds)

        return Scorer(
            files.read(files.the_only(".onnx")),
            files.read("tokenizer.json"),
            tokens=TOKENS,
            confidence=confidence,
        )

    return load


def _labels(config: bytes) -> list[str]:
    try:
        named = json.loads(config)["id2label"]
        labels = [str(named[str(at)]).upper() for at in range(len(named))]
    except (ValueError, KeyError, TypeError, AttributeError):
        labels = []
    if ATTACK_LABEL not in labels:
        raise UnusableModel(f"config.json of the model names no label {ATTACK_LABEL}")
    return labels


DEFENDER_TOKENS = 256
# Measured: about 5 % of harmless texts reach 0.40, and 1 % reach 0.75.
DEFENDER_CURVE = (3.15, -2.33)


def _defender(_models: Path) -> Scorer:
    """Load the model of the package stackone-defender: attacks, as opposed to text about them."""
    try:
        from stackone_defender import get_default_model_path
    except ImportError:
        raise UnusableModel(
            "stackone-defender is not installed: add the extra `defender`"
        ) from None
    folder = Path(get_default_model_path())
    try:
        calibration = json.loads((folder / "classifier_config.json").read_bytes())["calibration"]
        warmth = float(calibration["temperatureT"])
        (model,) = folder.glob("*.onnx")
        content, tokenizer = model.read_bytes(), (folder / "tokenizer.json").read_bytes()
    except (OSError, ValueError, KeyError, TypeError):
        raise UnusableModel("stackone-defender holds no model that browse can read") from None

    def confidence(logits: Sequence[float]) -> float:
        attack, about = (_chance(each / warmth) for each in logits)
        slope, shift = DEFENDER_CURVE
        meant = min(max(attack * (1 - about), 1e-9), 1 - 1e-9)
        return _chance(slope * math.log(meant / (1 - meant)) + shift)

    return Scorer(content, tokenizer, tokens=DEFENDER_TOKENS, confidence=confidence)


def _chance(logit: float) -> float:
    return 1 / (1 + math.exp(-max(-500.0, min(500.0, logit))))


KINDS = {
    "defender": _defender,
    "testsavant": _of_folder("testsavant-small"),
    "deberta": _of_folder("deberta-v3-injection"),
}


def load(kind: str, models: Path) -> Scorer:
    """Load a model; raise `UnusableModel` if that is not possible."""
    return KINDS[kind](models)
