"""Which headers may be set."""

import pytest

from browse.commands.network.headers import parse
from browse.core.errors import Usage


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("X-Test: on", ("X-Test", "on")),
        ("x:a:b", ("x", "a:b")),
        ("X-Empty:", ("X-Empty", "")),
        ("Accept :  */* ", ("Accept", "*/*")),
    ],
)
def test_a_header_is_a_name_and_a_value(line, parts):
    assert parse(line) == parts


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("X-Test", "is not the name"),
        (": on", "is not the name"),
        ("X Test: on", "is not the name"),
        ("X\r\nEvil: on", "is not the name"),
        ("X-Test: a\r\nEvil: b", "line break"),
        ("X-Test: a\nb", "line break"),
        ("X-Test: a\0b", "line break"),
        ("X-Test: ü", "line break"),
        ("X-Test: " + "x" * 9_000, "line break"),
        ("Host: evil.example", "no page would load"),
        ("content-length: 5", "no page would load"),
        ("Proxy-Authorization: x", "no page would load"),
    ],
)
def test_what_would_break_requests_is_refused(line, said):
    with pytest.raises(Usage) as caught:
        parse(line)

    assert said in caught.value.message
