from pathlib import Path

from script import parse_card

PAGE = (Path(__file__).parent / "fixtures" / "tea-example-2026-11-16.html").read_text("utf-8")
URL = "https://tea.example/posts/steeping?utm=1"


def test_open_graph_comes_first():
    card = parse_card(PAGE, URL)

    assert {key: card[key] for key in ("title", "description", "site", "type")} == {
        "title": "Steeping, properly",
        "description": "Three minutes & not more.",
        "site": "Tea",
        "type": "article",
    }


def test_addresses_are_absolute():
    card = parse_card(PAGE, URL)

    assert card["url"] == "https://tea.example/posts/steeping"
    assert card["image"] == "https://tea.example/img/cup.png"
    assert card["icon"] == "https://tea.example/favicon.svg"


def test_all_tags_are_there_and_the_first_of_a_name_counts():
    tags = parse_card(PAGE, URL)["tags"]

    assert tags["og:image"] == "/img/cup.png"
    assert tags["twitter:card"] == "summary_large_image"
    assert "viewport" not in tags


def test_a_plain_page_has_its_title_and_description():
    card = parse_card(
        "<title>Plain</title><meta name=description content=words>", "https://x.example/"
    )

    assert (card["title"], card["description"], card["url"]) == (
        "Plain",
        "words",
        "https://x.example/",
    )
    assert (card["image"], card["tags"]) == ("", {})
