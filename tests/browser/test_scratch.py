"""The temporary folder of the driver and Chromium."""

import shutil
import stat

import pytest

from browse.browser.scratch import PREFIX, Scratch
from browse.core.errors import BrowseError, Code


@pytest.fixture
def note(tmp_path):
    return tmp_path / "scratch"


@pytest.fixture
def scratch(note):
    made = Scratch(note)
    yield made
    made.remove()


def test_a_folder_of_our_own_is_made_and_noted(scratch, note):
    folder = scratch.make()

    assert folder.name.startswith(PREFIX)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert note.read_text() == str(folder)


def test_what_is_not_finished_yet_lies_in_private_folders_inside(scratch):
    folder = scratch.make()

    inside = scratch.folder()

    assert inside.parent == folder
    assert stat.S_IMODE(inside.stat().st_mode) == 0o700
    assert scratch.folder() != inside


def test_without_it_nothing_can_be_begun(scratch):
    with pytest.raises(BrowseError) as caught:
        scratch.folder()

    assert caught.value.code is Code.STATE_UNUSABLE


def test_a_note_that_somebody_changed_leads_nowhere_else(scratch, note, tmp_path):
    scratch.make()
    theirs = tmp_path / "browse-theirs"
    theirs.mkdir()
    kept = note.read_bytes()
    note.write_text(str(theirs))

    with pytest.raises(BrowseError):
        scratch.folder()

    assert not list(theirs.iterdir())
    note.write_bytes(kept)


def test_the_folder_goes_with_all_that_is_in_it(scratch, note):
    folder = scratch.make()
    (folder / "profile").mkdir()
    (folder / "profile" / "cookies").write_bytes(b"x")

    scratch.remove()

    assert not folder.exists()
    assert not note.exists()


def test_what_a_predecessor_left_behind_is_removed(scratch, note):
    left = Scratch(note).make()

    made = scratch.make()

    assert not left.exists()
    assert made.exists()


def test_a_folder_that_is_gone_already_does_not_matter(scratch, note):
    shutil.rmtree(scratch.make())

    scratch.remove()

    assert not note.exists()


def test_without_a_note_nothing_is_removed(scratch):
    scratch.remove()


@pytest.mark.parametrize("name", ["browse-elsewhere", "other"])
def test_a_note_cannot_name_a_folder_outside_the_temporary_one(scratch, note, tmp_path, name):
    precious = tmp_path / name
    precious.mkdir()
    note.write_text(str(precious))

    scratch.remove()

    assert precious.exists()
    assert not note.exists()


def test_a_link_in_the_temporary_folder_is_not_followed(scratch, note, tmp_path):
    precious = tmp_path / "precious"
    precious.mkdir()
    link = scratch.make()
    link.rmdir()
    link.symlink_to(precious)

    scratch.remove()

    assert precious.exists()
    link.unlink()
