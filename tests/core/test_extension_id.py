"""The pinned key of the extension."""

import pytest

from browse.core.errors import BrowseError
from browse.core.extension_id import ID, KEY, MANIFEST, copy_extension, extension_folder, id_of


def test_the_id_is_the_one_that_chrome_makes_of_the_key():
    assert id_of(KEY) == ID


def test_the_checkout_has_the_extension():
    assert (extension_folder() / MANIFEST).is_file()


def test_a_copy_replaces_the_one_before_and_leaves_nothing_else(tmp_path):
    to = tmp_path / "home" / "extension"
    copy_extension(to)
    (to / "left-over.js").write_text("old")

    assert copy_extension(to) == to
    assert (to / MANIFEST).is_file()
    assert not (to / "left-over.js").exists()
    assert [path.name for path in to.parent.iterdir()] == ["extension"]


def test_a_place_that_cannot_be_written_is_said(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(BrowseError):
        copy_extension(tmp_path / "file" / "extension")
