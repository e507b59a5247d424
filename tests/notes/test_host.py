"""Whose notes: one spelling for each host, and none that could be another file."""

import pytest
from hypothesis import given

from browse.core.errors import BrowseError, Usage
from browse.notes.host import file_stem, from_stem, note_host, page_host
from support.hostile import any_text, attempt, fuzz


@pytest.mark.parametrize(
    ("typed", "host"),
    [
        ("example.com", "example.com"),
        ("Example.COM.", "example.com"),
        ("www.example.com", "example.com"),
        ("www.example.com:8080", "example.com"),
        ("docs.example.com", "docs.example.com"),
        ("https://user:pass@www.example.com:8443/a?b#c", "example.com"),
        ("https://example.com\\@other.example/", "example.com"),
        ("www.com", "www.com"),
        ("localhost:3000", "localhost"),
        ("127.0.0.1:3000", "127.0.0.1"),
        ("[::1]:3000", "::1"),
        ("::1", "::1"),
        ("bücher.example", "xn--bcher-kva.example"),
    ],
)
def test_every_spelling_finds_the_same_host(typed, host):
    assert note_host(typed) == host


@pytest.mark.parametrize(
    "typed",
    ["", " ", "..", "../x", "a/b", "/etc/passwd", "a b", "a\nb", "%2e%2e", "x." * 150, "a..b"],
)
def test_what_is_no_host_is_refused(typed):
    with pytest.raises(Usage):
        note_host(typed)


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://www.example.com:8080/x", "example.com"),
        ("http://[::1]:80/", "::1"),
        ("about:blank", ""),
        ("file:///tmp/x.html", ""),
        ("chrome://version", ""),
        ("", ""),
    ],
)
def test_the_host_of_a_page(url, host):
    assert page_host(url) == host


@fuzz
@given(any_text)
def test_no_host_leaves_its_folder(typed):
    host = attempt(note_host, typed)
    if isinstance(host, BrowseError):
        return

    stem = file_stem(host)
    assert "/" not in stem
    assert stem.strip(".")
    assert from_stem(stem) == host


@pytest.mark.parametrize("stem", ["", "..", "A.example", "www.example.com", "a%2Fb", "%61.example"])
def test_a_file_name_that_is_none_of_ours_has_no_host(stem):
    assert from_stem(stem) == ""
