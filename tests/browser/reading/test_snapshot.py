"""Rows of a tree as they are printed."""

import pytest

from browse.browser.page.shapes import HiddenLine, TreeRow
from browse.browser.reading.snapshot import (
    CURSOR,
    INTERACTIVE,
    ON_SCREEN,
    Snapshot,
    describe_with_ref,
)


def row(number: int, name: str = "", *, role: str = "button", depth: int = 0, **more) -> TreeRow:
    return TreeRow(
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
    assert describe_with_ref(given) == spelled


def test_lines_are_indented_by_depth():
    tree = Snapshot([row(1, role="main"), row(2, "Go", depth=1)])

    assert tree.lines() == ["@e1 [main]", '  @e2 [button] "Go"']


def test_what_has_no_role_and_what_nobody_sees_come_after_the_tree():
    tree = Snapshot(
        [row(1, role="main")],
        [row(1, "Card", role="onclick", flags=CURSOR | INTERACTIVE)],
        [HiddenLine("generic", "transparent", "words")],
        headed=True,
    )

    assert tree.lines() == [
        "@e1 [main]",
        "",
        "── cursor-interactive (not in ARIA tree) ──",
        '@c1 [onclick] "Card"',
        "hidden (transparent) [generic]: words",
    ]
    assert tree.ranks() == [3, 2, 2, 2, 4]


@pytest.mark.parametrize(
    ("flags", "rank"), [(ON_SCREEN | INTERACTIVE, 0), (ON_SCREEN, 1), (INTERACTIVE, 2), (0, 3)]
)
def test_what_is_on_screen_and_can_be_operated_ranks_first(flags, rank):
    assert Snapshot([row(1, flags=flags)]).ranks() == [rank]
