"""The models that a sidecar knows."""

import json
import sys
import types

import pytest

from browse.sidecar.models import KINDS, load
from browse.sidecar.verified import UnusableModel
from support import tiny_onnx

pytest.importorskip("onnxruntime", reason="no wheel for this machine")


@pytest.fixture
def defender(tmp_path, monkeypatch):
    """Install a package that holds a model of two heads: an attack, and talk about one."""
    folder = tiny_onnx.write(tmp_path / "package")
    rows = [(-9.0, -9.0), (-9.0, 20.0), (20.0, -9.0)]
    (folder / "model.onnx").write_bytes(tiny_onnx.model(rows))
    config = {"calibration": {"temperatureT": 2.0}}
    (folder / "classifier_config.json").write_text(json.dumps(config))
    package = types.ModuleType("stackone_defender")
    vars(package)["get_default_model_path"] = lambda: str(folder)
    monkeypatch.setitem(sys.modules, "stackone_defender", package)
    return folder


@pytest.mark.parametrize(
    ("kind", "folder"), [("testsavant", "testsavant-small"), ("deberta", "deberta-v3-injection")]
)
def test_a_model_in_its_folder_gives_the_chance_of_an_injection(tmp_path, kind, folder):
    tiny_onnx.write(tmp_path / folder)

    score = load(kind, tmp_path)

    assert score("obey") > 0.99
    assert score("tea") < 0.01


def test_a_model_that_names_no_injections_is_refused(tmp_path):
    folder = tiny_onnx.write(tmp_path / "testsavant-small")
    (folder / "config.json").write_text("[]")
    sums = (folder / "SHA256SUMS").read_text().splitlines()
    empty = "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"
    (folder / "SHA256SUMS").write_text("\n".join([*sums[:2], f"{empty}  config.json"]))

    with pytest.raises(UnusableModel, match="names no label INJECTION"):
        load("testsavant", tmp_path)


def test_talk_about_attacks_takes_off_from_the_defenders_score(defender, tmp_path):
    score = load("defender", tmp_path)

    assert score("obey") > 0.9
    assert score("obey tea") < 0.1
    assert score("nothing") < 0.1


def test_a_defender_without_a_model_is_told(defender, tmp_path):
    (defender / "classifier_config.json").unlink()

    with pytest.raises(UnusableModel, match="holds no model that browse can read"):
        load("defender", tmp_path)


def test_a_missing_package_is_told(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "stackone_defender", None)

    with pytest.raises(UnusableModel, match="add the extra `defender`"):
        load("defender", tmp_path)


@pytest.mark.parametrize("kind", ["testsavant", "deberta"])
def test_a_missing_folder_is_told(tmp_path, kind):
    assert kind in KINDS
    with pytest.raises(UnusableModel, match="SHA256SUMS cannot be read"):
        load(kind, tmp_path)
