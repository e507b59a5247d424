"""Grids of real libraries, which keep only the rows near their window in the page."""

import pytest
from tools.javascript import CHECKERS

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]

COUNT = 300
ROWS = "Array.from({length: 300}, (_, id) => ({id, name: 'n' + id, sold: id % 3 === 0}))"
AG_GRID = f"""<script src=/library.js></script><div id=grid style="height:400px;width:700px"></div>
<script>agGrid.createGrid(document.getElementById("grid"), {{
  columnDefs: [
    {{field: "id", pinned: "left"}}, {{field: "name"}},
    {{field: "sold", cellDataType: "boolean"}},
  ],
  rowData: {ROWS},
}});</script>"""
TABULATOR = f"""<script src=/library.js></script><link rel=stylesheet href=/library.css>
<div id=grid></div>
<script>new Tabulator("#grid", {{
  height: 400, layout: "fitColumns", data: {ROWS},
  columns: [
    {{title: "Id", field: "id"}}, {{title: "Name", field: "name"}},
    {{title: "Sold", field: "sold", formatter: "tickCross"}},
  ],
}});</script>"""


def expected() -> list[dict[str, str]]:
    return [
        {"Id": str(at), "Name": f"n{at}", "Sold": "✗" if at % 3 else "✓"} for at in range(COUNT)
    ]


@pytest.fixture
def serve(browser, site):
    """Open a page with a library, as npm installs it where `tools/js` pins it; else skip."""

    def go(page: str, script: str, style: str = "") -> None:
        if reason := CHECKERS.why_not():
            pytest.skip(f"the libraries are not here: {reason}")
        code = (CHECKERS.modules / script).read_bytes()
        site.page("/library.js", code, content_type="text/javascript; charset=utf-8")
        if style:
            sheet = (CHECKERS.modules / style).read_bytes()
            site.page("/library.css", sheet, content_type="text/css")
        browser.post("goto", site.page("/library", page))
        browser.ok("wait", "--text", "n5")

    return go


def test_ag_grid(browser, serve):
    serve(AG_GRID, "ag-grid-community/dist/ag-grid-community.min.js")

    assert f"of {COUNT} rows are in the page: --all collects them" in browser.ok("table").out
    ran = browser.ok("table", "--all", "--json").json
    assert ran["page"]["rows"] == expected()


def test_tabulator(browser, serve):
    folder = "tabulator-tables/dist"
    serve(TABULATOR, f"{folder}/js/tabulator.min.js", f"{folder}/css/tabulator.min.css")

    assert f"40 of about {COUNT} rows are in the page: --all" in browser.ok("table").out
    assert browser.ok("table", "--all", "--json").json["page"]["rows"] == expected()
