"""Tables and lists of alike things as rows."""

import pytest

pytestmark = pytest.mark.e2e

CARD = """<article class="card{more}"><a href=/p/{n}><img src=x alt="{name}"></a>
<h3 class=card__title><a href=/p/{n}>{name}</a></h3><span class=price>{price}</span>
{tags}<button>Add</button></article>"""
CARDS = "".join(
    CARD.format(n=n, name=name, price=price, more=more, tags=tags)
    for n, name, price, more, tags in [
        (1, "Blue cup", "$4", " featured", "<ul class=tags><li>new<li>sale</ul>"),
        (2, "Red cup", "$5", "", ""),
        (3, "Old cup", "$6", "", ""),
    ]
)


@pytest.fixture
def show(browser, site):
    def go(html: str):
        browser.post("goto", site.page("/table", html))
        return browser

    return go


@pytest.mark.parametrize(
    ("html", "rows"),
    [
        (
            "<table><thead><tr><th>Name<th>N</thead><tbody><tr><td>a<td>1<tr><td>b<td>2</table>",
            [{"Name": "a", "N": "1"}, {"Name": "b", "N": "2"}],
        ),
        (
            "<table><tr><th rowspan=2>Item<th colspan=2>Cost<tr><th>Net<th>Gross"
            "<tr><td rowspan=2>a<td>1<td>2<tr><td colspan=2>3</table>",
            [
                {"Item": "a", "Cost / Net": "1", "Cost / Gross": "2"},
                {"Item": "a", "Cost / Net": "3", "Cost / Gross": "3"},
            ],
        ),
        (
            "<table border=1><tr><td>City<td>People<tr><td>Rome<td>2,800,000"
            "<tr style=display:none><td>x<td>1<tr><td>Oslo<td>700 000</table>",
            [{"City": "Rome", "People": "2,800,000"}, {"City": "Oslo", "People": "700 000"}],
        ),
        (
            "<table border=1><tr><td>a<td>b<tr><td>c<td>d</table>",
            [{"column 1": "a", "column 2": "b"}, {"column 1": "c", "column 2": "d"}],
        ),
        (
            "<table border=1><tr><th>Height<td>3 m<tr><th>Depth<td>2 m</table>",
            [
                {"column 1": "Height", "column 2": "3 m"},
                {"column 1": "Depth", "column 2": "2 m"},
            ],
        ),
        (
            "<div role=grid><div role=row><i role=columnheader>Name</i><i role=columnheader>On</i>"
            "</div><div role=row><i role=gridcell>a</i><i role=gridcell><input type=checkbox "
            "checked></i></div></div>",
            [{"Name": "a", "On": "✓"}],
        ),
        (
            "<table><tfoot><tr><td>sum<td>3</tfoot><tr><th>A<th>B<tr><td>1<td>2</table>",
            [{"A": "1", "B": "2"}, {"A": "sum", "B": "3"}],
        ),
    ],
    ids=["thead", "spans", "first row", "no header", "row headers", "roles", "foot"],
)
def test_a_table_as_rows(show, html, rows):
    assert show(html).ok("table", "--json").json["page"]["rows"] == rows


def test_alike_things_as_rows(show, site):
    page = show(f"<nav><a href=/>x</a></nav><div class=grid>{CARDS}</div>")

    assert page.ok("table", "--csv").page == (
        "title,price,tags,href\n"
        f'Blue cup,$4,"new, sale",{site.url}/p/1\n'
        f"Red cup,$5,,{site.url}/p/2\n"
        f"Old cup,$6,,{site.url}/p/3"
    )


def test_a_list_that_is_named_needs_no_second_column(show, site):
    page = show("<ul><li><a href=/1>One</a><li><a href=/2>Two</a><li><a href=/3>Three</a></ul>")

    assert "has no table" in page.browse("table").err
    assert page.ok("table", "ul").page.splitlines()[2:] == [
        f"| {name:<5} | {site.url}/{n} |" for n, name in enumerate(["One", "Two", "Three"], 1)
    ]


NESTED = (
    "<table><caption>Outer</caption><tr><th>A<th>B<tr><td>1<td>own"
    "<table><tr><th>C<th>D<tr><td>3<td>4</table></table>"
)


def test_several_tables_are_listed_and_one_is_chosen(show):
    page = show(NESTED)

    assert page.ok("table").page == (
        '1. table "Outer": 1 row, 2 columns (A, B)\n2. table: 1 row, 2 columns (C, D)\n'
        "(choose one: browse table --nth 1)"
    )
    assert page.ok("table", "--nth", "1", "--csv").page == "A,B\n1,own"
    assert page.ok("table", "--nth", "2", "--csv").page == "C,D\n3,4"
    assert page.ok("table", 'role=table[name="Outer"]', "--csv", "--nth", "1").page == "A,B\n1,own"
    assert [it["nth"] for it in page.ok("table", "--json").json["page"]["tables"]] == [1, 2]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["--csv"], 3, "There are 2 tables and lists; this takes one of them."),
        (["--nth", "3"], 3, "The page has 2 tables; there is no number 3."),
        (["--nth", "0"], 2, "--nth: '0' is not a whole number"),
        (["caption"], 3, "'caption' has no table and no list of similar items."),
        (["#nowhere"], 3, "Nothing on the page matches '#nowhere'."),
    ],
)
def test_a_table_that_is_not_there(show, words, code, message):
    ran = show(NESTED).browse("table", *words)

    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err


def test_spans_cannot_blow_a_table_up(show):
    wide = (
        "<div role=row>" + "<i role=cell aria-colspan=1000 aria-rowspan=9000>x</i>" * 5 + "</div>"
    )
    page = show(f"<div role=table>{wide * 900}</div>")

    assert page.ok("table").page.endswith("the remaining rows are left out)")
