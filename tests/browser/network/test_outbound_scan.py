"""Requests are looked at only while there is something to look for."""

import pytest

from browse.browser.network.outbound_scan import MAX_BODY_BYTES, Leaving


@pytest.fixture
def leaving() -> Leaving:
    made = Leaving()
    made.is_on = lambda: True
    made.holds = lambda text: "secret" in str(text)
    return made


@pytest.mark.parametrize(
    ("url", "headers", "body", "objects"),
    [
        ("http://x.example/?secret", {}, None, True),
        ("http://x.example/", {"x-a": "1", "cookie": "a=secret"}, None, True),
        ("http://x.example/", {}, b"a secret", True),
        ("http://x.example/", {}, "a secret", True),
        ("http://x.example/", {"x-a": "1"}, b"nothing", False),
        ("http://x.example/", {}, b"x" * MAX_BODY_BYTES + b"secret", False),
    ],
)
def test_address_headers_and_body_are_looked_at(leaving, url, headers, body, objects):
    assert leaving.objects(url, headers, body) is objects


def test_nothing_is_looked_at_before_there_is_something(leaving):
    leaving.is_on = lambda: False

    assert not leaving.objects("http://x.example/?secret", {}, b"secret")
    assert not Leaving().objects("http://x.example/?secret", {}, b"secret")
