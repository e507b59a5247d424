"""Datasette: tables of facts, which a person has an agent look through."""

import csv
import io
import sqlite3

import pytest

from support.named import told_apart

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]
KINDS = ("tree", "shrub", "herb", "fern")
MANY = 20_000
MONTHS = 11


def plants():
    """List the plants: a number, a name, a kind, a height, the day on which each was found."""
    for number in range(1, MANY + 1):
        found = f"{1990 + number % 35}-{1 + number % MONTHS:02d}-{1 + number % 27:02d}"
        yield number, f"Plant {number}", KINDS[number % 4], number * 37 % 5003 / 10, found


@pytest.fixture(scope="module")
def garden(application, serve, tmp_path_factory):
    folder = tmp_path_factory.mktemp("garden")
    with sqlite3.connect(folder / "garden.db") as database:
        columns = "id integer primary key, name text, kind text, height real, found text"
        database.execute(f"create table plants({columns})")
        database.executemany("insert into plants values(?, ?, ?, ?, ?)", plants())
    words = ("-m", "datasette", "serve", "garden.db", "--host", "127.0.0.1", "--port", "{port}")
    settings = ("--setting", "max_returned_rows", str(MANY), "--setting", "default_page_size", "20")
    return serve(application.python, *words, *settings, folder=folder, ready="/-/versions.json")


@pytest.fixture
def rows(garden):
    """Ask the database itself."""

    def ask(query):
        with sqlite3.connect(garden.folder / "garden.db") as database:
            return database.execute(query).fetchall()

    return ask


@pytest.mark.job("How many ferns are there?")
def test_filtering(job, garden, rows):
    job("goto", f"{garden.url}/garden/plants")
    job("find", "filter")
    column, value = job.ref("combobox", near="column"), job.ref("textbox", near="value")
    job("chain", f"select {column} kind | fill {value} fern | click text=Apply")
    said = job("text").page

    count = rows("select count(*) from plants where kind = 'fern'")[0][0]
    assert f"{count:,} rows where kind = " in said


@pytest.mark.job("How many plants of each kind are there?")
def test_a_facet(job, garden, rows):
    job("goto", f"{garden.url}/garden/plants")
    job("find", "facets")
    job("click", job.ref("link", "kind"))
    said = job("text").page

    counts = dict(rows("select kind, count(*) from plants group by kind"))
    assert {kind: count for kind, count in counts.items() if f"{kind} {count:,}" in said} == counts


@pytest.mark.job("Which is the tallest plant? Sort them by height.")
def test_sorting_by_the_menu_of_a_column(job, garden, rows):
    job("goto", f"{garden.url}/garden/plants")
    job("find", "height")
    job("click", job.ref("cursor:pointer, listener", near="height"), "--snapshot")
    job("click", job.ref("link", "Sort descending"))
    said = job("table").page

    tallest = rows("select name from plants order by height desc limit 1")[0][0]
    assert said.splitlines()[2].split("|")[2].strip() == tallest


QUERY = """select kind, count(*) as many
from plants
where height > 400
group by kind
order by kind"""


@pytest.mark.job("Run a query of mine and tell me what comes out.")
def test_a_query_in_the_editor(job, garden, rows):
    job("goto", f"{garden.url}/garden?sql=select+1")
    job("snapshot", "-i")
    job("fill", job.ref("textbox"), QUERY)
    job("click", job.ref("button", "Run SQL"))
    said = job("table").page

    told = [tuple(it.strip() for it in line.split("|")[1:3]) for line in said.splitlines()[2:]]
    assert told == [(kind, str(many)) for kind, many in rows(QUERY)]


@pytest.mark.job("Save me the herbs that are below 2 m as CSV.")
def test_an_export(job, garden, rows, browser):
    job("goto", f"{garden.url}/garden/plants?kind=herb")
    job("find", "filter")
    column, value = job.ref("combobox", near="_column]"), job.ref("textbox", near="_value]")
    job("select", column, "height")
    job("select", job.ref("combobox", near="_op]"), "<")
    job("fill", value, "2")
    job("press", "Enter")
    job("download", "text=CSV", "herbs.csv")

    saved = csv.DictReader(io.StringIO((browser.root / "herbs.csv").read_text()))
    low = rows("select name from plants where kind = 'herb' and height < 2 order by id")
    assert [row["name"] for row in saved] == [name for (name,) in low]


@pytest.mark.job("Go to the last page of the ferns and tell me the last one.")
def test_paging(job, garden, rows):
    job("goto", f"{garden.url}/garden/plants?kind=fern&id__gt=19900")
    job("click", "text=Next page")
    said = job("table").page

    last = rows("select name from plants where kind = 'fern' order by id desc limit 1")[0][0]
    assert said.splitlines()[-1].split("|")[2].strip() == last


@pytest.mark.large
@pytest.mark.job("All plants on one page, please: how tall is Plant 19998?")
def test_a_page_of_twenty_thousand_rows(job, garden, rows):
    job("goto", f"{garden.url}/garden/plants?_size=max")
    said = job("text", "xpath=//tr[td='Plant 19998']").page

    assert str(rows("select height from plants where name = 'Plant 19998'")[0][0]) in said.split()


@pytest.mark.job("Open plant 77 and tell me all that is known of it.")
def test_a_row_has_a_page(job, garden, rows):
    job("goto", f"{garden.url}/garden/plants?id__gt=70")
    job("click", "text='77'")
    said = job("table").page

    ((_, *facts),) = rows("select * from plants where id = 77")
    assert [it for it in facts if str(it) not in said] == []


@pytest.mark.job("How many trees were found in 1999?")
def test_two_filters(job, garden, rows):
    job("goto", f"{garden.url}/garden/plants?kind=tree")
    job("find", "filter")
    column, value = job.ref("combobox", near="_column]"), job.ref("textbox", near="_value]")
    job("chain", f"select {column} found | fill {value} 1999")
    job("select", job.ref("combobox", near="_op]"), "starts with")
    job("click", "text=Apply")

    trees = "select count(*) from plants where kind = 'tree' and found like '1999%'"
    assert f"{rows(trees)[0][0]:,} rows where" in job("text").page


@pytest.mark.job("Take the table's own query, and show me only the names and heights above 500.")
def test_the_query_of_a_table_is_edited(job, garden, rows):
    job("goto", f"{garden.url}/garden/plants")
    job("click", "text=View and edit SQL", "--snapshot")
    query = "select name, height from plants where height > 500 order by height"
    job("fill", job.ref("textbox"), query)
    job("click", "text=Run SQL")
    said = job("table").page

    told = [tuple(it.strip() for it in line.split("|")[1:3]) for line in said.splitlines()[2:]]
    assert told == [(name, str(height)) for name, height in rows(query)]


def test_what_can_be_operated_can_be_told_apart(browser, garden):
    browser.ok("goto", f"{garden.url}/garden/plants")

    assert told_apart(browser) >= 0.98
