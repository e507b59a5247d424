"""How well a row of a snapshot matches words."""

import pytest

from browse.browser.page.shapes import TreeRow
from browse.browser.reading.search import (
    MAX_TEXT_CHARS,
    Hit,
    excerpt,
    matching_attribute,
    rate,
    surroundings,
)
from browse.browser.reading.snapshot import INTERACTIVE


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


def test_where_it_is_is_said_by_names_or_by_the_text_before():
    row = a_row(name="Buy")
    line = a_row("row")

    named = Hit(row, (a_row("cell", "Buy"), line), inside={id(line): ["Tea", "Buy", "3.50"]})
    bare = Hit(row, (), before="Tea 3.50")
    assert surroundings(named) == 'in [row] "Tea 3.50"'
    assert surroundings(bare) == 'after "Tea 3.50"'
