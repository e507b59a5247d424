"""The first message of TLS: that of a request, and others."""

import pytest

from browse.browser.network.client_hello import speaks_http
from support.tls import client_hello


@pytest.mark.parametrize("protocols", [["h2", "http/1.1"], ["http/1.1"], ["x", "h2"]])
def test_a_request_says_which_http_it_speaks(protocols):
    assert speaks_http(client_hello(*protocols)) is True


@pytest.mark.parametrize(
    "first",
    [
        client_hello(),
        client_hello("webrtc", "c-webrtc"),
        b"\x00\x03\x00\x08!\x12\xa4BcuTVQPNw97Nm",  # STUN
        b"\x00d\x00\x01\x00P!\x12\xa4B",  # STUN in a frame
        b"GET / HTTP/1.1\r\n",
        b"\x16\x03\x01\x00\x00",
        b"\x16\x03\x01\x00\x04\x02\x00\x00\x00",
        b"\x16\x03\x01\x00\x30\x01\x00\xff\xff" + b"\xff" * 44,
    ],
    ids=lambda it: repr(it[:8]),
)
def test_anything_else_does_not(first):
    assert speaks_http(first) is False


def test_half_a_message_is_not_decided():
    whole = client_hello("h2")

    assert {speaks_http(whole[:size]) for size in range(len(whole))} == {None}
    assert speaks_http(whole + b"more") is True
