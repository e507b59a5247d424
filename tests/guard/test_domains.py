"""Domain patterns: what they name, and what is no pattern."""

import pytest

from browse.core.errors import Usage
from browse.guard.domains import covers, covers_url, parse, parse_list


@pytest.mark.parametrize(
    ("pattern", "host", "named"),
    [
        ("example.com", "example.com", True),
        ("example.com", "www.example.com", False),
        ("*.example.com", "example.com", True),
        ("*.example.com", "a.b.example.com", True),
        ("*.example.com", "badexample.com", False),
        ("*.example.com", "example.com.evil.test", False),
        ("example.com", "example.com.evil.test", False),
        ("localhost", "localhost", True),
        ("127.0.0.1", "127.0.0.1", True),
        ("::1", "::1", True),
    ],
)
def test_pattern_names_host(pattern, host, named):
    assert covers([parse(pattern)], host) is named


@pytest.mark.parametrize(
    ("raw", "spelled"),
    [
        (" Example.COM. ", "example.com"),
        ("*.Bücher.example", "*.xn--bcher-kva.example"),
        ("[::1]", "::1"),
        ("0x7f.1", "127.0.0.1"),
    ],
)
def test_pattern_is_spelled_as_browsers_spell_hosts(raw, spelled):
    assert parse(raw) == spelled


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "*",
        "*.",
        "a.*.com",
        "*example.com",
        "https://example.com",
        "example.com:80",
        "a/b",
        "a b",
    ],
)
def test_what_is_no_domain_is_refused(raw):
    with pytest.raises(Usage, match="is not a domain"):
        parse(raw)


def test_list_is_read_without_its_gaps():
    assert parse_list("a.com, *.b.com,,") == ("a.com", "*.b.com")


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("https://example.com/x", True),
        ("https://example.com.:8443/x", True),
        ("https://example.com@evil.test/", False),
        ("https://evil.test/?u=https://example.com/", False),
        ("about:blank", False),
        ("http://[broken/", False),
    ],
)
def test_host_of_an_address_decides(url, named):
    assert covers_url(["example.com"], url) is named


def test_no_pattern_names_no_host():
    assert not covers([], "example.com")
