"""Which files an input accepts, and which are copied for it."""

from pathlib import Path

import pytest

from browse.browser.actions.uploads import copy_files, is_accepted
from browse.core.errors import BrowseError
from browse.guard.files import ReadPath, Roots, check_read


@pytest.mark.parametrize(
    ("name", "accept", "fits"),
    [
        ("a.txt", "", True),
        ("a.TXT", ".txt", True),
        ("a.txt", ".pdf", False),
        ("a.txt", " .pdf , .Txt ", True),
        ("a.png", "image/*", True),
        ("a.jpg", "image/jpg", True),
        ("a.pdf", "image/*,.txt", False),
        ("a.pdf", "application/pdf", True),
        ("a.pdf", "*/*", True),
        ("a.strange", "image/*", True),
        ("a.strange", ".txt", False),
    ],
)
def test_file_fits_what_is_accepted(name, accept, fits):
    assert is_accepted(name, accept) is fits


def checked(path: Path) -> ReadPath:
    return check_read(str(path), cwd="/", roots=Roots.of(str(path.parent)))


def test_files_are_copied_with_their_names_and_times(tmp_path: Path) -> None:
    for folder in ("one", "two", "copies"):
        (tmp_path / folder).mkdir()
    files = [tmp_path / "one" / "a.txt", tmp_path / "two" / "a.txt"]
    for file in files:
        file.write_text(file.parent.name)

    copies = copy_files([checked(file) for file in files], tmp_path / "copies")

    assert [copy.path.name for copy in copies] == ["a.txt", "a.txt"]
    assert [copy.path.read_text() for copy in copies] == ["one", "two"]
    assert [copy.size for copy in copies] == [3, 3]
    assert int(copies[0].path.stat().st_mtime) == int(files[0].stat().st_mtime)


def test_what_took_a_files_place_after_the_check_is_not_copied(tmp_path: Path) -> None:
    secret, file, copies = (tmp_path / name for name in ("secret", "a.txt", "copies"))
    secret.write_text("secret")
    file.write_text("mine")
    copies.mkdir()
    path = checked(file)
    file.unlink()
    file.symlink_to(secret)

    with pytest.raises(BrowseError, match="Cannot read"):
        copy_files([path], copies)
    assert not [each for each in copies.rglob("*") if each.is_file()]
