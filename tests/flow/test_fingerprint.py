"""Two sketches are as alike as the places that they have in common."""

import pytest

from browse.flow.fingerprint import likeness

ONE = "0123456789abcdef"


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (ONE, ONE, 1.0),
        (ONE, "0123456789ab0000", 0.75),
        (ONE, "f" * 16, 0.0),
        (ONE, "1234" + ONE[4:], 0.75),
        (ONE, "", 0.0),
        ("", "", 0.0),
        (ONE, ONE * 2, 0.0),
    ],
)
def test_likeness_is_the_share_of_equal_places(a: str, b: str, expected: float):
    assert likeness(a, b) == expected
    assert likeness(b, a) == expected
