"""What handlers return."""

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browse.registry.results import SkillOutput, from_page, inline_url
from support.hostile import any_text, fuzz


@fuzz
@given(any_text, st.integers(1, 80))
def test_an_address_in_a_line_of_ours_is_one_printable_ascii_token(url, limit):
    token = inline_url(url, limit)

    assert all("!" <= char <= "~" for char in token)
    assert len(token) <= limit + len("...")


@fuzz
@given(st.text(max_size=30).filter(lambda text: "%" not in text))
def test_an_address_can_be_read_back(url):
    assert unquote(inline_url(url, 10_000)) == url


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://example.com/a?b=c#d", "https://example.com/a?b=c#d"),
        ("https://example.com/é", "https://example.com/%C3%A9"),
        ("a b\nc", "a%20b%0Ac"),
        ("\ud800", "%3F"),
        ("", ""),
    ],
)
def test_what_is_not_printable_ascii_is_percent_encoded(url, shown):
    assert inline_url(url) == shown


def test_a_long_address_is_cut():
    assert inline_url("x" * 1_000_000, 10) == "x" * 10 + "..."


def test_what_the_page_wrote_is_below_its_key():
    assert from_page(url="u", text="t") == {"page": {"url": "u", "text": "t"}}


def test_the_words_of_a_skills_document_are_all_its_strings_in_order():
    made = SkillOutput("", {"title": "a", "rows": [{"x": "b"}, 1, None, ["c"]], "end": "d"})

    assert made.words.split() == ["title", "a", "rows", "x", "b", "c", "end", "d"]
