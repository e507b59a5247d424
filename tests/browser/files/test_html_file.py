"""What `load-html` accepts."""

import json

import pytest

from browse.browser.files.html_file import from_payload, from_stdin, read_html, require_html
from browse.core.errors import BrowseError, Code, Usage
from browse.guard.files import Roots, check_read

LIMIT = 1000


@pytest.fixture
def file(tmp_path):
    def make(name: str, content: bytes):
        (tmp_path / name).write_bytes(content)
        return check_read(name, cwd=str(tmp_path), roots=Roots.of(str(tmp_path)))

    return make


@pytest.mark.parametrize(
    "start",
    [b"<p>", b"<!doctype html>", b"<?xml version='1.0'?>", b"\xef\xbb\xbf<p>", b" \r\n\t<P>"],
)
def test_what_begins_like_markup_is_taken(start):
    assert require_html(start, "stdin", limit=LIMIT).lstrip().startswith("<")


@pytest.mark.parametrize(
    "start",
    [b"", b"hello", b"< p>", b"<1>", b"\x89PNG\r\n", b"{}", b"\0<p>", b" " * 300 + b"<p>"],
    ids=ascii,
)
def test_what_does_not_is_refused(start):
    with pytest.raises(BrowseError, match="does not start like markup") as caught:
        require_html(start, "stdin", limit=LIMIT)

    assert caught.value.code is Code.FILE_UNUSABLE


def test_the_size_is_bounded():
    assert require_html(b"<p>" + b"x" * 997, "stdin", limit=LIMIT)
    with pytest.raises(BrowseError, match="1,001 bytes of HTML; the most is 1,000"):
        require_html(b"<p>" + b"x" * 998, "stdin", limit=LIMIT)


def test_bytes_that_are_not_utf8_are_shown_as_such():
    assert from_stdin(b"<p>\xff", limit=LIMIT) == "<p>\ufffd"


@pytest.mark.parametrize("name", ["a.html", "a.HTM", "a.xhtml", "a.svg"])
def test_a_file_with_the_right_ending_is_read(file, name):
    assert read_html(file(name, b"<p>x"), limit=LIMIT) == "<p>x"


@pytest.mark.parametrize("name", ["a.txt", "a", "a.html.bak"])
def test_a_file_with_another_ending_is_refused(file, name):
    with pytest.raises(BrowseError, match="does not appear to be HTML"):
        read_html(file(name, b"<p>x"), limit=LIMIT)


def test_a_file_that_is_gone_by_now_is_said_to_be(file, tmp_path):
    path = file("a.html", b"<p>x")
    (tmp_path / "a.html").unlink()

    with pytest.raises(BrowseError, match="Cannot read"):
        read_html(path, limit=LIMIT)


def test_a_payload_has_markup_and_may_say_what_counts_as_loaded(file):
    full = file("full.json", b'{"html": "<p>x", "waitUntil": "load"}')
    bare = file("bare.json", b'{"html": "<p>x"}')

    assert from_payload(full, limit=LIMIT, otherwise="networkidle") == ("<p>x", "load")
    assert from_payload(bare, limit=LIMIT, otherwise="networkidle") == ("<p>x", "networkidle")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<p>",
        b"[]",
        b"{}",
        b'{"html": 1}',
        b'{"html": "<p>", "odd": 1}',
        b'{"html": "<p>", "waitUntil": "never"}',
        b'{"html": "<p>\xff"}',
    ],
)
def test_a_payload_of_another_shape_is_a_usage_error(file, content):
    with pytest.raises(Usage, match="is not a payload"):
        from_payload(file("p.json", content), limit=LIMIT, otherwise="load")


def test_the_size_of_a_payload_is_that_of_its_markup(file):
    escaped = json.dumps({"html": "<p>" + "é" * 400}).encode()
    too_long = json.dumps({"html": "<p>" + "x" * 1000}).encode()

    assert from_payload(file("a.json", escaped), limit=LIMIT, otherwise="load")
    with pytest.raises(BrowseError, match="the most is 1,000 bytes"):
        from_payload(file("b.json", too_long), limit=LIMIT, otherwise="load")


@pytest.mark.issue(15)
def test_a_file_that_is_too_large_is_counted_whole(file):
    with pytest.raises(BrowseError, match="has 5,000 bytes of HTML; the most is 1,000 bytes"):
        read_html(file("page.html", b"<p>" + b"x" * 4997), limit=LIMIT)


@pytest.mark.issue(15)
def test_a_payload_beyond_all_limits_is_too_large_and_not_malformed(file):
    payload = b'{"html": "' + b"x" * 7 * LIMIT + b'"}'

    with pytest.raises(BrowseError, match="has too much HTML; the most is 1,000 bytes"):
        from_payload(file("p.json", payload), limit=LIMIT, otherwise="load")
