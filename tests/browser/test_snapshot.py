"""Rows of a tree as they are printed and compared."""

import pytest

from browse.browser.scripts import Row
from browse.browser.snapshot import CURSOR, Snapshot, content, difference


def row(number: int, name: str = "", *, role: str = "button", depth: int = 0, **more) -> Row:
    return Row(
        number, depth, role, name, more.get("marks", ""), more.get("text", ""), more.get("flags", 0)
    )


@pytest.mark.parametrize(
    ("given", "spelled"),
    [
        (row(1, "Go"), '@e1 [button] "Go"'),
        (row(1), "@e1 [button]"),
        (row(2, "Go", flags=CURSOR, role="clickable"), '@c2 [clickable] "Go"'),
        (row(0, role="text", text="words"), "[text]: words"),
        (row(3, "News", role="checkbox", marks="[checked]"), '@e3 [checkbox] "News" [checked]'),
        (row(4, "Mail", role="textbox", text="a: b"), '@e4 [textbox] "Mail": a: b'),
        (row(5, 'a "b" \\'), '@e5 [button] "a \\"b\\" \\\\"'),
    ],
)
def test_row_is_spelled(given, spelled):
    assert content(given) == spelled


def test_lines_are_indented_by_depth():
    tree = Snapshot([row(1, role="main"), row(2, "Go", depth=1)])

    assert tree.lines() == ["@e1 [main]", '  @e2 [button] "Go"']


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ([row(1, "A")], [row(1, "A")], []),
        ([row(1, "A")], [row(1, "A", depth=3)], []),
        ([row(1, "A")], [row(2, "N"), row(1, "A")], ['+ @e2 [button] "N"']),
        ([row(1, "A"), row(2, "B")], [row(2, "B")], ['- @e1 [button] "A"']),
        ([row(1, "A")], [row(1, "B")], ['- @e1 [button] "A"', '+ @e1 [button] "B"']),
        (
            [row(0, role="text", text="x")],
            [row(0, role="text", text="y")],
            ["- [text]: x", "+ [text]: y"],
        ),
    ],
)
def test_difference_goes_by_ref_and_content(before, after, lines):
    assert difference(before, after) == lines
