"""Comparing two trees."""

import pytest

from browse.browser.page.shapes import TreeRow
from browse.browser.reading.snapshot_diff import diff_rows


def row(
    number: int,
    name: str = "",
    *,
    role: str = "button",
    depth: int = 0,
    text: str = "",
    marks: str = "",
) -> TreeRow:
    return TreeRow(number, depth, role, name, marks, text, 0)


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ([row(1, "A")], [row(1, "A")], []),
        ([row(1, "A")], [row(1, "A", depth=3)], []),
        ([row(1, "A")], [row(2, "N"), row(1, "A")], ['+ @e2 [button] "N"']),
        ([row(1, "A"), row(2, "B")], [row(2, "B")], ['- @e1 [button] "A"']),
        ([row(1, "A")], [row(1, "B")], ['~ @e1 [button] "B"']),
        ([row(1, "A")], [row(1, "A", marks="[active]")], ['~ @e1 [button] "A" [active]']),
        ([row(1, "A", marks="[active]")], [row(1, "A")], []),
        ([row(1, "A", marks="[active]")], [row(1, "B")], ['~ @e1 [button] "B"']),
        (
            [row(1, "A"), row(2, "B"), row(3, "C")],
            [row(2, "B"), row(3, "C"), row(1, "A")],
            ["> @e1 moved after @e3"],
        ),
        (
            [row(1, "A"), row(2, "B"), row(3, "C")],
            [row(3, "D"), row(1, "A"), row(2, "B")],
            ['> @e3 [button] "D" moved to the top'],
        ),
        (
            [row(1, "A"), row(2, "B")],
            [row(2, "B"), row(0, role="text", text="x"), row(1, "A")],
            ["> @e2 moved to the top", "+ [text]: x"],
        ),
        (
            [row(1, "A"), row(2, "B")],
            [row(7, "A"), row(8, "C")],
            [
                '  @e7 [button] "A"',
                '- @e2 [button] "B"',
                '+ @e8 [button] "C"',
            ],
        ),
        ([row(1, "A"), row(2, "A")], [row(7, "A"), row(2, "A")], ['  @e7 [button] "A"']),
        (
            [row(0, role="text", text="x")],
            [row(0, role="text", text="y")],
            ["- [text]: x", "+ [text]: y"],
        ),
    ],
)
def test_difference_goes_by_ref_and_content(before, after, lines):
    assert diff_rows(before, after, same_document=True) == lines


def test_refs_of_two_documents_have_nothing_to_do_with_each_other():
    before = [row(1, "A"), row(2, "B")]
    after = [row(1, "B"), row(2, "C")]

    assert diff_rows(before, after, same_document=False) == [
        '- @e1 [button] "A"',
        '  @e1 [button] "B"',
        '+ @e2 [button] "C"',
    ]


def test_many_rows_alike_are_compared_by_place():
    before = [row(number, "Edit") for number in range(1, 3001)]
    after = [row(number, "Edit") for number in range(3001, 6002)]

    lines = diff_rows(before, after, same_document=False)

    assert [line[:2] for line in lines].count("+ ") == 1
    assert not [line for line in lines if line.startswith("-")]
