"""The file of results: whole up to any kill, and one line for each page."""

import errno
import os
import stat
import sys
from collections.abc import Callable, Iterator

import msgspec
import pytest

from browse.core.errors import BrowseError
from browse.fleet.job import Job
from browse.fleet.results import ResultFile, Results
from browse.fleet.visit import Page, PageOutcome, PageState

READ = Job((("text",),), goes=True, repeatable=True)
CHANGE = Job((("click", "#buy"),), goes=True, repeatable=False)


def page(n: int) -> Page:
    return Page(n, f"http://a/{n}")


def done(n: int) -> PageOutcome:
    return PageOutcome(n, f"http://a/{n}", PageState.DONE, result={"page": {"text": "x"}})


@pytest.fixture
def opened(tmp_path) -> Iterator[Callable[..., ResultFile]]:
    """Open the file of results; what is still open at the end is closed."""
    made = []

    def one(job: Job = READ, *, resume: bool = True) -> ResultFile:
        made.append(ResultFile(tmp_path / "r.jsonl", job, resume=resume))
        return made[-1]

    yield one
    for each in made:
        each.close()


def rows(tmp_path) -> list[dict]:
    return [msgspec.json.decode(it) for it in (tmp_path / "r.jsonl").read_bytes().splitlines()]


def test_a_line_is_private_json_with_its_number(opened, tmp_path):
    opened().write(done(3))

    (row,) = rows(tmp_path)
    assert (row["n"], row["state"], row["result"]) == (3, "done", {"page": {"text": "x"}})
    assert stat.S_IMODE((tmp_path / "r.jsonl").stat().st_mode) == 0o600


def test_a_second_run_knows_what_is_done(opened, tmp_path):
    first = opened()
    for n in (2, 5000):
        first.write(done(n))
    first.close()

    second = opened()

    assert [n for n in (0, 2, 3, 5000, 5001) if second.has(page(n))] == [2, 5000]
    assert second.before[PageState.DONE] == 2


def test_a_line_that_a_kill_cut_off_is_done_again(opened, tmp_path):
    first = opened()
    for n in (0, 1):
        first.write(done(n))
    first.close()
    path = tmp_path / "r.jsonl"
    path.write_bytes(path.read_bytes()[:-9])

    second = opened()
    assert not second.has(page(1))
    second.write(done(1))

    assert [row["n"] for row in rows(tmp_path)] == [0, 1]


def test_what_was_sent_and_has_no_line_is_unknown_and_is_not_sent_again(opened, tmp_path):
    first = opened(CHANGE)
    first.send([page(0)])
    first.write(done(0))
    first.send([page(1)])
    first.close()

    second = opened(CHANGE)

    assert second.has(page(1))
    assert [(row["n"], row["state"]) for row in rows(tmp_path)] == [(0, "done"), (1, "unknown")]
    second.close()
    assert opened(CHANGE).before[PageState.UNKNOWN] == 1


def test_without_resume_results_are_not_added_to_others(opened, tmp_path):
    first = opened()
    first.write(done(0))
    first.close()

    with pytest.raises(BrowseError, match="has results already"):
        opened(resume=False)


def test_a_run_that_was_killed_before_its_first_result_is_not_begun_again(opened, tmp_path):
    first = opened(CHANGE)
    first.send([page(0)])
    first.close()

    with pytest.raises(BrowseError, match="is of a run that has sent pages"):
        opened(CHANGE, resume=False)

    (tmp_path / "r.jsonl").unlink()
    assert not opened(CHANGE, resume=False).has(page(0))


def test_another_job_does_not_go_on(opened, tmp_path):
    first = opened()
    first.write(done(0))
    first.close()

    with pytest.raises(BrowseError, match="of another job"):
        opened(CHANGE)


def test_another_list_does_not_go_on(opened, tmp_path):
    first = opened()
    first.write(done(0))

    with pytest.raises(BrowseError, match="the list is not the one"):
        first.has(Page(0, "http://b/"))


def test_two_runs_do_not_write_one_file(opened, tmp_path):
    first = opened()

    with pytest.raises(BrowseError, match="another run writes"):
        opened()
    first.close()


@pytest.mark.parametrize("notes", ["my notes\n", "my notes", '{"n": 1}\n'])
def test_a_file_of_something_else_is_left_alone(opened, tmp_path, notes):
    (tmp_path / "r.jsonl").write_text(notes)

    with pytest.raises(BrowseError, match=r"no file of results: it has no r\.jsonl\.job"):
        opened()
    assert [it.name for it in tmp_path.iterdir()] == ["r.jsonl"]
    assert (tmp_path / "r.jsonl").read_text() == notes


def test_a_line_that_is_no_result_is_told(opened, tmp_path):
    opened().close()
    (tmp_path / "r.jsonl").write_text("my notes\n")

    with pytest.raises(BrowseError, match="a line that is no result"):
        opened()
    assert (tmp_path / "r.jsonl").read_text() == "my notes\n"


def test_results_that_stdout_does_not_take_are_told(tmp_path, monkeypatch):
    def full(fd: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with (tmp_path / "stdout").open("w") as stdout:
        monkeypatch.setattr(sys, "stdout", stdout)
        monkeypatch.setattr(os, "write", full)
        with pytest.raises(BrowseError, match="the disk is full") as refused:
            Results().write(done(0))

    assert "--out" in refused.value.hint


def test_a_full_disk_leaves_whole_lines(opened, tmp_path, monkeypatch):
    file = opened()
    file.write(done(0))
    write = os.write

    def half(fd: int, data: bytes) -> int:
        if len(data) < 20:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(fd, bytes(data)[: len(data) // 2])

    monkeypatch.setattr(os, "write", half)
    with pytest.raises(BrowseError, match="the disk is full") as refused:
        file.write(done(1))

    assert [row["n"] for row in rows(tmp_path)] == [0]
    assert "--resume" in refused.value.hint
