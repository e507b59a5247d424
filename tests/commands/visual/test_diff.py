"""Lines compared, without a browser."""

import pytest

from browse.commands.visual.diff import MAX_LINES, difference


@pytest.mark.parametrize(
    ("old", "new", "lines"),
    [
        (["a", "b"], ["a", "b"], ["  a", "  b"]),
        (["a", "b", "c"], ["a", "x", "c"], ["  a", "- b", "+ x", "  c"]),
        ([], ["a"], ["+ a"]),
        (["a"], [], ["- a"]),
    ],
)
def test_lines_are_marked(old, new, lines):
    assert difference(old, new) == lines


def test_what_was_not_compared_is_told():
    lines = difference(["same"], [str(number) for number in range(MAX_LINES + 1)])

    assert "only the first 10,000 lines" in lines[-1]
    assert f"+ {MAX_LINES}" not in lines
