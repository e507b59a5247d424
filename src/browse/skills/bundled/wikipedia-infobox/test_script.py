from pathlib import Path

from script import address, parse_article

PAGE = (Path(__file__).parent / "fixtures" / "en-wikipedia-org-2026-11-16.html").read_text("utf-8")


def test_title_and_summary_are_found():
    found = parse_article(PAGE)

    assert found["title"] == "Green tea"
    assert found["summary"].startswith("Green tea is a type of tea made from Camellia sinensis")
    assert "[1]" not in found["summary"]


def test_the_infobox_is_a_table_of_facts():
    assert parse_article(PAGE)["infobox"] == {
        "Type": "Tea",
        "Other names": "Lucha 绿茶",
        "Origin": "China",
        "Quick description": "Tea with little oxidation",
    }


def test_a_table_has_columns_and_rows():
    (table,) = parse_article(PAGE)["tables"]

    assert table["caption"] == "Production in 2024"
    assert table["columns"] == ["Country", "Tonnes"]
    assert table["rows"] == [["China", "3,180,000"], ["Japan", "75,200"]]


def test_an_article_without_a_box_gives_none():
    found = parse_article("<h1 id=firstHeading>X</h1><div class=mw-parser-output><p>Y</p></div>")

    assert found == {"title": "X", "summary": "Y", "infobox": {}, "tables": []}


def test_a_title_becomes_an_address_and_an_address_stays():
    assert address("Green tea", "de") == "https://de.wikipedia.org/wiki/Green_tea"
    assert address("http://127.0.0.1/x", "de") == "http://127.0.0.1/x"
