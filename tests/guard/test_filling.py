"""Files that are filled piece by piece: there when they are whole, or not at all."""

import stat
from contextlib import suppress
from pathlib import Path

import pytest

from browse.guard.files import Roots, WritePath, check_write, filling


def place(folder: Path, name: str) -> WritePath:
    return check_write(name, cwd=str(folder), roots=Roots.of(str(folder)))


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_a_file_appears_when_it_is_whole(tmp_path: Path):
    target = tmp_path / "new" / "out"

    with filling(place(tmp_path, "new/out")) as file:
        file.write(b"one ")
        assert not target.exists()
        file.write(b"two")

    assert target.read_bytes() == b"one two"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert stat.S_IMODE(target.parent.stat().st_mode) == 0o700
    assert names(target.parent) == ["out"]


def test_a_file_that_breaks_off_never_appears(tmp_path: Path):
    (tmp_path / "out").write_text("older")

    with suppress(ZeroDivisionError), filling(place(tmp_path, "out")) as file:
        file.write(b"half")
        raise ZeroDivisionError

    assert names(tmp_path) == ["out"]
    assert (tmp_path / "out").read_text() == "older"


@pytest.mark.parametrize("name", ["b", "../b", "/etc/b"])
def test_a_file_beside_another_is_in_the_same_folder(tmp_path: Path, name: str):
    assert place(tmp_path, "folder/a").beside(name).real == str(tmp_path / "folder" / "b")
