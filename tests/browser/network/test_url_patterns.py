"""Patterns of addresses: what a person means by them."""

import re

import pytest
from hypothesis import given, settings
from hypothesis.strategies import sampled_from, text

from browse.browser.network.url_patterns import MAX_CHARS, compile_pattern
from browse.core.errors import Usage

SITE = "https://example.com"


def matches(pattern: str, url: str) -> bool:
    compiled = compile_pattern(pattern)
    found = compiled.matches(url)
    assert compiled.sieve.search(url) or not found, "the driver would sort it out"
    return found


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
    "pattern",
    ["", "  ", "{a", "a}", "{a,{b}}", "{a,b}" * 7, "x" * (MAX_CHARS + 1)],
    ids=lambda it: it[:8],
)
def test_what_is_no_pattern_is_refused(pattern):
    with pytest.raises(Usage) as caught:
        compile_pattern(pattern)

    assert "/api/" in caught.value.hint


def test_expressions_are_spelled_as_javascript_reads_them_too():
    source = compile_pattern("https://a.b/{x,y}*?q=[1](2)+$^|~#& -").sieve.pattern

    assert not re.search(r"\(\?(?!:)|\\[AZzbBdDsSwW]", source)


def as_regex(pattern: str) -> re.Pattern[str]:
    """What a pattern without braces means, said in another way."""
    parts = re.split(r"(\*+)", pattern)
    body = "".join(
        {"*": "[^/]*"}.get(part, ".*") if part.startswith("*") else re.escape(part)
        for part in parts
    )
    whole = "://" in pattern
    if not whole and "*" not in pattern:
        return re.compile(f".*{body}.*", re.DOTALL)
    query = "" if "?" in pattern else r"(?:\?.*)?"
    return re.compile(f"{body if whole else f'.*{body}'}{query}", re.DOTALL)


@given(
    pattern=text(alphabet="ab/*", min_size=1, max_size=12),
    start=sampled_from(["", "x://h/"]),
    path=text(alphabet="ab/", max_size=14),
    query=sampled_from(["", "?", "?a/b"]),
)
@settings(max_examples=2_000)
def test_matching_agrees_with_a_regular_expression(pattern, start, path, query):
    url = f"x://h/{path}{query}"

    assert matches(start + pattern, url) == bool(as_regex(start + pattern).fullmatch(url))


@pytest.mark.parametrize(
    "pattern", ["*.png", "**/a*b*c*d", "/a*/**a*a*x", "**a**a**a**b", "*{a,b}*c"]
)
@pytest.mark.parametrize("unit", ["a", "/a", "ab", "a/", "/"])
def test_no_address_of_a_page_takes_longer_than_its_length(pattern, unit):
    # With a regular expression, each of these takes hours.
    assert not matches(pattern, f"https://a.b/{unit * 1_000_000}-")
