from browse.sdk.browse_client import parse
from browse.skills.recording import pieces
from support.flows import PAGE


def test_words_of_nothing_are_none():
    assert pieces.words(None) == ""
    assert pieces.words(parse(PAGE).first("h1")) == "Tea shop"


def test_rows_go_by_their_header():
    assert pieces.rows(parse(PAGE).first("table")) == [
        {"name": "Assam & co", "price": "3 €"},
        {"name": "Ceylon", "price": "4 €"},
    ]
    assert pieces.rows(None) == []


def test_columns_without_a_header_are_numbered():
    table = parse("<table><tr><td>a<td>b</tr><tr><th>c</th><td>d</td></tr></table>")

    assert pieces.rows(table)[-1] == {"column 1": "c", "column 2": "d"}


def test_links_have_words_and_whole_addresses():
    page = parse('<a href="x">one</a><a href="y"><img></a><a>none</a>')

    found = [{"text": "one", "href": "https://a.example/b/x"}]
    assert pieces.links(page, "https://a.example/b/c") == found


def test_a_query_gets_other_values():
    url = pieces.with_query("https://a.example/?q=tea&page=2&empty=#top", {"q": "a&b", "new": "x"})

    assert url == "https://a.example/?q=a%26b&page=2&empty=#top"
