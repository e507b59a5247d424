"""Which files an input accepts."""

import pytest

from browse.browser.actions.uploads import accepted


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
    assert accepted(name, accept) is fits
