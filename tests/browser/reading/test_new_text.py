"""Which lines are new."""

from browse.browser.reading.new_text import NewLines, ReadText, new_lines


def compared(before: str, now: str) -> NewLines:
    return new_lines(now, ReadText.of(before, None, main=False))


def test_lines_that_were_not_there_are_new():
    assert compared("a\nb", "a\nc\nb\nd") == NewLines(["c", "d"], 2, 0)


def test_a_line_that_moved_is_not_new():
    assert compared("a\nb\nc", "c\nb\na") == NewLines([], 3, 0)


def test_a_line_that_comes_once_more_is_new():
    assert compared("a", "a\na") == NewLines(["a"], 1, 0)


def test_lines_that_went_are_counted_and_blank_ones_are_no_news():
    assert compared("a\nb", "\nb\n") == NewLines([], 1, 1)


def test_texts_of_other_parts_are_not_alike():
    whole = ReadText.of("a", None, main=False)

    assert whole.is_like(ReadText.of("b", None, main=False))
    assert not whole.is_like(ReadText.of("a", "#x", main=False))
    assert not whole.is_like(ReadText.of("a", None, main=True))
