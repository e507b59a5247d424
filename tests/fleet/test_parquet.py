"""Results as a Parquet file: made whole from the lines, and never in place of something else."""

import stat
from pathlib import Path

import pytest

from browse.core.errors import BrowseError
from browse.fleet import parquet
from browse.fleet.job import Job
from browse.fleet.results import ResultFile
from browse.fleet.visit import Page, PageOutcome, PageState, lost

JOB = Job((("text",),), goes=True, repeatable=True)


@pytest.fixture
def there(monkeypatch) -> None:
    monkeypatch.setattr(parquet, "find_spec", lambda _: object())


def lines(tmp_path: Path, *outcomes: PageOutcome) -> Path:
    path = tmp_path / "r.parquet.jsonl"
    file = ResultFile(path, JOB, resume=True)
    for each in outcomes:
        file.write(each)
    file.close()
    return path


def test_without_pyarrow_it_is_refused_with_what_installs_it(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "find_spec", lambda _: None)

    with pytest.raises(BrowseError, match="needs pyarrow, which is not installed") as refused:
        parquet.lines_of(tmp_path / "r.parquet")
    assert "pip install pyarrow" in refused.value.hint


@pytest.mark.usefixtures("there")
def test_the_lines_are_beside_the_table(tmp_path):
    assert parquet.lines_of(tmp_path / "r.parquet") == tmp_path / "r.parquet.jsonl"


@pytest.mark.usefixtures("there")
def test_a_table_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "r.parquet").write_bytes(b"mine")

    with pytest.raises(BrowseError, match="is there already"):
        parquet.lines_of(tmp_path / "r.parquet")


def test_each_line_is_a_row_and_what_may_have_any_form_is_json(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from pyarrow import parquet as reader

    monkeypatch.setattr(parquet, "MAX_ROWS", 2)
    read = PageOutcome(
        0, "http://a/", PageState.DONE, "m1", ms=7, status=200, result={"page": {"text": "Tee ü"}}
    )
    several = PageOutcome(2, "http://b/", PageState.DONE, steps=[{"command": "text"}])
    path = tmp_path / "r.parquet"

    parquet.write(lines(tmp_path, read, several, lost(Page(1, "http://c/"))), path)

    rows = reader.read_table(path).to_pylist()
    assert [(row["n"], row["state"]) for row in rows] == [(0, "done"), (2, "done"), (1, "unknown")]
    assert (rows[0]["worker"], rows[0]["ms"], rows[0]["status"]) == ("m1", 7, 200)
    assert rows[0]["result"] == '{"page":{"text":"Tee ü"}}'
    assert (rows[1]["status"], rows[1]["steps"]) == (None, '[{"command":"text"}]')
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_run_without_pages_is_an_empty_table(tmp_path):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    from pyarrow import parquet as reader

    parquet.write(lines(tmp_path), tmp_path / "r.parquet")

    assert reader.read_table(tmp_path / "r.parquet").num_rows == 0


def test_a_table_that_cannot_be_written_leaves_the_old_one(tmp_path, monkeypatch):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    (tmp_path / "r.parquet").write_bytes(b"the one before")
    path = lines(tmp_path, *(PageOutcome(n, f"http://a/{n}", PageState.DONE) for n in range(9)))

    def full(_: Path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(parquet, "_some", full)
    with pytest.raises(BrowseError, match="the disk is full") as refused:
        parquet.write(path, tmp_path / "r.parquet")

    assert str(path) in refused.value.hint
    assert (tmp_path / "r.parquet").read_bytes() == b"the one before"
    assert not list(tmp_path.glob("*.tmp.*"))
