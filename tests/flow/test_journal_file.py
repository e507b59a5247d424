"""A journal in a file: read whole, or refused with the number of the line that is wrong."""

import re
from pathlib import Path

import msgspec
import pytest

from browse.core.errors import BrowseError, Code
from browse.flow import journal_file
from browse.flow.steps import Step
from browse.guard.files import ReadPath, Roots, check_read

STEP = msgspec.json.encode(Step(1, "", 1, "goto", words=("http://a.test/",))).decode()


def written(tmp_path: Path, *lines: str | bytes) -> ReadPath:
    path = tmp_path / "journal.jsonl"
    raw = (line.encode() if isinstance(line, str) else line for line in lines)
    path.write_bytes(b"\n".join(raw))
    return check_read(str(path), cwd="/", roots=Roots.of(str(tmp_path)))


def test_steps_are_read_and_blank_lines_are_not(tmp_path):
    steps = journal_file.read(written(tmp_path, STEP, "", STEP, ""))

    assert [step.command for step in steps] == ["goto", "goto"]


@pytest.mark.parametrize(
    "line",
    [
        STEP[:-5],
        "(3 more were not written: too many at once)",
        "[]",
        "null",
        STEP.replace('"number":1', '"number":"1"'),
        STEP.replace('"command"', '"comand"'),
        STEP.replace('"tab"', '"extra":1,"tab"'),
        '{"number": 1}',
        '"\\ud800"',
        "\x00",
    ],
)
def test_damaged_line_is_named_by_its_number(tmp_path, line: str):
    file = written(tmp_path, STEP, "", line, STEP)
    said = f"Line 3 of {re.escape(file.real)} is not a step"

    with pytest.raises(BrowseError, match=said) as caught:
        journal_file.read(file)

    assert caught.value.code is Code.FILE_UNUSABLE
    assert caught.value.page


def test_bytes_that_are_no_text_are_named_by_their_line(tmp_path):
    file = written(tmp_path, STEP, b'{"number":1,"ts":"\xff\xfe"}')

    with pytest.raises(BrowseError, match="Line 2 of"):
        journal_file.read(file)


def test_file_that_is_too_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(journal_file, "MAX_FILE_BYTES", 10)

    with pytest.raises(BrowseError, match="larger than"):
        journal_file.read(written(tmp_path, STEP))


def a_step(run: str, tab: int, number: int, client: str = "") -> Step:
    return Step(number, "", tab, "text", client=client, run=run)


STEPS = [
    a_step("a", 1, 1),
    a_step("a", 1, 2),
    a_step("b", 2, 1),
    a_step("b", 1, 2),
    a_step("b", 1, 1),
    a_step("b", 1, 3, client="codex"),
]


@pytest.mark.parametrize(
    ("client", "tab", "expected"),
    [
        ("", None, [("b", 1, 1), ("b", 1, 2)]),
        ("", 2, [("b", 2, 1)]),
        ("codex", None, [("b", 1, 3)]),
        ("", 9, []),
        ("nobody", None, []),
    ],
)
def test_latest_run_of_one_tab_is_chosen(client: str, tab: int | None, expected: list):
    chosen = journal_file.latest(STEPS, client, tab)

    assert [(step.run, step.tab, step.number) for step in chosen] == expected
