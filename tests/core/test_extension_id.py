"""The pinned key of the extension."""

from browse.core.extension_id import ID, KEY, id_of


def test_the_id_is_the_one_that_chrome_makes_of_the_key():
    assert id_of(KEY) == ID
