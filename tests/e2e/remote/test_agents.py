"""Several agents on one daemon: the owner's own, paired ones, and sessions apart."""

import http.client
import json
import os
import pty
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from support.cli import CLIENT, Project, until
from support.running import running

pytestmark = pytest.mark.e2e


@pytest.fixture
def agents(browser) -> Iterator[Project]:
    """The shared daemon; afterwards no tab is left in the hands of an agent."""
    yield browser
    for row in tabs(browser):
        if "heldBy" in row:
            browser.ok("tab", str(row["id"]), "--take")
    for client in {row["clientId"] for row in ask(browser, "GET", "/agents")["agents"]}:
        ask(browser, "DELETE", f"/token/{client}")


def ask(browser: Project, method: str, path: str, body: object = None) -> dict:
    status, text = browser.ask(method, path, body)
    assert status == 200, text
    return json.loads(text)


def tabs(browser: Project, **env: str) -> list[dict]:
    return browser.ok("tabs", "--json", **env).json["tabs"]


def paired(browser: Project, **terms: object) -> str:
    key = ask(browser, "POST", "/pair", {"clientId": "codex", "rateLimit": 0, **terms})
    return ask(browser, "POST", "/connect", {"setup_key": key["setup_key"]})["token"]


def run(browser: Project, token: str, *words: str, **more: object) -> tuple[int, str]:
    body = {"command": words[0], "args": words[1:], **more}
    return browser.ask("POST", "/command", body, authorization=f"Bearer {token}")


def test_each_agent_of_the_owner_has_a_tab_of_its_own(agents, site):
    one, two = site.page("/lease-1", "<p>one"), site.page("/lease-2", "<p>two")

    agents.ok("goto", one, BROWSE_AGENT="ada")
    agents.ok("goto", two, BROWSE_AGENT="grace")

    assert agents.ok("text", BROWSE_AGENT="ada").page == "one"
    assert agents.ok("text", BROWSE_AGENT="grace").page == "two"
    held = {row["heldBy"] for row in tabs(agents, BROWSE_AGENT="ada") if "heldBy" in row}
    assert "grace" in held


def test_a_tab_in_which_another_agent_works_is_left_to_it_and_its_holder_is_named(agents, site):
    agents.ok("goto", site.page("/held", "<button>Go</button>"), BROWSE_AGENT="ada")
    id = next(row["id"] for row in tabs(agents, BROWSE_AGENT="ada") if row["current"])

    for words in (
        ["tab", f"{id}"],
        ["closetab", f"{id}"],
        ["click", "button", "--tab-id", f"{id}"],
    ):
        ran = agents.browse(*words, BROWSE_AGENT="grace")
        assert ran.code == 1, words
        assert f"Tab {id} is held by ada" in ran.err
        assert f"browse tab {id} --take" in ran.err
    assert agents.ok("text", "--tab-id", f"{id}", BROWSE_AGENT="grace").page == "Go"

    agents.ok("tab", f"{id}", "--take", BROWSE_AGENT="grace")
    assert agents.ok("url", BROWSE_AGENT="grace").page.endswith("/held")


def test_each_terminal_has_a_tab_of_its_own(agents, site):
    agents.ok("goto", site.page("/no-terminal", "<p>apart"))
    ours, theirs = pty.openpty()
    try:
        shown = subprocess.run(
            [*CLIENT, "url"],
            cwd=agents.root,
            env=agents.env,
            stdin=theirs,
            capture_output=True,
            check=True,
            timeout=150,
        ).stdout.decode()
    finally:
        os.close(ours)
        os.close(theirs)

    assert "about:blank" in shown
    assert agents.ok("text").page == "apart"


def test_a_session_has_cookies_and_tabs_of_its_own(agents, site):
    url = site.page("/session", "<p>here")
    agents.ok("goto", url)
    agents.ok("cookie", "who=owner")
    before = len(tabs(agents))

    agents.ok("goto", url, "--session", "second")
    agents.ok("cookie", "who=second", "--session", "second")

    assert "who=owner" in agents.ok("js", "document.cookie").page
    assert agents.ok("js", "document.cookie", BROWSE_SESSION="second").page == "who=second"
    assert len(tabs(agents)) == before
    listed = agents.ok("session", "list", "--json").json["sessions"]
    assert {"session": "second", "tabs": 1} in listed
    assert "second  1 tab\n" in agents.ok("session", "list").out
    assert agents.ok("session", "close", "second").out == "Closed session second (1 tab)\n"
    assert agents.browse("session", "close", "second").code == 3
    agents.ok("goto", url, "--session", "second")
    assert "who" not in agents.ok("js", "document.cookie", "--session", "second").page
    agents.ok("session", "close", "second")


@pytest.mark.parametrize("name", ["", "../x", "a b", "x" * 33])
def test_a_bad_name_for_a_session_is_refused(agents, name):
    assert agents.browse("url", f"--session={name}").code == 2
    if name:
        assert agents.browse("url", BROWSE_SESSION=name).code == 2


def test_an_agent_drives_its_own_tab_and_sees_nothing_of_the_owners(agents, site):
    agents.ok("goto", site.page("/private", "<title>Secret plans</title><p>mine alone"))
    owners = next(row["id"] for row in tabs(agents) if row["current"])
    token = paired(agents)

    for words in (["text"], ["url"], ["goto", "about:blank"], ["closetab"]):
        status, said = run(agents, token, *words)
        assert status == 403, (words, said)
        assert "newtab" in said
    for words, more in (
        (["text"], {"tabId": owners}),
        (["text", "--tab-id", f"{owners}"], {}),
        (["closetab", f"{owners}"], {}),
        (["tab", f"{owners}"], {}),
    ):
        status, said = run(agents, token, *words, **more)
        assert (status, json.loads(said)["code"]) == (403, "tab-not-yours"), words

    status, said = run(agents, token, "newtab", site.page("/theirs", "<p>for the agent"))
    assert status == 200, said
    assert "for the agent" in run(agents, token, "text")[1]
    _, listed = run(agents, token, "tabs", "--json")
    assert "Secret plans" not in listed
    assert "/private" not in listed
    assert {"id": owners, "owner": "the owner of the browser"} in json.loads(listed)["tabs"]
    assert agents.ok("text").page == "mine alone"


def test_what_an_agent_hears_and_changes_is_its_own(agents, site):
    agents.post("console", "--clear")
    agents.ok("goto", site.page("/owners-log", "<script>console.log('of the owner')</script>"))
    token = paired(agents)
    run(
        agents, token, "newtab", site.page("/agents-log", "<script>console.log('its own')</script>")
    )
    until(lambda: "of the owner" in agents.post("console"), what="the owner's line")

    heard = until(lambda: "its own" in (it := run(agents, token, "console")[1]) and it)

    assert "of the owner" not in heard
    assert "/owners-log" not in run(agents, token, "network")[1]
    for words in (
        ["console", "--clear"],
        ["useragent", "x"],
        ["header", "x:y"],
        ["route", "**"],
        ["dialog-dismiss"],
        ["url", "--session", "second"],
        ["session", "list"],
    ):
        status, said = run(agents, token, *words)
        assert status == 403, (words, said)


def test_a_window_that_an_agents_page_opens_is_the_agents(agents, site):
    there = site.page("/opened-by-agent", "<p>opened")
    token = paired(agents)
    page = site.page("/opener", f"<a target=_blank href='{there}'>open</a>")
    run(agents, token, "newtab", page)

    _, said = run(agents, token, "click", "a", "--json")

    opened = json.loads(said)["opened"]
    assert len(opened) == 1, said
    assert "opened" in run(agents, token, "text", tabId=opened[0])[1]


def test_revocation_ends_a_long_wait_and_gives_the_tabs_back(agents, site):
    token = paired(agents)
    run(agents, token, "newtab", site.page("/revoked", "<p>kept"))
    began = site.hold("/revoked-began")
    asking = f"(window.asked ||= fetch('{began.url}')) && false"
    body = {"command": "wait", "args": ["--js", asking, "--timeout", "60000"]}
    state = agents.state()
    curl = ["curl", "-sS", "-w", "%{http_code}", f"http://127.0.0.1:{state['port']}/command"]
    curl += ["-H", f"Authorization: Bearer {token}", "-d", json.dumps(body)]
    with running(curl, stdout=subprocess.PIPE) as waiting:
        assert began.arrived.wait(150)

        told = ask(agents, "DELETE", "/token/codex")

        out = waiting.communicate(timeout=150)[0].decode()
    assert out.endswith("401")
    assert '"revoked"' in out
    assert told["tabs_released"] == 1
    assert run(agents, token, "text")[0] == 401
    assert any(row["page"]["url"].endswith("/revoked") for row in tabs(agents))


def test_a_token_for_one_domain_goes_nowhere_else(agents, site):
    token = paired(agents, domains=["example.com"])

    (agents.root / "plans.html").write_text("<p>plans")
    for words in (["newtab", site.page("/elsewhere", "")], ["newtab", "file://./plans.html"]):
        status, said = run(agents, token, *words)
        assert (status, json.loads(said)["code"]) == (403, "url-refused"), words
    assert run(agents, token, "newtab")[0] == 200


def test_what_a_page_of_such_an_agent_asks_for_elsewhere_is_blocked(agents, site):
    token = paired(agents, domains=["127.0.0.1"])
    there = f"http://localhost:{site.port}"
    site.page("/fenced-away", "<p>never")
    site.page("/fenced-hop", "", status=302, location=f"{there}/fenced-away")
    page = site.page("/fenced", f"<a href='{there}/fenced-away'>out</a>")
    run(agents, token, "newtab", page)

    _, fetched = run(
        agents, token, "js", f"fetch('{there}/fenced-away').then(() => 'out', () => 'blocked')"
    )
    hop, _ = run(agents, token, "goto", f"{site.url}/fenced-hop")
    diff, said = run(agents, token, "diff", page, f"{site.url}/fenced-hop")

    widened, _ = run(agents, token, "goto", page, "--allowed-domains", "any")

    assert "blocked" in fetched
    assert widened == 403
    assert hop == 403
    assert diff == 403, said
    assert agents.ok("goto", f"{there}/fenced-away").code == 0


def test_the_pages_of_a_revoked_agent_stay_fenced_until_the_owner_lifts_the_rules(agents, site):
    token = paired(agents, domains=["127.0.0.1"])
    there = site.page("/kept-in", "<p>out").replace("127.0.0.1", "localhost")
    run(agents, token, "newtab", site.page("/keeps-trying", "<p>waits"))
    ask(agents, "DELETE", "/token/codex")
    id = next(r["id"] for r in tabs(agents) if r["page"]["url"].endswith("/keeps-trying"))
    tab = ("--tab-id", str(id))

    tried = agents.ok(
        "js", f"fetch('{there}', {{mode: 'no-cors'}}).then(() => 'out', () => 'blocked')", *tab
    )
    refused = agents.browse("goto", there, *tab)

    assert tried.page == "blocked"
    assert refused.code == 4
    assert "--allowed-domains any" in refused.err
    agents.ok("goto", there, "--allowed-domains", "any", *tab)
    assert agents.ok("text", *tab).page == "out"


def test_each_working_tree_on_one_daemon_has_a_tab_of_its_own(agents, site, tmp_path):
    tree = tmp_path / "tree" / "below"
    (tmp_path / "tree" / ".git").mkdir(parents=True)
    tree.mkdir()
    shared = str(agents.state_file)
    agents.ok("goto", site.page("/tree-one", "<p>one"))

    agents.ok("goto", site.page("/tree-two", "<p>two"), cwd=tree, BROWSE_STATE_FILE=shared)

    assert agents.ok("text").page == "one"
    assert agents.ok("text", cwd=tree.parent, BROWSE_STATE_FILE=shared).page == "two"
    held = [row["heldBy"] for row in tabs(agents) if "heldBy" in row]
    assert [name for name in held if name.endswith(str(tmp_path / "tree")[-90:])] == held[-1:]


def test_no_agent_gets_at_the_owners_token_or_files(agents):
    token = paired(agents, tabPolicy="shared")
    (agents.root / "plans.html").write_text("<iframe src=.gstack/browse.json></iframe>")
    state = str(agents.state_file)

    for words, code in (
        (["goto", f"file://{state}"], "path-refused"),
        (["goto", "file://./plans.html"], "url-refused"),
        (["load-html", state], "path-refused"),
        (["eval", state], "path-refused"),
        (["screenshot", state.replace("browse.json", "x.png")], "path-refused"),
        (["screenshot", str(agents.root / ".gstack" / "browser-skills" / "x.png")], "path-refused"),
    ):
        status, said = run(agents, token, *words)
        assert (status, json.loads(said)["code"]) == (403, code), words
    assert run(agents, token, "screenshot")[0] == 200


def test_an_agent_writes_to_a_folder_of_its_own_only(agents, site):
    token = paired(agents, tabPolicy="shared", admin=True)
    page = site.page("/hook", "<p>payload")
    (agents.root / ".git" / "config").write_text("[core]")
    (agents.root / ".env").write_text("KEY=1")
    agents.ok("goto", page)
    for place in (".git/config", ".git/hooks/post-checkout", ".bashrc", "Makefile", "src/.x/y"):
        target = str(agents.root / place)
        for words in (["download", page, target], ["js", "1", "--out", target], ["pdf", target]):
            status, said = run(agents, token, *words)
            assert (status, json.loads(said)["code"]) == (403, "path-refused"), words
    for words in (["load-html", ".env"], ["eval", ".git/config"], ["upload", "input", ".env"]):
        assert run(agents, token, *words)[0] == 403, words
    assert (agents.root / ".git" / "config").read_text() == "[core]"

    status, said = run(agents, token, "screenshot", "--json")
    path = json.loads(said)["path"]
    beside = str(Path(path).parent / "named.png")

    assert run(agents, token, "screenshot", beside)[0] == 200
    for mine in (path, beside):
        assert fetch(agents, mine, token) == 200
    assert fetch(agents, agents.ok("screenshot", "--json").json["path"], token) == 403


def fetch(browser: Project, path: str, token: str) -> int:
    known = browser.state()
    connection = http.client.HTTPConnection("127.0.0.1", known["port"], timeout=60)
    connection.request(
        "GET", f"/file?path={quote(path)}", headers={"authorization": f"Bearer {token}"}
    )
    try:
        return connection.getresponse().status
    finally:
        connection.close()
