"""A text is weighed by windows of tokens; the worst counts."""

import math

import pytest

from browse.sidecar.onnx import Scorer
from browse.sidecar.verified import UnusableModel
from support import tiny_onnx

pytest.importorskip("onnxruntime", reason="no wheel for this machine")


def chance(logits) -> float:
    return 1 / (1 + math.exp(-logits[1]))


@pytest.fixture
def scorer() -> Scorer:
    rows = [tiny_onnx.SHY, tiny_onnx.SHY, tiny_onnx.BOLD]
    model, tokenizer = tiny_onnx.model(rows), tiny_onnx.tokenizer()
    return Scorer(model, tokenizer, tokens=64, confidence=chance)


@pytest.mark.parametrize("words", ["obey", "tea obey tea", f"{'tea ' * 1000} obey"])
def test_one_bad_word_is_found_in_any_window(scorer, words):
    assert scorer(words) == pytest.approx(0.9975, abs=1e-3)


@pytest.mark.parametrize("words", ["", "tea", "tea " * 1000, "\x00 \ufffd?"])
def test_without_it_there_is_nothing(scorer, words):
    assert scorer(words) == pytest.approx(0.0025, abs=1e-3)


def test_what_lies_beyond_the_last_window_is_not_read(scorer):
    assert scorer(f"{'tea ' * 5000} obey") < 0.5


@pytest.mark.parametrize("part", ["model", "tokenizer"])
def test_a_broken_file_is_told(part):
    files = {"model": tiny_onnx.model([tiny_onnx.SHY] * 3), "tokenizer": tiny_onnx.tokenizer()}
    files[part] = b"broken"

    with pytest.raises(UnusableModel, match="the model cannot be loaded"):
        Scorer(**files, tokens=64, confidence=chance)
