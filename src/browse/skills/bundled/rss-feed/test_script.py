from pathlib import Path

from script import parse_feed

FIXTURES = Path(__file__).parent / "fixtures"


def feed(name: str) -> dict:
    found = parse_feed((FIXTURES / name).read_text("utf-8"))
    assert found is not None
    return found


def test_rss_as_the_browsers_tree():
    found = feed("tea-example-rss-2026-11-16.html")

    assert (found["title"], found["link"], found["count"]) == (
        "Tea news",
        "https://tea.example/",
        2,
    )
    assert found["entries"][0] == {
        "title": "Assam & co",
        "link": "https://tea.example/1?a=1&b=2",
        "date": "Mon, 16 Nov 2026 08:00:00 GMT",
        "id": "tea-1",
        "summary": "Strong, with milk.",
    }


def test_atom_as_text():
    found = feed("tea-example-atom-2026-11-16.html")

    assert (found["title"], found["link"], found["count"]) == (
        "Tea blog",
        "https://tea.example/",
        1,
    )
    assert found["entries"][0] == {
        "title": "Steeping < boiling",
        "link": "https://tea.example/steeping",
        "date": "2026-11-15T10:00:00Z",
        "id": "urn:tea:9",
        "summary": "Three minutes.",
    }


def test_an_image_of_the_channel_is_not_its_title():
    assert feed("tea-example-rss-2026-11-16.html")["title"] != "A leaf"


def test_a_page_is_no_feed():
    assert parse_feed("<html><body><pre>hello</pre></body></html>") is None
