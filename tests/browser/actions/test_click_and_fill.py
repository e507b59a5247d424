"""The keys that are held while pressing, and the values that fields take."""

import pytest

from browse.browser.actions.click_and_fill import _took, modifiers
from browse.core.errors import Usage


@pytest.mark.parametrize(
    ("held", "keys"),
    [
        ("", []),
        ("Shift", ["Shift"]),
        ("control+SHIFT", ["Control", "Shift"]),
        ("ControlOrMeta+", ["ControlOrMeta"]),
    ],
)
def test_keys_are_read(held, keys):
    assert modifiers(held) == keys


def test_unknown_key_is_refused_with_those_there_are():
    with pytest.raises(Usage) as caught:
        modifiers("Shift+Hyper")

    assert "'Hyper'" in caught.value.message
    assert "Control" in caught.value.hint


@pytest.mark.parametrize(
    ("value", "now", "took"),
    [
        ("2026-12-24", "2026-12-24", True),
        ("18:30:00", "18:30", True),
        ("2026-12-24 18:30", "2026-12-24T18:30", True),
        ("#FF8800", "#ff8800", True),
        ("", "", True),
        ("tomorrow", "", False),
        ("70", "10", False),
        ("red", "#000000", False),
    ],
)
def test_value_that_a_field_did_not_take_is_noticed(value, now, took):
    assert _took(value, now) is took
