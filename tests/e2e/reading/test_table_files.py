"""`table --out`: rows in files."""

import csv
import json

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]

TABLE = '<table><tr><th>Name<th>Note<tr><td>Ada<td>a, "b" | c<tr><td>Zoë<td>2</table>'


@pytest.fixture
def page(browser, site):
    browser.post("goto", site.page("/files", TABLE))
    return browser


def test_rows_are_written_as_csv(page, tmp_path):
    file = tmp_path / "deep" / "rows.csv"

    ran = page.ok("table", "--out", str(file))

    assert ran.out.startswith(f"Table written: {file} (2 rows, 2 columns, ")
    with file.open(newline="", encoding="utf-8") as opened:
        rows = list(csv.reader(opened))
    assert rows == [["Name", "Note"], ["Ada", 'a, "b" | c'], ["Zoë", "2"]]


def test_rows_are_written_as_json(page, tmp_path):
    file = tmp_path / "rows.json"

    facts = page.ok("table", "--out", str(file), "--json").json

    assert json.loads(file.read_text("utf-8")) == [
        {"Name": "Ada", "Note": 'a, "b" | c'},
        {"Name": "Zoë", "Note": "2"},
    ]
    assert (facts["path"], facts["rows"], facts["columns"]) == (str(file), 2, 2)


def test_rows_are_written_as_markdown(page, tmp_path):
    file = tmp_path / "rows.md"

    page.ok("table", "--out", str(file))

    assert file.read_text("utf-8").splitlines()[0] == "| Name | Note        |"


def test_a_file_gets_all_rows_however_few_are_shown(browser, site, tmp_path):
    rows = "".join(f"<tr><td>{number}<td>{'x' * 50}" for number in range(2000))
    browser.post("goto", site.page("/long", f"<table><tr><th>No<th>It{rows}</table>"))
    file = tmp_path / "rows.csv"

    browser.ok("table", "--out", str(file), "--max-chars", "500")

    assert len(file.read_text("utf-8").splitlines()) == 2001


def test_a_file_outside_of_the_project_is_refused(page):
    ran = page.browse("table", "--out", "/etc/rows.csv")

    assert ran.code == 4
    assert "Path must be within" in ran.err


def test_several_tables_go_into_no_file(browser, site, tmp_path):
    browser.post("goto", site.page("/two", TABLE + TABLE))

    ran = browser.browse("table", "--out", str(tmp_path / "x.csv"))

    assert "There are 2 tables and lists" in ran.err
    assert not (tmp_path / "x.csv").exists()


def test_the_pages_of_a_large_table_in_json_are_all_of_it(browser, site):
    rows = "".join(f"<tr><td>{number}<td>{'x' * 50}" for number in range(3000))
    browser.post("goto", site.page("/long", f"<table><tr><th>No<th>It{rows}</table>"))

    first = browser.ok("table", "--json").json
    note = first["truncated"]
    rest = browser.ok("table", "--json", "--max-chars", "0", "--after", str(note["next"])).json

    assert (note["field"], note["of"]) == ("page.rows", 3000)
    found = first["page"]["rows"] + rest["page"]["rows"]
    assert [row["No"] for row in found] == [str(number) for number in range(3000)]


def test_a_longer_part_of_a_large_table_begins_with_the_same_words(browser, site):
    rows = "".join(f"<tr><td>{number}<td>{'x' * (number // 100)}" for number in range(3000))
    browser.post("goto", site.page("/long", f"<table><tr><th>No<th>It{rows}</table>"))

    short = browser.ok("table", "--max-chars", "20000")
    whole = browser.ok("table", "--max-chars", "0").page

    assert whole.startswith(short.page)
    assert "more was not read: add --after" in short.out
