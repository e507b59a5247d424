"""What the commands about a page's structure make of what the page says."""

import pytest

from browse.commands.reading.structure import gathered, parsed, redacted

DEEP = "[" * 50_000 + "]" * 50_000


@pytest.mark.parametrize(
    "field",
    [
        {"tag": "input", "secret": True},
        {"tag": "input", "name": "csrf_token", "value": "abc"},
        {"tag": "input", "id": "sessionId", "name": "x", "value": "abc"},
        {"tag": "input", "name": "note", "value": "ghp_0123456789"},
    ],
)
def test_a_secret_is_redacted(field):
    assert redacted(dict(field))["value"] == "[redacted]"


@pytest.mark.parametrize(
    "field",
    [
        {"tag": "input", "name": "city", "value": "Oslo"},
        {"tag": "select", "name": "colours", "value": ["red", "blue"]},
        {"tag": "input", "name": "token"},
    ],
)
def test_anything_else_is_told(field):
    assert redacted(dict(field)) == field


def test_blocks_that_cannot_be_parsed_are_counted():
    assert parsed(['{"a": 1}', "{broken", DEEP]) == {"jsonLd": [{"a": 1}], "jsonLdBroken": 2}


@pytest.mark.parametrize(
    ("block", "value"),
    [
        ('{"a": "line\nend"}', {"a": "line\nend"}),
        (r'{"a": "\ud800"}', {"a": "\ufffd"}),
        ('{"a": NaN}', {"a": None}),
        ('{"a": 123456789012345678901234567890}', {"a": "123456789012345678901234567890"}),
        ('{"a": 1, "a": 2}', {"a": 2}),
    ],
)
def test_blocks_are_read_as_pages_write_them(block, value):
    assert parsed([block]) == {"jsonLd": [value]}


def test_a_property_that_is_given_several_times_is_a_list():
    assert gathered([("image", "/a"), ("title", "T"), ("image", "/b")]) == {
        "image": ["/a", "/b"],
        "title": "T",
    }
