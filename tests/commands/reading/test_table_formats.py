"""Rows as Markdown and as CSV, and the names of columns."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browse.commands.reading.table_formats import in_csv, in_markdown, named


@pytest.mark.parametrize(
    ("columns", "width", "names"),
    [
        (["A", "B"], 2, ["A", "B"]),
        (["A", "A", "A"], 3, ["A", "A (2)", "A (3)"]),
        (["A", ""], 2, ["A", "column 2"]),
        ([], 2, ["column 1", "column 2"]),
        (["A (2)", "A", "A"], 3, ["A (2)", "A", "A (3)"]),
    ],
)
def test_every_column_has_a_name_of_its_own(columns, width, names):
    assert named(columns, width) == names


@given(st.lists(st.sampled_from(["", "A", "A (2)", "column 1"]), max_size=6))
def test_no_name_is_given_twice(columns):
    names = named(columns, len(columns))

    assert len(set(names)) == len(names) == len(columns)


def test_markdown_is_aligned():
    assert in_markdown(["Name", "N"], [["a|b", "1"], ["longer", "20"]]) == (
        "| Name   | N   |\n| ------ | --- |\n| a\\|b   | 1   |\n| longer | 20  |"
    )


def test_a_long_cell_does_not_widen_all_rows():
    first, *_, last = in_markdown(["A"], [["x" * 500], ["y"]]).splitlines()

    assert len(first) == len(last) == 44


@given(
    st.lists(
        st.lists(st.text(st.characters(exclude_characters="\r\0")), min_size=2, max_size=2),
        min_size=1,
    )
)
def test_csv_is_read_back_as_it_was(rows):
    read = list(csv.reader(io.StringIO(in_csv(["a", "b"], rows), newline="")))

    assert read == [["a", "b"], *rows]


def test_csv_leaves_formulas_as_they_are():
    assert in_csv(["a"], [["=1+1"]]) == "a\n=1+1"
