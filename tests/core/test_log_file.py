"""Files of lines: when they are written, how large they get, and what cannot stop them."""

import asyncio
import logging
import stat

import pytest

from browse.core import log_file
from browse.core.log_file import LogFile, aged
from support.cli import until


@pytest.fixture
def path(tmp_path):
    return tmp_path / "browse-x.log"


async def test_lines_are_written_at_the_end_at_the_latest(path):
    lines = LogFile(path)
    lines.add("one")
    lines.add("two")
    assert not path.exists()

    await lines.close()

    assert path.read_text() == "one\ntwo\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_lines_are_written_meanwhile(path, monkeypatch):
    monkeypatch.setattr(log_file, "FLUSH_S", 0.0)
    lines = LogFile(path)

    lines.add("one")
    await asyncio.to_thread(until, lambda: path.exists() and path.read_text(), what="the line")

    assert path.read_text() == "one\n"


async def test_nothing_new_writes_nothing(path):
    await LogFile(path).close()

    assert not path.exists()


async def test_a_line_stays_one_line(path):
    lines = LogFile(path)

    lines.add("one\n[error] forged\r\ud800")
    await lines.close()

    assert path.read_text() == "one\\n[error] forged\\r?\n"


async def test_a_full_file_makes_room_once(path):
    for number in range(4):
        lines = LogFile(path, max_bytes=25)
        lines.add(f"line number {number}")
        await lines.close()

    assert path.read_text() == "line number 3\n"
    assert path.with_name("browse-x.log.1").read_text() == "line number 2\n"
    assert len(list(path.parent.iterdir())) == 2


async def test_as_many_full_files_are_kept_as_asked(path):
    lines = LogFile(path, max_bytes=6, generations=3)
    for number in range(6):
        lines.add(f"line {number}")
        await lines.close()

    assert path.read_text() == "line 5\n"
    assert [old.read_text() for old in aged(path, 3)] == ["line 4\n", "line 3\n", "line 2\n"]
    assert len(list(path.parent.iterdir())) == 4


async def test_two_writers_lose_nothing_when_the_file_is_full(path):
    writers = [LogFile(path, max_bytes=200, generations=50) for _ in range(4)]

    async def write(writer: LogFile, name: int) -> None:
        for number in range(40):
            writer.add(f"{name} {number}")
            await writer.close()

    await asyncio.gather(*(write(writer, name) for name, writer in enumerate(writers)))

    kept = [file.read_text().splitlines() for file in path.parent.iterdir()]
    assert sorted(line for lines in kept for line in lines) == sorted(
        f"{name} {number}" for name in range(4) for number in range(40)
    )


async def test_a_deleted_file_is_made_anew(path):
    lines = LogFile(path)
    lines.add("one")
    await lines.close()
    path.unlink()

    lines.add("two")
    await lines.close()

    assert path.read_text() == "two\n"


async def test_a_place_that_cannot_be_written_is_told_once(tmp_path, caplog):
    lines = LogFile(tmp_path / "gone" / "browse-x.log")

    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            lines.add("one")
            await lines.close()

    assert [record.message for record in caplog.records] == [
        "cannot write browse-x.log: No such file or directory"
    ]


async def test_a_link_in_its_place_is_not_followed(path, tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("mine")
    path.symlink_to(precious)
    lines = LogFile(path)

    lines.add("one")
    await lines.close()

    assert precious.read_text() == "mine"


async def test_more_than_can_wait_is_counted(path, monkeypatch):
    monkeypatch.setattr(log_file, "MAX_WAITING_CHARS", 10)
    lines = LogFile(path)

    for _ in range(5):
        lines.add("12345")
    await lines.close()

    assert path.read_text() == "12345\n12345\n(3 more were not written: too many at once)\n"


async def test_lines_are_cleaned_when_they_are_written(path):
    known: list[str] = []
    lines = LogFile(path, clean=lambda text: text.replace(known[0], "****"))
    lines.add("it is hunter2")
    known.append("hunter2")

    await lines.close()

    assert path.read_text() == "it is ****\n"


async def test_a_line_can_be_made_when_it_is_written(path):
    known: list[str] = []
    lines = LogFile(path)
    lines.add(lambda: f"told {known[0]}\nlater")
    lines.add("at once")
    assert lines.waiting == 2
    known.append("one")

    await lines.close()

    assert path.read_text() == "told one\\nlater\nat once\n"
    assert lines.waiting == 0


async def test_what_is_not_wanted_by_then_is_not_written(path):
    answers = [True, False, True]
    lines = LogFile(path, wanted=lambda: answers.pop(0))

    for line in ("one", "two", "three"):
        lines.add(line)
        await lines.close()

    assert path.read_text() == "one\nthree\n"
