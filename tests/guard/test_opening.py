"""Opening by the real path: nothing that was put on it since is followed."""

import os
from pathlib import Path

import pytest

from browse.core.errors import BrowseError
from browse.guard.files import Roots, check_read
from browse.guard.opening import open_file, open_folder


def test_a_file_is_opened(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"words")

    with open_file(str(tmp_path / "a")) as file:
        assert file.read() == b"words"


def test_a_link_is_not_followed_as_the_file_or_on_its_way(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a").write_bytes(b"words")
    (tmp_path / "link").symlink_to(tmp_path / "real" / "a")
    (tmp_path / "way").symlink_to(tmp_path / "real")

    for path in ("link", "way/a"):
        with pytest.raises(OSError, match=r"symbolic link|Not a directory"):
            open_file(str(tmp_path / path))


def test_only_a_regular_file_is_opened_and_a_pipe_does_not_block(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    for name in ("pipe", "."):
        with pytest.raises(OSError, match="not a regular file"):
            open_file(str(tmp_path / name))


def test_missing_folders_are_created_only_if_asked(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), open_folder(str(tmp_path / "a" / "b")):
        pass
    with open_folder(str(tmp_path / "a" / "b"), create=True):
        assert (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700


def test_a_checked_file_that_became_a_link_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "mine").mkdir()
    page = tmp_path / "mine" / "a"
    page.write_bytes(b"words")
    checked = check_read(str(page), cwd="/", roots=Roots.of(str(tmp_path / "mine")))
    assert checked.read(100) == b"words"
    assert checked.read(2) == b"wo"

    page.unlink()
    page.symlink_to(tmp_path / "secret")

    with pytest.raises(BrowseError, match="Cannot read"):
        checked.read(100)
