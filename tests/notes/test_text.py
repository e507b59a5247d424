"""What can be a note."""

import pytest

from browse.core.errors import BrowseError, Code
from browse.notes.note import MAX_BODY_BYTES
from browse.notes.text import body_of


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"one\r\ntwo\rthree", "one\ntwo\nthree\n"),
        (b"\xef\xbb\xbf  words \n\n", "words\n"),
        ("Größe".encode(), "Größe\n"),
    ],
)
def test_line_ends_and_marks_of_editors_go(raw, text):
    assert body_of(raw) == text


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "empty body"),
        (b" \r\n\t", "empty body"),
        (b"\xef\xbb\xbf", "empty body"),
        (b"a\0b", "NUL"),
        (b"\x89PNG\r\n\x1a\n\xff", "not UTF-8"),
        (b"x" * (MAX_BODY_BYTES + 1), "16,384 bytes"),
        (b"x" * 10_000_000, "16,384 bytes"),
    ],
)
def test_what_is_no_text_is_refused(raw, reason):
    with pytest.raises(BrowseError) as caught:
        body_of(raw)

    assert caught.value.code is Code.NOTE
    assert caught.value.message.startswith("Save failed: ")
    assert reason in caught.value.message
