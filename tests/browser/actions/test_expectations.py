"""How addresses are compared with what was expected; the rest is shown end to end."""

import pytest

from browse.browser.actions.expectations import matches_url


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [("/done", True), ("done?", True), ("*/done*", True), ("**/d?ne?x=*", True), ("/other", False)],
)
def test_an_address_contains_a_text_or_fits_a_glob(pattern, fits):
    assert matches_url(pattern, "https://example.com/done?x=1") is fits
