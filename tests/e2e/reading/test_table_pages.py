"""`table --pages`: a table that is spread over pages, in one call."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]

PAGES, SIZE = 4, 3
HEAD = "<table><thead><tr><th>No<th>Name</thead><tbody>"
# Pages that a script fills in: `show(page)` draws one, `go()` leads to the next.
SCRIPTED = """<table><thead><tr><th>No<th>Name</thead><tbody id=body></tbody></table>
<button id=next onclick="go()">Next</button>
<script>
let page = 0;
const PAGES = 4, SIZE = 3, next = document.getElementById("next");
function rowsOf(page) {{
  return Array.from({{length: SIZE}}, (_, i) => [page * SIZE + i, "n" + (page * SIZE + i)]);
}}
function show(rows) {{
  document.getElementById("body").innerHTML =
    rows.map(([no, name]) => `<tr><td>${{no}}<td>${{name}}`).join("");
  {after}
}}
{go}
show(rowsOf(0));
</script>"""
DISABLES = "next.disabled = page === PAGES - 1;"
LATER = "function go() {{ setTimeout(() => show(rowsOf(++page)), {ms}); }}"
ASKS = "async function go() { show(await (await fetch(`/rows?page=${++page}`)).json()); }"
CLEARS = (
    "async function go() { show([]); show(await (await fetch(`/rows?page=${++page}`)).json()); }"
)
SPINS = """function go() {
  show([["Loading", ""]]);
  setTimeout(() => show(rowsOf(++page)), 390);
}"""
GROWS = """let all = rowsOf(0);
function go() { all = [...all, ...rowsOf(++page)]; setTimeout(() => show(all), 50); }"""


def rows(pages: int = PAGES) -> list[dict[str, str]]:
    return [{"No": str(at), "Name": f"n{at}"} for at in range(pages * SIZE)]


def scripted(go: str, after: str = DISABLES) -> str:
    return SCRIPTED.format(go=go, after=after)


@pytest.fixture
def serve(site):
    """Answer /rows?page=N with rows, and /list?page=N with a page that leads to the next one."""

    def answer(path: str, delay_s: float = 0.0, last: int = PAGES - 1) -> None:
        def reply(request) -> None:
            page = int(parse_qs(urlsplit(request.path).query).get("page", ["0"])[0])
            site.closing.wait(delay_s if page else 0.0)
            numbers = range(page * SIZE, (page + 1) * SIZE)
            if path == "/rows":
                body = json.dumps([[at, f"n{at}"] for at in numbers])
            else:
                filled = "".join(f"<tr><td>{at}<td>n{at}" for at in numbers)
                link = f"<a href='/list?page={page + 1}'>Next</a>" if page < last else "Next"
                body = f"{HEAD}{filled}</table><p>{link}</p>"
            request.send_response(200)
            request.send_header("content-type", "text/html; charset=utf-8")
            request.end_headers()
            request.wfile.write(body.encode())

        site.answer(path, reply)

    return answer


def collected(browser, *words: str):
    ran = browser.ok("table", "--pages", "9", "--json", *words).json
    return ran["page"]["rows"], ran["pages"], ran["stopped"]


@pytest.mark.parametrize("delay_s", [0.0, 0.15, 0.39, 2.6])
def test_pages_of_a_server_are_each_read_once(browser, site, serve, delay_s):
    serve("/list", delay_s)
    browser.post("goto", f"{site.url}/list")

    found, pages, stopped = collected(browser, "--next", "a")

    assert (found, pages) == (rows(), 4)
    assert stopped == "Nothing on the page matches 'a'"


@pytest.mark.parametrize("ms", [0, 150, 390])
def test_pages_that_a_script_draws_later_are_each_read_once(browser, site, ms):
    browser.post("goto", site.page("/later", scripted(LATER.format(ms=ms))))

    found, pages, stopped = collected(browser, "--next", "#next")

    assert (found, pages) == (rows(), 4)
    assert "disabled" in stopped


@pytest.mark.parametrize("go", [ASKS, CLEARS], ids=["replaced", "cleared first"])
@pytest.mark.parametrize("delay_s", [0.15, 0.39, 2.6])
def test_pages_that_a_script_asks_for_are_each_read_once(browser, site, serve, go, delay_s):
    serve("/rows", delay_s)
    browser.post("goto", site.page("/asks", scripted(go)))

    found, pages, _ = collected(browser, "--next", "#next")

    assert (found, pages) == (rows(), 4)


def test_a_line_that_says_loading_is_no_page(browser, site):
    browser.post("goto", site.page("/spins", scripted(SPINS)))

    assert collected(browser, "--next", "#next")[:2] == (rows(), 4)


def test_more_rows_below_those_there_are_count_once(browser, site):
    browser.post("goto", site.page("/grows", scripted(GROWS)))

    assert collected(browser, "--next", "#next")[:2] == (rows(), 4)


def test_a_ref_leads_through_documents(browser, site, serve):
    serve("/list")
    browser.post("goto", f"{site.url}/list")
    ref = browser.ok("snapshot", "-i").page.split()[0]

    found, pages, stopped = collected(browser, "--next", ref)

    assert (found, pages) == (rows(), 4)
    assert "stale" in stopped


def test_no_more_pages_than_asked_for(browser, site):
    browser.post("goto", site.page("/few", scripted(LATER.format(ms=20))))

    ran = browser.ok("table", "--pages", "2", "--next", "#next")

    assert ran.out.endswith(
        "(2 pages, 6 rows; stopped: --pages 2 was reached; there may be more)\n"
    )
    assert "n5" in ran.page


@pytest.mark.parametrize(
    ("go", "stopped"),
    [
        ("function go() {}", "pressing #next changed nothing in the table"),
        ("function go() { page = 1 - page; show(rowsOf(page)); }", "one that was read already"),
        ("function go() { next.remove(); show(rowsOf(1)); }", "Nothing on the page matches"),
        (
            "function go() { document.querySelector('th').textContent = 'x'; show(rowsOf(1)); }",
            "a table with other columns",
        ),
    ],
    ids=["dead", "in a circle", "gone", "other columns"],
)
def test_it_says_why_there_are_no_more_pages(browser, site, go, stopped):
    browser.post("goto", site.page("/stops", scripted(go, after="")))

    assert stopped in collected(browser, "--next", "#next")[2]


def test_a_last_page_that_links_to_itself_is_read_once(browser, site):
    html = f"{HEAD}<tr><td>1<td>a</table><a href='/self'>Next</a>"
    browser.post("goto", site.page("/self", html))

    found, pages, _ = collected(browser, "--next", "a")

    assert (len(found), pages) == (1, 1)


def test_a_link_to_something_else_ends_it(browser, site):
    site.page("/other", "<p>no table")
    browser.post("goto", site.page("/leads", f"{HEAD}<tr><td>1<td>a</table><a href=/other>N</a>"))

    found, pages, stopped = collected(browser, "--next", "a")

    assert (len(found), pages) == (1, 1)
    assert "no such table" in stopped


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--pages", "3"], "--next is missing"),
        (["--next", "a"], "--pages is missing"),
        (["--pages", "3", "--next", "a", "--all"], "cannot be combined"),
    ],
)
def test_flags_that_do_not_go_together(browser, site, words, message):
    browser.post("goto", site.page("/few", scripted("function go() {}")))

    ran = browser.browse("table", *words)

    assert ran.code == 2
    assert message in ran.err


def test_a_caller_that_may_only_read_presses_nothing(browser, site):
    browser.post("goto", site.page("/reads", scripted(LATER.format(ms=1))))

    for words in (["--pages", "2", "--next", "#next"], ["--all"], ["--out", "x.csv"]):
        ran = browser.browse("table", *words, BROWSE_ONLY_READ="1")
        assert ran.code != 0
        assert "may only read" in ran.err
    assert browser.ok("js", "page").page == "0"


@pytest.fixture
def paired(browser):
    """Run a command as a paired agent with these scopes, in a tab of its own."""
    made: list[str] = []

    def connect(*scopes: str):
        name = f"tables-{len(made)}"
        key = json.loads(browser.ask("POST", "/pair", {"clientId": name, "scopes": scopes})[1])
        said = browser.ask("POST", "/connect", {"setup_key": key["setup_key"]})[1]
        bearer = f"Bearer {json.loads(said)['token']}"
        made.append(name)

        def run(*words: str) -> tuple[int, str]:
            body = {"command": words[0], "args": words[1:]}
            return browser.ask("POST", "/command", body, authorization=bearer)

        return run

    yield connect
    for name in made:
        browser.ok("tunnel", "revoke", name)


def test_an_agent_that_may_only_read_collects_nothing_by_acting(paired, site):
    run = paired("read")
    run("newtab", site.page("/reads", scripted(LATER.format(ms=1))))

    refused = [
        run("table", "--pages", "2", "--next", "#next"),
        run("table", "--all"),
        run("table", "--out", "rows.csv"),
    ]

    assert [status for status, _ in refused] == [403, 403, 403]
    assert all("needs the scope: write" in said for _, said in refused[:2])
    status, said = run("table")
    assert (status, "n2" in said, "n3" in said) == (200, True, False)


def test_an_agent_that_may_write_collects_pages(paired, site):
    run = paired("read", "write")
    run("newtab", site.page("/writes", scripted(LATER.format(ms=1))))

    status, said = run("table", "--pages", "9", "--next", "#next")

    assert (status, "n11" in said) == (200, True)


def test_a_tab_that_a_person_has_is_read_and_not_pressed(browser, site):
    browser.post("goto", site.page("/held", scripted(LATER.format(ms=1))))
    browser.ok("handoff", "--no-open", "Please look")

    pressed = browser.browse("table", "--pages", "2", "--next", "#next")
    scrolled = browser.browse("table", "--all")
    read = browser.ok("table")
    browser.ok("resume")

    assert (pressed.code, scrolled.code) == (4, 4)
    assert "n0" in read.page
    assert browser.ok("js", "page").page == "0"


def test_the_journal_has_what_was_pressed(browser, site):
    browser.post("goto", site.page("/journal", scripted(LATER.format(ms=1))))

    browser.ok("table", "--pages", "2", "--next", "#next")

    *_, step = [it for it in browser.ok("replay", "--list").page.splitlines() if " table " in it]
    assert step.endswith('table --pages=2 --next=#next  [button] "Next"  ok')


def test_a_table_in_a_frame_is_paged_there(browser, site):
    site.page("/inner", scripted(ASKS.replace("fetch(`/rows", "fetch(`/frame-rows")))
    rows_later = json.dumps([[at, f"n{at}"] for at in range(3, 6)])
    site.page("/frame-rows", rows_later, content_type="application/json")
    browser.post("goto", site.page("/outer", "<h1>Out</h1><iframe src=/inner width=600></iframe>"))
    browser.ok("frame", "iframe")

    found, pages, _ = collected(browser, "--next", "#next")

    assert (found, pages) == (rows(2), 2)
