"""Which attributes are shown, and how properties are spelled."""

import pytest

from browse.browser.page.shapes import Attributes
from browse.commands.inspection.elements import dashed, without_secrets

HIDDEN = "[REDACTED — 7 chars]"


@pytest.mark.parametrize(
    ("attributes", "secret", "name", "shown"),
    [
        ([("type", "password"), ("value", "hunter2")], True, "value", HIDDEN),
        ([("type", "password"), ("value", "")], True, "value", ""),
        ([("name", "csrf_token"), ("value", "hunter2")], False, "value", HIDDEN),
        ([("name", "csrf-token"), ("content", "hunter2")], False, "content", HIDDEN),
        ([("data-api-key", "hunter2")], False, "data-api-key", HIDDEN),
        ([("title", "sk-abcd")], False, "title", HIDDEN),
        ([("name", "city"), ("value", "Utrecht")], False, "value", "Utrecht"),
        ([("name", "csrf_token"), ("class", "wide")], True, "class", "wide"),
    ],
)
def test_secrets_are_left_out(attributes, secret, name, shown):
    assert without_secrets(Attributes(attributes, secret))[name] == shown


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("color", "color"),
        ("backgroundColor", "background-color"),
        (" Margin-Top ", "margin-top"),
        ("--Brand", "--Brand"),
    ],
)
def test_a_property_is_spelled_as_in_css(typed, name):
    assert dashed(typed) == name
