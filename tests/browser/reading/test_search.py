"""How well a row of a snapshot matches words."""

import pytest

from browse.browser.page.shapes import TreeRow
from browse.browser.reading.search import (
    MAX_TEXT_CHARS,
    Hit,
    _innermost,
    excerpt,
    matching_attribute,
    rate,
    surroundings,
)
from browse.browser.reading.snapshot import CURSOR, INTERACTIVE


def a_row(role: str = "button", name: str = "", text: str = "", flags: int = 0) -> TreeRow:
    return TreeRow(1, 0, role, name, "", text, flags)


def score(words: str, *around: TreeRow, attributes: dict[str, str] | None = None, **row) -> float:
    hit = Hit(a_row(**row), around, attributes=attributes or {})
    rate(hit, words.split())
    return hit.score if hit.matched == len(words.split()) else 0.0


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"name": "Save"}, {"name": "Save as draft"}),
        ({"name": "Save as draft"}, {"name": "Do not save"}),
        ({"name": "Do save it"}, {"name": "Unsaved"}),
        ({"name": "Save it"}, {"name": "x", "text": "save it"}),
        ({"text": "save"}, {"attributes": {"id": "save"}}),
        ({"name": "Save", "flags": INTERACTIVE}, {"name": "Save"}),
    ],
)
def test_what_is_called_so_comes_before_what_only_has_the_word(better, worse):
    assert score("save", **better) > score("save", **worse) > 0


@pytest.mark.parametrize(
    ("words", "row"),
    [
        ("button save", {"name": "Save"}),
        ("field mail", {"role": "textbox", "name": "Mail"}),
        ("image", {"role": "img"}),
    ],
)
def test_a_role_counts_as_a_word(words, row):
    assert score(words, **row) > 0


def test_words_around_count_only_beside_words_of_its_own():
    order = a_row("form", "Order")

    assert score("order name", order, name="Name") > 0
    assert score("order", order, name="Name") == 0


def test_nothing_matches_other_words():
    assert score("save", name="Open", text="now", attributes={"id": "x"}) == 0


def test_a_long_text_is_cut_around_the_word():
    text = "a " * 500 + "needle" + " b" * 500

    cut = excerpt(text, ["needle"])

    assert "needle" in cut
    assert len(cut) <= MAX_TEXT_CHARS + 1
    assert excerpt("short", ["x"]) == "short"


def test_an_attribute_is_named_if_the_word_is_nowhere_else():
    hit = Hit(a_row(name="Cart"), (), attributes={"href": "/basket", "id": "cart"})

    assert matching_attribute(hit, ["basket"]) == ("href", "/basket")
    assert matching_attribute(hit, ["cart"]) is None


@pytest.mark.issue(15)
def test_the_text_before_counts_for_what_comes_after_it():
    hit = Hit(a_row(name="Add to cart"), (), before="Assam 9.00")
    rate(hit, ["assam", "cart"])

    assert hit.matched == 2


@pytest.mark.issue(15)
def test_a_clickable_part_of_the_page_is_left_out_where_something_in_it_matches():
    button = Hit(a_row(name="Buy", flags=INTERACTIVE), ())
    part = Hit(a_row("", "Tea 3.50 Buy " * 8, flags=CURSOR), ())
    other = Hit(a_row("", "Buy later", flags=CURSOR), ())

    assert _innermost([button, part, other]) == [button, other]
    assert _innermost([part]) == [part]


def test_where_it_is_is_said_by_names_or_by_the_text_before():
    row = a_row(name="Buy")
    line = a_row("row")

    named = Hit(row, (a_row("cell", "Buy"), line), inside={id(line): ["Tea", "Buy", "3.50"]})
    bare = Hit(row, (), before="Tea 3.50")
    assert surroundings(named) == 'in [row] "Tea 3.50"'
    assert surroundings(bare) == 'after "Tea 3.50"'
