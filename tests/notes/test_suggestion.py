"""What fits an intent, by words and hosts."""

import pytest
from hypothesis import given

from browse.notes.suggestion import Suggestion, host_in, ranked, singular, words
from support.hostile import any_text, fuzz

NEWS = Suggestion(
    "skill", "frontpage", "news.example.com", "Lists the top stories", ("top stories", "front page")
)
SHOP = Suggestion("note", "shop.example.com", "shop.example.com", "Prices are in boxes\nlog in")
BASE = Suggestion("note", "example.com", "example.com", "Accept the banner first")
OTHER = Suggestion("note", "other.example", "other.example", "Prices in a table")


def names(intent: str, host: str = "") -> list[str]:
    found = ranked(intent, [OTHER, BASE, SHOP, NEWS], host=host)
    return [it.suggestion.name for it in found]


def score(intent: str, one: Suggestion, host: str = "") -> float:
    found = ranked(intent, [one], host=host)
    return found[0].score if found else 0.0


def test_the_same_host_is_before_a_related_one_before_none():
    assert names("banner", "shop.example.com")[:2] == ["example.com", "shop.example.com"]
    assert names("anything", "shop.example.com") == ["shop.example.com", "example.com"]
    assert score("x", SHOP, "shop.example.com") == 0.4
    assert score("x", BASE, "shop.example.com") == 0.2
    assert score("x", SHOP, "example.com") == 0.2
    assert score("x", OTHER, "shop.example.com") == 0.0


def test_a_trigger_counts_more_than_a_description():
    assert names("the top story")[0] == "frontpage"
    assert score("top stories", NEWS) == 1.0
    assert score("top stories", NEWS) > score("lists", NEWS) > 0


def test_what_has_nothing_in_common_is_left_out():
    assert names("weather") == []
    assert names("price") == ["other.example", "shop.example.com"]


def test_equals_stand_in_the_order_of_their_names():
    assert names("price") == sorted(names("price"))


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("stories", "story"),
        ("boxes", "box"),
        ("prices", "price"),
        ("matches", "match"),
        ("glass", "glass"),
        ("status", "status"),
        ("analysis", "analysis"),
        ("news", "new"),
        ("gas", "gas"),
    ],
)
def test_plurals_and_singulars_are_one_word(plural, one):
    assert singular(plural) == one


def test_words_are_compared_in_one_case_and_form():
    assert words("The TOP stories, please!") == {"top", "story"}
    assert words("ｔｏｐ") == {"top"}  # noqa: RUF001 - wide letters are the point


@pytest.mark.parametrize(
    ("intent", "host"),
    [
        ("top stories of News.example.com", "news.example.com"),
        ("open www.example.com now", "example.com"),
        ("log in", ""),
    ],
)
def test_an_intent_may_name_a_host(intent, host):
    assert host_in(intent) == host


@fuzz
@given(any_text, any_text)
def test_scores_are_within_bounds_and_repeatable(intent, description):
    one = Suggestion("note", "example.com", "example.com", description, (description,))

    found = ranked(intent, [one, NEWS], host="example.com")

    assert found == ranked(intent, [NEWS, one], host="example.com")
    assert all(0 < it.score <= 1 for it in found)


def test_long_words_take_no_long_time():
    assert ranked("a-" * 50_000, [Suggestion("note", "x", "x", "b-" * 100_000)]) == []
