import pytest

from browse.core.lines import MAX_LINE_BYTES, Lines, words


@pytest.mark.parametrize(
    ("chunks", "lines"),
    [
        ([b"https://a.exam", b"ple\n"], ["https://a.example"]),
        ([b"one\r\n", b"two\rthree\n\n"], ["one", "two", "three"]),
        ([b"no end"], []),
        ([b"x" * 10_000, b"y" * 10_000, b"\nnext\n"], ["x" * MAX_LINE_BYTES, "next"]),
        ([b"x" * 10_000 + b"\n"], ["x" * MAX_LINE_BYTES]),
        ([b"\x1b[1;32mgreen\x1b[0m\x07\n"], ["green"]),
        ([b"\xff\xfe\n"], ["\ufffd\ufffd"]),
        ([b"\xc3", b"\xa4\n"], ["\u00e4"]),
    ],
)
def test_pieces_become_whole_lines(chunks, lines):
    cut = Lines()

    assert [words(line) for chunk in chunks for line in cut.feed(chunk)] == lines


def test_a_last_line_without_an_end_is_given_once():
    cut = Lines()
    cut.feed(b"one\ntwo")

    assert cut.rest() == [b"two"]
    assert cut.rest() == []
