"""Which further models are there, and what they say."""

import asyncio
from typing import Any

import pytest

from browse.core.paths import Paths
from browse.core.settings import Settings
from browse.security import extra_models as module
from browse.security.combine import Layer
from browse.security.extra_models import Further
from support import tiny_onnx


@pytest.fixture(autouse=True)
def no_package(monkeypatch):
    """Whatever is installed here, there is no package with a model."""
    monkeypatch.setattr(module, "find_spec", lambda name: None)


@pytest.fixture
async def make(tmp_path):
    made: list[Further] = []

    def make(**settings: Any) -> Further:
        made.append(Further(Settings(**settings), Paths(tmp_path / "browse.json", tmp_path)))
        return made[-1]

    yield make
    for each in made:
        await each.close()


async def ready(further: Further, layer: Layer) -> None:
    """Wait until a model is loaded, or cannot be."""
    assert further._found
    loading = further._found[layer].loading
    assert loading
    await asyncio.wait({loading}, timeout=40)


async def test_without_models_nobody_says_anything(make, caplog):
    further = make()

    assert further.status() == {
        "defender_content": "not started",
        "testsavant_content": "not started",
    }
    assert await further.ask("words") == []
    assert set(further.status().values()) == {"absent"}
    assert caplog.records == []


async def test_a_model_that_was_asked_for_and_is_not_there_is_told_once(make, caplog, tmp_path):
    further = make(ensemble="deberta")

    await further.ask("words")
    await further.ask("words")

    assert further.status()["deberta_content"] == "absent"
    assert [record.message for record in caplog.records] == [
        f"deberta_content is not used: there is no {tmp_path}/models/deberta-v3-injection"
    ]


async def test_a_model_in_its_folder_is_loaded_meanwhile_and_then_asked(make, tmp_path):
    pytest.importorskip("onnxruntime", reason="no wheel for this machine")
    tiny_onnx.write(tmp_path / "models" / "testsavant-small")
    further = make()

    assert await further.ask("obey") == []
    await ready(further, Layer.TESTSAVANT)

    assert further.status()["testsavant_content"] == "ready"
    (said,) = await further.ask("please obey")
    assert said.layer is Layer.TESTSAVANT
    assert said.confidence == pytest.approx(0.9975, abs=1e-3)


async def test_a_model_with_a_wrong_sum_is_not_loaded_and_the_log_says_what_to_do(
    make, tmp_path, caplog
):
    folder = tiny_onnx.write(tmp_path / "models" / "testsavant-small")
    (folder / "tokenizer.json").write_text("{}")
    further = make()

    for _ in range(3):
        assert await further.ask("obey") == []
        await ready(further, Layer.TESTSAVANT)

    assert further.status()["testsavant_content"] == "off"
    (line,) = [record.message for record in caplog.records]
    assert "tokenizer.json is not what SHA256SUMS says: get it again" in line
