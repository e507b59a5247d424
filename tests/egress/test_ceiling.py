"""The ceiling on a reply."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from browse.egress.ceiling import cut, cut_by_rank, trim
from support.hostile import fuzz

lines = st.text("abc é\n", max_size=300)
# Each of these takes more than one place in JSON.
awkward = st.text('ab"\\\n\t\x01é😀', max_size=300)
STEPS = 1000


def size(data: object) -> int:
    return len(msgspec.json.encode(data).decode())


def shortened(data: dict, limit: int, after: int = 0) -> dict:
    return trim(data, limit=limit, after=after, size=size(data))


@fuzz
@given(lines, st.integers(1, 80))
def test_the_pages_of_a_text_are_the_whole_text(text, limit):
    whole, after = "", 0
    for _ in range(STEPS):
        page = cut(text, limit=limit, after=after)
        assert len(page.text) <= limit or page.next is None
        if page.next is None:
            break
        assert text[after : page.next] in (page.text, page.text + "\n")
        whole, after = whole + text[after : page.next], page.next

    assert whole + page.text in (text, text.removesuffix("\n"))


@fuzz
@given(lines, st.integers(1, 80), st.integers(0, 400))
def test_a_page_is_never_longer_than_the_limit(text, limit, after):
    assert len(cut(text, limit=limit, after=after).text) <= limit


@fuzz
@given(lines, st.integers(0, 400))
def test_no_limit_gives_all_of_the_rest(text, after):
    page = cut(text, limit=0, after=after)

    assert (page.text, page.note, page.next) == (text[after:], "", None)


def test_the_note_says_how_much_is_left_and_how_to_get_it():
    page = cut("line\n" * 1000, limit=52, after=0)

    assert page.text == "line\n" * 9 + "line"
    assert page.note == (
        "[4,950 of 5,000 characters left out: "
        "add --after 50 for the rest, or --max-chars 0 for all]"
    )


def test_a_last_line_end_beyond_the_limit_is_nothing_left_out():
    page = cut("abc\n", limit=3, after=0)

    assert (page.text, page.note, page.next) == ("abc", "", None)


@fuzz
@given(awkward, st.integers(200, 600))
def test_shortened_data_fits(text, limit):
    data = {"page": {"url": "https://example.com", "text": text}}

    assert size(shortened(data, limit)) <= limit


@fuzz
@given(awkward, st.integers(170, 400))
def test_the_pages_of_a_text_in_data_are_the_whole_text(text, limit):
    data = {"ok": True, "page": {"text": text}}
    whole, after = "", 0
    for _ in range(STEPS):
        page = shortened(data, limit, after)
        whole += page["page"]["text"]
        if "next" not in page["truncated"]:
            break
        after = page["truncated"]["next"]

    assert whole == text


@fuzz
@given(st.lists(st.integers() | st.text(max_size=30), max_size=40), st.integers(150, 400))
def test_the_pages_of_a_list_are_the_whole_list(items, limit):
    data = {"page": {"links": items}}
    whole: list = []
    for _ in range(STEPS):
        page = shortened(data, limit, len(whole))
        whole += page["page"]["links"]
        if "next" not in page["truncated"]:
            break
        assert page["truncated"]["next"] == len(whole)

    assert whole == items


def test_a_list_whose_weight_is_at_its_beginning_fits():
    data = {"rows": ["x" * 900] * 10 + ["y"] * 10_000}

    page = shortened(data, 2_000)

    assert size(page) <= 2_000
    assert page["rows"] == ["x" * 900] * 2


def test_text_full_of_quotes_keeps_a_fair_part_of_the_limit():
    data = {"page": {"html": '<a href="/x">\n' * 60_000}}

    page = shortened(data, 50_000)

    assert 49_000 < size(page) <= 50_000


def test_the_longest_field_is_the_one_that_is_shortened():
    data = {"a": "x" * 50, "page": {"deep": {"b": "y" * 5000}, "c": [1, 2]}}

    page = shortened(data, 1000)

    assert page["a"] == "x" * 50
    assert page["page"]["c"] == [1, 2]
    note = page["truncated"]
    assert (note["field"], note["of"], note["from"]) == ("page.deep.b", 5000, 0)
    assert note["kept"] == note["next"] == len(page["page"]["deep"]["b"])


def test_one_item_is_kept_even_if_it_is_too_long():
    page = shortened({"rows": ["x" * 5000, "y"]}, 100)

    assert page["truncated"]["next"] == 1


@pytest.mark.parametrize("limit", [1, 5, 0])
def test_facts_without_a_text_or_a_list_stay_as_they_are(limit):
    assert shortened({"waited": 10, "page": {"ok": True}}, limit, after=3) == {
        "waited": 10,
        "page": {"ok": True},
    }


def test_beyond_the_end_there_is_nothing_and_no_next():
    page = shortened({"text": "abc"}, 0, after=10)

    assert page["text"] == ""
    assert "next" not in page["truncated"]


@fuzz
@given(
    st.lists(st.tuples(st.text("ab", max_size=8), st.integers(0, 3)), min_size=1, max_size=30),
    st.integers(12, 60),
)
def test_pages_by_rank_are_the_whole_text_with_low_ranks_first(rows, limit):
    lines, ranks = zip(*rows, strict=True)
    numbered = [f"{number} {line}" for number, line in enumerate(lines)]
    text, pages = "\n".join(numbered), []
    following: int | None = 0
    while following is not None:
        page = cut_by_rank(text, ranks, limit=limit, after=following)
        pages.append(page.text.split("\n"))
        following = page.next

    shown = [line for page in pages for line in page]
    assert sorted(shown) == sorted(numbered)
    worst = [max(ranks[numbered.index(line)] for line in page) for page in pages]
    assert worst == sorted(worst)
    assert all(page == sorted(page, key=numbered.index) for page in pages)


def test_a_line_longer_than_the_limit_is_cut():
    page = cut_by_rank("short\n" + "x" * 100, [1, 0], limit=30, after=0)

    assert page.text == "x" * 30
    assert (
        cut_by_rank("short\n" + "x" * 100, [1, 0], limit=0, after=30).text == "x" * 70 + "\nshort"
    )
