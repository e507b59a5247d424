"""The daemon's HTTP interface, over real sockets, without the client."""

import json
import re
import socket
import threading

import pytest

from support.cli import BEGIN, until

pytestmark = pytest.mark.e2e


def run(browser, command: str, *args: str, tab: int | None = None) -> tuple[int, str]:
    body = {"command": command, "args": args}
    return browser.ask("POST", "/command", body | ({"tabId": tab} if tab else {}))


def batch(browser, *commands: dict) -> dict:
    status, text = browser.ask("POST", "/batch", {"commands": commands})
    assert status == 200, text
    return json.loads(text)


def js(script: str, tab: int | None = None) -> dict:
    return {"command": "js", "args": [script]} | ({"tabId": tab} if tab else {})


def shown(row: dict) -> str:
    """What stands between the markers of a result."""
    return row["result"].splitlines()[1]


@pytest.fixture
def two(browser, site):
    """Two tabs at a site, by id."""
    url = site.page("/http", "<p>words</p>")
    first = json.loads(browser.post("tabs", "--json"))["tabs"][0]["id"]
    browser.post("goto", url)
    return first, json.loads(browser.post("newtab", url, "--json"))["tabId"]


def test_a_command_answers_its_text(browser, site):
    browser.post("goto", site.page("/http-text", "<p>words</p>"))

    status, text = run(browser, "text")

    assert status == 200
    assert text.startswith(BEGIN)
    assert "\nwords\n" in text


def test_a_command_answers_json_when_asked(browser):
    assert json.loads(run(browser, "js", "[1]", "--json")[1])["page"]["value"] == [1]


def test_a_chain_answers_in_one_piece_with_what_the_client_prints(browser):
    words = ["chain", "js 1 | js 2"]
    browser.ok("js", "0")  # which names the address of the page: the next reply does not

    def unnumbered(text: str) -> str:
        return re.sub(r"\[[0-9a-f]{8}\]", "[…]", text)

    assert unnumbered(run(browser, *words)[1] + "\n") == unnumbered(browser.ok(*words).out)


@pytest.mark.parametrize(
    ("command", "args", "status", "code"),
    [
        ("nonsense", [], 400, "unknown-command"),
        ("goto", [], 400, "usage"),
        ("text", ["#nowhere"], 404, "no-match"),
        ("goto", ["javascript:x"], 403, "url-refused"),
        ("eval", ["/etc/hostname"], 403, "path-refused"),
        ("js", ["throw 1"], 422, "script-failed"),
        ("wait", ["#nowhere", "200"], 504, "timeout"),
        ("back", [], 409, "no-history"),
        ("demo", [], 403, "surface"),
    ],
)
def test_an_error_answers_its_status_code_and_hint(browser, command, args, status, code):
    answered, text = run(browser, command, *args)

    told = json.loads(text)
    assert (answered, told["code"]) == (status, code)
    assert told["error"]
    assert told["hint"]


def test_tab_id_in_the_body_names_the_tab(browser, two):
    first, second = two
    run(browser, "js", "window.name = 'first'", tab=first)

    assert "\nfirst\n" in run(browser, "js", "window.name", tab=first)[1]
    assert "\nfirst\n" not in run(browser, "js", "window.name", tab=second)[1]
    assert "\nfirst\n" not in run(browser, "js", "window.name")[1]


@pytest.mark.parametrize("id", [99999, -1])
def test_an_unknown_tab_is_not_found(browser, id):
    status, text = run(browser, "url", tab=id)

    assert (status, json.loads(text)["code"]) == (404, "tab-unknown")


def test_relative_files_start_at_the_project(browser):
    (browser.root / "http.js").write_text("'from the project'")

    assert "from the project" in run(browser, "eval", "http.js")[1]


@pytest.mark.parametrize("path", ["/command", "/batch"])
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"x"',
        b"{}",
        b'{"command": 5}',
        b'{"commands": 5}',
        b'{"command": "url", "args": [1]}',
        b'{"command": "url", "tabId": "1"}',
        b'{"command": "url", "more": 1}',
        b'{"commands": []}',
        b"\xff\xfe",
        b"[" * 100_000,
    ],
)
def test_a_malformed_body_is_a_bad_request(shared_project, path, body):
    status, text = shared_project.ask("POST", path, body)

    assert (status, json.loads(text)["code"]) == (400, "bad-request")


def test_a_batch_has_at_most_fifty_commands(shared_project):
    status, text = shared_project.ask("POST", "/batch", {"commands": 51 * [{"command": "status"}]})

    assert status == 400
    assert "1 to 50" in json.loads(text)["error"]


def test_a_batch_answers_a_row_for_each_command(browser, two):
    first, second = two

    told = batch(
        browser,
        js("'one'", first),
        {"command": "nonsense"},
        {"command": 5},
        {"command": "text", "args": ["#nowhere"], "tabId": second},
        {"command": "js", "args": ["[2]", "--json"]},
    )

    rows = told["results"]
    assert [row["index"] for row in rows] == [0, 1, 2, 3, 4]
    assert [row["status"] for row in rows] == [200, 400, 400, 404, 200]
    assert [row["command"] for row in rows] == ["js", "nonsense", None, "text", "js"]
    assert shown(rows[0]) == "one"
    assert rows[4]["result"] == {"page": {"type": "json", "value": [2]}}
    assert (told["total"], told["succeeded"], told["failed"]) == (5, 2, 3)


def test_the_tabs_of_a_batch_run_side_by_side(browser, site, two):
    """Each tab's request is answered only once the other's has arrived."""
    meeting = threading.Barrier(2)

    def meet(request):
        meeting.wait(150)
        request.send_response(200)
        request.send_header("content-length", "0")
        request.end_headers()

    site.answer("/meet", meet)

    told = batch(
        browser, *(js(f"await fetch('/meet?{tab}').then(r => r.status)", tab) for tab in two)
    )

    assert [shown(row) for row in told["results"]] == ["200", "200"]


def test_the_commands_of_one_tab_run_in_order(browser, two):
    first, second = two
    steps = [js(f"(window.steps ||= []).push({number})", first) for number in range(5)]
    slow = js(
        "await new Promise(done => setTimeout(done, 50)); (window.steps ||= []).push('s')", first
    )

    told = batch(browser, slow, *steps, js("steps.join('')", first), js("window.steps", second))

    assert shown(told["results"][-2]) == "s01234"
    assert shown(told["results"][-1]) == ""


def test_an_unknown_tab_spoils_only_its_own_command(browser, two):
    told = batch(browser, js("1", 99999), js("2", two[0]))

    assert [row["status"] for row in told["results"]] == [404, 200]
    assert told["results"][0]["code"] == "tab-unknown"


def test_health_needs_no_token_and_tells_none(browser):
    status, text = browser.ask("GET", "/health", authorization="")

    told = json.loads(text)
    assert status == 200
    assert (told["status"], told["mode"], told["tabs"]) == ("healthy", "launched", 1)
    assert set(told) == {"status", "mode", "uptime", "tabs", "terminalPort"}


@pytest.mark.parametrize("path", ["/command", "/batch"])
@pytest.mark.parametrize("value", ["", "Bearer ", "Bearer wrong", "Basic {}", "{}"])
def test_a_command_needs_the_token(shared_project, path, value):
    token = shared_project.state()["token"]

    status, text = shared_project.ask(
        "POST", path, {"command": "url"}, authorization=value.format(token)
    )

    assert (status, json.loads(text)["code"]) == (401, "unauthenticated")


@pytest.mark.parametrize("path", ["/health", "/command", "/batch"])
@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "evil.example:{port}"},
        {"host": "127.0.0.1.evil.example:{port}"},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:{port}"},
        {"sec_fetch_site": "cross-site"},
    ],
    ids=lambda headers: "-".join(*headers.items()),
)
def test_a_web_page_cannot_reach_the_daemon(shared_project, path, headers):
    port = shared_project.state()["port"]
    sent = {name: value.format(port=port) for name, value in headers.items()}
    method = "GET" if path == "/health" else "POST"

    status, text = shared_project.ask(method, path, {"command": "url"}, **sent)

    assert (status, json.loads(text)["code"]) == (403, "foreign-origin")


def test_a_page_in_our_own_browser_cannot_reach_the_daemon(browser, site):
    port = browser.state()["port"]
    browser.post("goto", site.page("/attacks", "<p>x"))
    script = (
        f"await fetch('http://127.0.0.1:{port}/health', {{mode: 'no-cors'}})"
        f".then(() => fetch('http://127.0.0.1:{port}/health')).then(r => r.text(), e => 'closed')"
    )

    assert "\nclosed\n" in run(browser, "js", script)[1]


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nowhere", 404, "not-found"),
        ("GET", "/command", 405, "method-not-allowed"),
        ("POST", "/health", 405, "method-not-allowed"),
        ("POST", "/command/", 404, "not-found"),
    ],
)
def test_other_paths_and_methods_are_errors_as_json(shared_project, method, path, status, code):
    answered, text = shared_project.ask(method, path)

    assert (answered, json.loads(text)["code"]) == (status, code)


def raw_post(browser, path: str, body: object) -> socket.socket:
    """Send a request and leave the answer to the caller."""
    known = browser.state()
    data = json.dumps(body).encode()
    connection = socket.create_connection(("127.0.0.1", known["port"]))
    connection.sendall(
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{known['port']}\r\n"
        f"Authorization: Bearer {known['token']}\r\nContent-Length: {len(data)}\r\n\r\n".encode()
        + data
    )
    return connection


@pytest.mark.parametrize("path", ["/command", "/batch"])
def test_a_caller_that_goes_away_takes_its_command_along(browser, site, path):
    held = site.hold("/abandoned")
    browser.post("goto", site.page("/abandons", "<p>x"))
    command = {"command": "js", "args": ["await fetch('/abandoned')"]}
    connection = raw_post(browser, path, command if path == "/command" else {"commands": [command]})
    assert held.arrived.wait(150)

    connection.close()

    assert "\nfree\n" in run(browser, "js", "'free'")[1]
    assert not held.let_go.is_set()
    held.let_go.set()


def test_a_batch_that_is_abandoned_does_not_go_on(browser, site):
    held = site.hold("/left")
    browser.post("goto", site.page("/leaves", "<p>x"))
    connection = raw_post(
        browser, "/batch", {"commands": [js("await fetch('/left')"), js("window.second = 1")]}
    )
    assert held.arrived.wait(150)

    connection.close()
    first = run(browser, "js", "String(window.second)")[1]
    held.let_go.set()

    assert "\nundefined\n" in first
    assert "\nundefined\n" in run(browser, "js", "String(window.second)")[1]


def test_a_page_that_spins_is_freed_when_its_caller_goes(browser, site):
    began = site.hold("/spin-began")
    began.let_go.set()
    browser.post("goto", site.page("/spins-http", "<title>Spins</title>"))
    script = "r = new XMLHttpRequest(); r.open('GET', '/spin-began', false); r.send(); for (;;) {}"
    connection = raw_post(browser, "/command", {"command": "js", "args": [script]})
    assert began.arrived.wait(150)
    assert json.loads(run(browser, "tabs", "--json")[1])["tabs"]
    assert json.loads(browser.ask("GET", "/health")[1])["status"] == "healthy"

    connection.close()

    until(lambda: "\nSpins\n" in run(browser, "js", "document.title")[1], what="the tab")
