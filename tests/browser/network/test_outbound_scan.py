"""Requests are looked at only after the canary was told to somebody."""

import pytest

from browse.browser.network.outbound_scan import MAX_BODY_BYTES, OutboundScan
from browse.security.canary import Canary


@pytest.fixture
def canary() -> Canary:
    return Canary()


@pytest.fixture
def token(canary) -> str:
    """The canary, once it was told to an agent."""
    return canary.tell()


@pytest.mark.parametrize(
    ("url", "headers", "body", "objects"),
    [
        ("http://x.example/?{}", {}, None, True),
        ("http://x.example/", {"x-a": "1", "cookie": "a={}"}, None, True),
        ("http://x.example/", {}, "a {}", True),
        ("http://x.example/", {"x-a": "1"}, "nothing", False),
        ("http://x.example/", {}, "x" * MAX_BODY_BYTES + "{}", False),
    ],
)
def test_address_headers_and_body_are_looked_at(canary, token, url, headers, body, objects):
    filled = {name: value.format(token) for name, value in headers.items()}
    sent = body.format(token) if body else None
    scan = OutboundScan(canary)

    assert scan.objects(url.format(token), filled, sent) is objects
    assert scan.objects(url.format(token), filled, sent.encode() if sent else None) is objects


def test_nothing_is_looked_at_before_the_canary_was_told(canary):
    assert not OutboundScan(canary).is_on
    assert not OutboundScan(canary).objects("http://x.example/?secret", {}, b"secret")


def test_listeners_are_told_of_what_was_found(canary):
    scan, told = OutboundScan(canary), []
    scan.on_found(lambda tab, url: told.append((tab, url)))

    scan.report(3, "http://x.example/")

    assert told == [(3, "http://x.example/")]
