"""Files that a person sends when a page asks for some."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from browse.core.errors import BrowseError, Code
from browse.view import person_files
from browse.view.messages import FilePart, FilesChosen
from browse.view.person_files import PersonsFiles


class FakeViewer:
    def __init__(self) -> None:
        self.told: list[dict] = []

    def tell(self, type: str, **facts: object) -> None:
        self.told.append({"type": type, **facts})


class FakeQuestion:
    """A page that asks for files, and notes what it gets."""

    is_multiple = True

    def __init__(self, page: Any) -> None:
        self.page = page
        self.got: dict[str, bytes] | None = None
        self.cancelled = False

    async def accepted(self) -> str:
        return "image/*"

    async def choose(self, paths: Sequence[Path]) -> None:
        self.got = {path.name: path.read_bytes() for path in paths}

    async def cancel(self) -> None:
        self.cancelled = True


class OneFolder:
    def __init__(self, parent: Path) -> None:
        self.path = parent / "kept"

    def folder(self) -> Path:
        self.path.mkdir()
        return self.path


@pytest.fixture
def files() -> PersonsFiles:
    return PersonsFiles()


@pytest.fixture
def viewer() -> Any:
    return FakeViewer()


@pytest.fixture
def question(tab) -> Any:
    return FakeQuestion(tab.page)


@pytest.fixture
def scratch(tmp_path) -> Any:
    return OneFolder(tmp_path)


async def send(files: PersonsFiles, viewer: Any, *parts: tuple[int, str, bytes]) -> None:
    for number, name, data in parts:
        await files.add(viewer, FilePart(1, number, name, data))


async def test_parts_become_files_that_go_when_the_page_does(files, viewer, question, scratch):
    await files.ask(viewer, question, scratch)
    await send(files, viewer, (0, "a.txt", b"on"), (0, "a.txt", b"e"), (1, "b", b""))
    await files.answer(viewer, FilesChosen(1))
    modes = {path.name: path.stat().st_mode & 0o777 for path in scratch.path.rglob("*")}
    question.page.happen("close")

    assert viewer.told[0]["page"] == "image/*"
    assert [it["type"] for it in viewer.told] == ["chooser", "part", "part", "part", "chosen"]
    assert question.got == {"a.txt": b"one", "b": b""}
    assert modes == {"0": 0o700, "1": 0o700, "a.txt": 0o600, "b": 0o600}
    assert not scratch.path.exists()


async def test_a_person_who_cancels_leaves_nothing(files, viewer, question, scratch):
    await files.ask(viewer, question, scratch)
    await send(files, viewer, (0, "a.txt", b"one"))
    await files.answer(viewer, FilesChosen(1, cancelled=True))

    assert question.cancelled
    assert question.got is None
    assert not scratch.path.exists()


async def test_only_who_was_asked_answers_and_only_once(files, viewer, question, scratch):
    other: Any = FakeViewer()
    await files.ask(viewer, question, scratch)
    await send(files, other, (0, "a.txt", b"one"))
    await files.answer(other, FilesChosen(1))
    files.drop(viewer)
    await send(files, viewer, (0, "a.txt", b"one"))
    await files.answer(viewer, FilesChosen(1))

    assert (other.told, question.got, question.cancelled) == ([], None, False)
    assert viewer.told[-1] == {"type": "unasked", "ask": 1}
    assert not scratch.path.exists()


async def test_too_much_is_refused_and_removed(files, viewer, question, scratch, monkeypatch):
    monkeypatch.setattr(person_files, "MAX_BYTES", 5)
    await files.ask(viewer, question, scratch)
    await send(files, viewer, (0, "a.txt", b"123"))
    with pytest.raises(BrowseError) as caught:
        await send(files, viewer, (0, "a.txt", b"456"))

    assert caught.value.code is Code.TOO_LARGE
    assert not scratch.path.exists()


@pytest.mark.parametrize("number", [2, person_files.MAX_FILES])
async def test_files_come_one_after_the_other(files, viewer, question, scratch, number):
    await files.ask(viewer, question, scratch)
    with pytest.raises(BrowseError):
        await send(files, viewer, (0, "a", b"1"), (number, "b", b"2"))


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("report.pdf", "report.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\temp\\a.txt", "a.txt"),
        ("..", "file"),
        ("", "file"),
        ("a\0b", "ab"),
        (f"{'é' * 300}.pdf", f"{'é' * 98}.pdf"),
    ],
)
async def test_a_name_leads_nowhere(files, viewer, question, scratch, name, kept):
    await files.ask(viewer, question, scratch)
    await send(files, viewer, (0, name, b"x"))
    await files.answer(viewer, FilesChosen(1))

    assert question.got == {kept: b"x"}


async def test_a_person_who_goes_while_a_part_is_written_leaves_nothing(
    files, viewer, question, scratch
):
    await files.ask(viewer, question, scratch)
    adding = asyncio.ensure_future(send(files, viewer, (0, "a.txt", b"one")))
    await asyncio.sleep(0)
    files.drop(viewer)
    await adding

    assert not scratch.path.exists()
