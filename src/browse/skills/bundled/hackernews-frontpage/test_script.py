from pathlib import Path

from script import parse_stories

FIXTURE = Path(__file__).parent / "fixtures" / "news-ycombinator-com-2026-11-16.html"
PAGE = FIXTURE.read_text("utf-8")


def test_every_story_is_found_in_order():
    stories = parse_stories(PAGE)

    assert [story["rank"] for story in stories] == [1, 2, 3, 4, 5]
    assert [story["id"] for story in stories] == [f"4100000{n}" for n in range(1, 6)]


def test_points_and_comments_are_numbers_or_null():
    counts = [(story["points"], story["comments"]) for story in parse_stories(PAGE)]

    assert counts == [(412, 87), (298, 152), (None, None), (156, 0), (73, 12)]


def test_entities_are_decoded():
    first = parse_stories(PAGE)[0]

    assert first["title"] == "How long to steep Assam & Darjeeling"
    assert first["url"] == "https://tea.example/steeping?a=1&b=2"


def test_an_address_of_the_site_itself_is_made_absolute():
    assert parse_stories(PAGE)[1]["url"] == "https://news.ycombinator.com/item?id=41000002"


def test_a_row_without_a_title_keeps_its_rank():
    cut = PAGE.replace('<span class="titleline"><a href="item?id=41000002">', "<span><a>", 1)

    assert [story["rank"] for story in parse_stories(cut)] == [1, 3, 4, 5]


def test_a_page_without_stories_gives_none():
    assert parse_stories("<html><body><p>Sorry.</p></body></html>") == []
