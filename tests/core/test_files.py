"""Files of ours, on a real file system."""

import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from browse.core.errors import BrowseError, Code
from browse.core.files import private_folder, write_private


@contextmanager
def files_up_to(limit_bytes: int) -> Iterator[None]:
    """Let the system refuse to grow files beyond a size, as a full disk does."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_is_written_for_its_owner_only(tmp_path):
    path = tmp_path / "browse.json"

    write_private(path, b"{}")

    assert path.read_bytes() == b"{}"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_old_file_is_replaced_with_its_mode(tmp_path):
    path = tmp_path / "browse.json"
    path.write_bytes(b"old")
    path.chmod(0o644)

    write_private(path, b"new")

    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_whoever_has_the_old_file_open_still_reads_all_of_it(tmp_path):
    path = tmp_path / "browse.json"
    path.write_bytes(b"old")

    with path.open("rb") as reader:
        write_private(path, b"newer")

        assert reader.read() == b"old"


def test_a_link_is_replaced_and_not_followed(tmp_path):
    victim, path = tmp_path / "victim", tmp_path / "browse.json"
    victim.write_bytes(b"precious")
    path.symlink_to(victim)

    write_private(path, b"new")

    assert victim.read_bytes() == b"precious"
    assert not path.is_symlink()


def test_a_full_disk_leaves_the_old_file_and_no_litter(tmp_path):
    path = tmp_path / "browse.json"
    path.write_bytes(b"old")

    with files_up_to(1000), pytest.raises(BrowseError, match="EFBIG") as caught:
        write_private(path, b"x" * 5000)

    assert caught.value.code is Code.STATE_UNUSABLE
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(BrowseError, match="ENOENT") as caught:
        write_private(tmp_path / "gone" / "browse.json", b"{}")

    assert "gone" in caught.value.message


def test_a_folder_is_made_for_its_owner_only(tmp_path):
    made = private_folder(tmp_path / "project" / ".gstack")

    assert stat.S_IMODE(made.stat().st_mode) == 0o700


def test_a_folder_that_is_there_is_left_as_it_is(tmp_path):
    tmp_path.chmod(0o755)

    private_folder(tmp_path)

    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_file_in_the_place_of_a_folder_is_an_error_that_names_it(tmp_path, name):
    (tmp_path / "file").write_bytes(b"")

    with pytest.raises(BrowseError, match="file") as caught:
        private_folder(tmp_path / name)

    assert caught.value.code is Code.STATE_UNUSABLE
