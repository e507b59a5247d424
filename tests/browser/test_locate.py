"""Selectors that are refused before the page is asked."""

from typing import Any

import pytest

from browse.browser.locate import locator, no_match
from browse.core.errors import BrowseError, Code


def test_a_ref_that_no_snapshot_has_shown_is_refused():
    nowhere: Any = None

    with pytest.raises(BrowseError) as caught:
        locator(nowhere, "@e12")

    assert caught.value.code is Code.REF_UNKNOWN
    assert "@e12" in caught.value.message


def test_nothing_found_is_said_with_a_command_that_can_be_typed():
    error = no_match("a[title='x y']")

    assert error.code is Code.NO_MATCH
    assert "browse wait " in error.hint


def test_a_long_selector_is_cut_in_the_message():
    assert len(no_match("x" * 10_000).message) < 150
