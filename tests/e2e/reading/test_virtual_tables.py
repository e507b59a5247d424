"""Tables that keep only the rows near their window in the page."""

import signal
import threading

import pytest

from support.cli import CALL_S
from support.running import owned

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]

COUNT = 500
# A grid of 500 rows of which about a dozen are in the page. Rows are drawn anew in the frame after
# a scroll, in an order of their own, as in common libraries; `late` draws their words later still.
GRID = """<div {grid} style="width:400px">
<div role=row {head}><div role=columnheader aria-colindex=1>No</div>
<div role=columnheader aria-colindex=2>Name</div></div>
<div id=view style="height:200px;overflow:auto">
<div id=body role=rowgroup style="position:relative"></div></div></div>
<script>
const HIGH = 20, COUNT = {count}, view = document.getElementById("view");
const body = document.getElementById("body");
body.style.height = COUNT * HIGH + "px";
const cell = (words) => `<div role=gridcell style="display:inline-block">${{words}}</div>`;
function draw() {{
  const from = Math.max(0, Math.floor(view.scrollTop / HIGH) - 1);
  const rows = [];
  for (let at = from; at < Math.min(COUNT, from + 13); at += 1) {{
    const index = {numbered} ? `aria-rowindex=${{at + 2}}` : "";
    const place = `position:absolute;height:20px;top:${{at * HIGH}}px`;
    const cells = cell(at % 50) + cell("n" + at);
    rows.push(`<div role=row ${{index}} style="${{place}}">${{cells}}</div>`);
  }}
  body.innerHTML = rows.reverse().join("");
}}
let asked = 0;
view.addEventListener("scroll", () => {{
  cancelAnimationFrame(asked);
  asked = requestAnimationFrame(() => setTimeout(draw, {late}));
}});
draw();
</script>"""


def grid(*, numbered: bool, late: int = 0, count: int = COUNT) -> str:
    counted = f"role=grid aria-rowcount={count + 1}" if numbered else "role=grid"
    head = "aria-rowindex=1" if numbered else ""
    return GRID.format(
        grid=counted, head=head, numbered=str(numbered).lower(), late=late, count=count
    )


def expected(count: int = COUNT) -> list[dict[str, str]]:
    return [{"No": str(at % 50), "Name": f"n{at}"} for at in range(count)]


def test_rows_that_are_not_in_the_page_are_told(browser, site):
    browser.post("goto", site.page("/grid", grid(numbered=True)))

    note = "(13 of 500 rows are in the page: --all collects them)"
    assert note in browser.ok("table").out
    facts = browser.ok("table", "--json").json
    assert (facts["inPage"], facts["total"], facts["estimated"]) == (13, 500, False)


def test_a_page_that_does_not_count_its_rows_is_measured(browser, site):
    browser.post("goto", site.page("/grid", grid(numbered=False)))

    assert "13 of about 500 rows are in the page" in browser.ok("table").out


@pytest.mark.parametrize(("numbered", "late"), [(True, 0), (True, 90), (False, 0), (False, 90)])
def test_all_rows_are_collected_in_order(browser, site, numbered, late):
    browser.post("goto", site.page("/grid", grid(numbered=numbered, late=late, count=120)))

    ran = browser.ok("table", "--all", "--json")

    assert ran.json["page"]["rows"] == expected(120)
    assert ran.json["problem"] == ""


def test_a_long_grid_goes_into_a_file(browser, site, tmp_path):
    browser.post("goto", site.page("/grid", grid(numbered=True)))
    file = tmp_path / "rows.csv"

    ran = browser.ok("table", "--all", "--out", str(file))

    assert "(500 rows collected)" in ran.out
    lines = file.read_text("utf-8").splitlines()
    assert lines == ["No,Name", *(f"{at % 50},n{at}" for at in range(COUNT))]


def test_a_grid_stands_afterwards_where_it_stood(browser, site):
    browser.post("goto", site.page("/grid", grid(numbered=True, count=60)))
    browser.ok("js", "document.getElementById('view').scrollTop = 333")

    assert len(browser.ok("table", "--all", "--json").json["page"]["rows"]) == 60

    assert browser.ok("js", "document.getElementById('view').scrollTop").page == "333"


def test_a_grid_that_scrolls_with_the_page(browser, site):
    # Rows of an HTML table between two that only take room; it begins a little too far below.
    html = """<h1>Long</h1><table><thead><tr><th>No<th>Name</thead><tbody></table><script>
    const HIGH = 30, COUNT = 100, body = document.querySelector("tbody");
    const space = (rows) => `<tr style="height:${rows * HIGH}px"><td colspan=2></td></tr>`;
    function draw() {
      const top = scrollY - body.offsetTop;
      const from = Math.min(COUNT - 40, Math.max(0, Math.floor(top / HIGH)));
      let rows = from ? space(from) : "";
      for (let at = from; at < from + 40; at += 1)
        rows += `<tr style="height:30px"><td>${at % 50}<td>n${at}</tr>`;
      body.innerHTML = rows + (from + 40 < COUNT ? space(COUNT - from - 40) : "");
    }
    addEventListener("scroll", () => requestAnimationFrame(draw));
    draw();
    </script><style>table{border-spacing:0} td{padding:0}</style>"""
    browser.post("goto", site.page("/page", html))

    assert "40 of about 100 rows" in browser.ok("table").out
    assert browser.ok("table", "--all", "--json").json["page"]["rows"] == expected(100)


@pytest.mark.parametrize(
    "html",
    [
        "<div style='height:100px;overflow:auto'><table>{rows}</table></div>",
        "<div style='height:5000px'><p>tall</p><table>{rows}</table></div>",
        "<div style='height:90px;overflow:auto'><table>{rows}</table><p style=height:900px>m</div>",
        "<table>{rows}</table><div style=height:4000px></div>",
    ],
)
def test_a_table_that_is_all_there_is_not_called_a_part(browser, site, html):
    rows = "<tr><th>A<th>B" + "".join(f"<tr><td>{at}<td>b" for at in range(30))
    browser.post("goto", site.page("/whole", html.format(rows=rows)))

    assert "rows are in the page" not in browser.ok("table").out


def test_rows_on_other_pages_are_not_promised_to_scrolling(browser, site):
    rows = "".join(f"<div role=row><i role=gridcell>{at}</i></div>" for at in range(10))
    browser.post("goto", site.page("/paged", f"<div role=grid aria-rowcount=90>{rows}</div>"))

    assert "10 of 90 rows are in the page: --pages N" in browser.ok("table").out
    ran = browser.ok("table", "--all")
    assert "80 rows may be on other pages" in ran.out


def test_a_table_that_grows_at_its_end_is_followed(browser, site):
    html = """<table id=t><tr><th>No<th>Name</table><script>
    let count = 0;
    function more() {
      for (let i = 0; i < 30; i += 1, count += 1)
        t.insertAdjacentHTML("beforeend", `<tr><td>${count % 50}<td>n${count}`);
    }
    more(); more();
    addEventListener("scroll", () => {
      const isEnd = innerHeight + scrollY > document.documentElement.scrollHeight - 50;
      if (isEnd && count < 120) setTimeout(more, 100);
    });
    </script>"""
    browser.post("goto", site.page("/grows", html))

    assert browser.ok("table", "--all", "--json").json["page"]["rows"] == expected(120)


def test_a_grid_that_is_interrupted_stands_where_it_stood(browser, site):
    scrolled = threading.Event()

    def note(request) -> None:
        scrolled.set()
        request.send_response(204)
        request.end_headers()

    site.answer("/far", note)
    tells = "<script>view.onscroll = () => view.scrollTop > 900 && fetch('/far')</script>"
    browser.post("goto", site.page("/grid", grid(numbered=True, late=60, count=5000) + tells))
    browser.ok("js", "view.scrollTop = 444")

    with owned(browser.start("table", "--all")) as running:
        assert scrolled.wait(CALL_S)
        running.send_signal(signal.SIGINT)
        assert running.wait(CALL_S) == 130

    assert browser.ok("js", "view.scrollTop").page == "444"
