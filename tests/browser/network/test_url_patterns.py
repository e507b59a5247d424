"""Patterns of addresses: what a person means by them."""

import re

import pytest

from browse.browser.network.url_patterns import MAX_CHARS, compile_pattern
from browse.core.errors import Usage

SITE = "https://example.com"


def matches(pattern: str, url: str) -> bool:
    return compile_pattern(pattern).regex.search(url) is not None


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*.png", "/a/b.png"),
        ("*.png", "/b.png?v=2"),
        ("**/*.png", "/a/b.png"),
        ("/api/", "/v1/api/users?x=1"),
        ("/api/*", "/api/users?x=1"),
        ("/api/**", "/api/users/7"),
        ("example.com", "/"),
        ("https://example.com", "/"),
        ("https://EXAMPLE.com/a", "/a?b=c"),
        ("https://example.com/**", "/a/b/c"),
        ("http*://example.com/*", "/a"),
        ("*.{png,jpg}", "/a.jpg"),
        ("/{a,b}/", "/x/b/y"),
        ("a,b", "/a,b"),
        ("/find?q=*", "/find?q=tea"),
        (r"/a\*b", "/a*b"),
        (r"/\{x}".replace("}", r"\}"), "/{x}"),
        ("/a b/ü", "/a%20b/%C3%BC"),
        ("*", "/anything"),
    ],
)
def test_a_pattern_finds_what_is_meant(pattern, path):
    assert matches(pattern, SITE + path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*.png", "/b.png/c"),
        ("*.png", "/bxpng"),
        ("/api/*", "/api/users/7"),
        ("https://example.com", "/other"),
        ("https://example.com/*", "/a/b"),
        ("https://other.com/**", "/a"),
        ("/find?q=*", "/findxq=tea"),
        ("/find?q=1", "/find?q=2"),
        ("*.{png,jpg}", "/a.gif"),
        (r"/a\*b", "/axxb"),
        ("/API/", "/api/"),
    ],
)
def test_a_pattern_finds_nothing_else(pattern, path):
    assert not matches(pattern, SITE + path)


@pytest.mark.parametrize(
    "pattern", ["", "  ", "{a", "a}", "{a,{b}}", "x" * (MAX_CHARS + 1)], ids=lambda it: it[:8]
)
def test_what_is_no_pattern_is_refused(pattern):
    with pytest.raises(Usage) as caught:
        compile_pattern(pattern)

    assert "/api/" in caught.value.hint


def test_expressions_are_spelled_as_javascript_reads_them_too():
    source = compile_pattern("https://a.b/{x,y}*?q=[1](2)+$^|~#& -").regex.pattern

    assert not re.search(r"\(\?(?!:)|\\[AZzbBdDsSwW]", source)
