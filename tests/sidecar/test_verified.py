"""Files of a model: nothing is read that the sums do not vouch for."""

import pytest

from browse.sidecar.verified import Files, UnusableModel
from support import tiny_onnx


@pytest.fixture
def folder(tmp_path):
    return tiny_onnx.write(tmp_path / "m")


def test_files_with_their_sums_are_read(folder):
    files = Files(folder)

    assert files.the_only(".onnx") == "model.onnx"
    assert files.read("tokenizer.json") == tiny_onnx.tokenizer()


def test_sums_as_binary_mode_writes_them_are_understood(folder):
    sums = folder / "SHA256SUMS"
    sums.write_text(sums.read_text().replace("  ", " *./").upper().replace("MODEL.ONNX", "m.onnx"))

    assert Files(folder).the_only(".onnx") == "m.onnx"


def test_a_file_that_was_changed_is_refused(folder):
    (folder / "model.onnx").write_bytes(b"other")

    with pytest.raises(
        UnusableModel, match=r"model\.onnx is not what SHA256SUMS says: get it again"
    ):
        Files(folder).read("model.onnx")


def test_a_file_that_is_not_listed_is_refused(folder):
    (folder / "more.json").write_text("{}")

    with pytest.raises(
        UnusableModel, match=r"does not list more\.json; docs/security/classifier\.md"
    ):
        Files(folder).read("more.json")


def test_a_file_that_is_gone_is_told(folder):
    (folder / "config.json").unlink()

    with pytest.raises(UnusableModel, match=r"config\.json cannot be read \(No such file"):
        Files(folder).read("config.json")


@pytest.mark.parametrize(("sums", "why"), [(None, "cannot be read"), ("abc\n", "`sha256sum`")])
def test_without_sums_nothing_is_read(folder, sums, why):
    (folder / "SHA256SUMS").unlink()
    if sums:
        (folder / "SHA256SUMS").write_text(sums)

    with pytest.raises(UnusableModel, match=why):
        Files(folder)


def test_two_models_are_one_too_many(folder):
    with (folder / "SHA256SUMS").open("a") as sums:
        sums.write(f"{'0' * 64}  second.onnx\n")

    with pytest.raises(UnusableModel, match=r"must list one \.onnx file"):
        Files(folder).the_only(".onnx")
