"""Headers and columns of grids, which are not always where those of HTML tables are."""

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]

ADA = [{"Name": "Ada", "Age": "36"}]
AGED = [*ADA, {"Name": "Bob", "Age": "7"}]


def cell(words: str, at: int = 0, role: str = "gridcell") -> str:
    index = f" aria-colindex={at}" if at else ""
    return f"<div role={role}{index}>{words}</div>"


def row(*cells: str, at: int = 0) -> str:
    index = f" aria-rowindex={at}" if at else ""
    return f"<div role=row{index}>{''.join(cells)}</div>"


def head(*names: str) -> str:
    return "".join(cell(name, role="columnheader") for name in names)


LOOSE_HEADS = (
    f"<div role=grid><div role=rowgroup><div>{head('Name', 'Age')}</div></div>"
    f"<div role=rowgroup>{row(cell('Ada'), cell('36'))}</div></div>"
)
WRAPPED_CELLS = (
    f"<div role=grid><div><div role=row><span>{head('Name', 'Age')}</span></div></div>"
    f"<div role=row><div>{cell('Ada')}</div><div>{cell('36')}</div></div></div>"
)
OWNED_ROWS = (
    "<div role=grid aria-owns='top body'></div><p>between</p>"
    f"<div id=top>{row(head('Name', 'Age'))}</div>"
    f"<div id=body>{row(cell('Ada'), cell('36'))}</div>"
)
# The order of the page is not the order in which rows and columns are seen.
SHUFFLED = (
    "<div role=treegrid>"
    + row(cell("Age", 2, "columnheader"), cell("Name", 1, "columnheader"), at=1)
    + row(cell("7", 2), cell("Bob", 1), at=3)
    + row(cell("Ada", 1), cell("36", 2), at=2)
    + "</div>"
)
# Columns that stay are in other elements than those that scroll.
PINNED = (
    "<div role=grid><div role=rowgroup>"
    + row(cell("Name", 1, "columnheader"), at=1)
    + "</div><div role=rowgroup>"
    + row(cell("Age", 2, "columnheader"), at=1)
    + "</div><div role=rowgroup>"
    + row(cell("Ada", 1), at=2)
    + row(cell("Bob", 1), at=3)
    + "</div><div role=rowgroup>"
    + row(cell("36", 2), at=2)
    + row(cell("7", 2), at=3)
    + "</div></div>"
)
# A header that stays while the table below it scrolls.
APART = (
    "<div><div><table><thead><tr><th>Name<th>Age<th class=bar></thead></table></div>"
    "<div style='height:60px;overflow:auto'><table><tr><td>Ada<td>36<tr><td>Bob<td>7</table></div>"
    "</div>"
)
# A column that is not in the page, because it is far from the window.
FAR = (
    "<div role=grid aria-colcount=9>"
    + row(cell("Name", 1, "columnheader"), cell("Age", 8, "columnheader"), at=1)
    + row(cell("Ada", 1), cell("36", 8), at=2)
    + "</div>"
)


@pytest.mark.parametrize(
    ("html", "rows"),
    [
        (LOOSE_HEADS, ADA),
        (WRAPPED_CELLS, ADA),
        (OWNED_ROWS, ADA),
        (SHUFFLED, AGED),
        (PINNED, AGED),
        (APART, AGED),
        (FAR, ADA),
    ],
    ids=["heads in no row", "wrapped cells", "owned", "shuffled", "pinned", "apart", "far"],
)
def test_a_grid_as_rows(browser, site, html, rows):
    browser.post("goto", site.page("/grid", html))

    assert browser.ok("table", "--json").json["page"]["rows"] == rows


def test_columns_that_are_not_in_the_page_are_told(browser, site):
    browser.post("goto", site.page("/grid", FAR))

    assert "2 of 9 columns are in the page" in browser.ok("table").out
    assert browser.ok("table", "--json").json["columnsTotal"] == 9


def test_a_table_of_nothing_but_heads_is_no_header_of_an_unlike_one(browser, site):
    html = "<table><tr><th>a<th>b</table><table><tr><th>A<th>B<th>C<tr><td>1<td>2<td>3</table>"
    browser.post("goto", site.page("/grid", html))

    assert [it["columns"] for it in browser.ok("table", "--json").json["page"]["tables"]] == [
        ["column 1", "column 2"],
        ["A", "B", "C"],
    ]
