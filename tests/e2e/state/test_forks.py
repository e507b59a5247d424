"""`fork`: sessions that begin as another one is; and many agents at once, who never mix."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from itertools import chain
from urllib.parse import parse_qs, urlsplit

import pytest

from support.cli import Project
from support.life import assert_clear

pytestmark = pytest.mark.e2e

AGENTS = 8
# Where the scripts of the page find each kind of storage when they first run.
SEEN = """<script>
document.title = [localStorage.l, sessionStorage.s, document.cookie].join("|");
const asked = indexedDB.open("things", 1);
asked.onupgradeneeded = () => asked.result.createObjectStore("box");
asked.onsuccess = () => {
  const box = asked.result.transaction("box").objectStore("box");
  box.get("key").onsuccess = (event) => document.body.append(`indexed: ${event.target.result}`);
};
</script>"""
FILL = """
localStorage.l = "local"; sessionStorage.s = "session"; document.cookie = "login=yes";
new Promise((done) => {
  const asked = indexedDB.open("things", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("box");
  asked.onsuccess = () => {
    const box = asked.result.transaction("box", "readwrite").objectStore("box");
    box.put("indexed", "key").onsuccess = () => { asked.result.close(); done("filled"); };
  };
})"""


@pytest.fixture
def source(browser) -> Iterator[Project]:
    """The shared browser; afterwards no other session, and no tab of an agent."""
    yield browser
    for row in json.loads(browser.post("session", "list", "--json"))["sessions"][1:]:
        browser.post("session", "close", row["session"])
    for row in json.loads(browser.post("tabs", "--json"))["tabs"]:
        if "heldBy" in row:
            browser.post("tab", str(row["id"]), "--take")


def tabs(browser: Project, *words: str) -> list[tuple[bool, str, str]]:
    rows = json.loads(browser.post("tabs", "--json", *words))["tabs"]
    return [(row["current"], row["page"]["title"], row["page"]["url"]) for row in rows]


def test_a_fork_has_all_of_its_source_and_nothing_of_what_comes_later(source, site):
    inner = site.page(
        "/fk-in", "<p>in", set_cookie="chips=1; Secure; Partitioned; SameSite=None; Path=/fk-in"
    )
    frame = f"<iframe src={inner.replace('127.0.0.1', 'localhost')}></iframe>"
    home = site.page("/fk-home", SEEN + frame)
    source.ok("goto", home)
    source.ok("js", FILL)
    source.ok("viewport", "640x480")
    source.ok("newtab", site.page("/fk-other", "<title>other</title>"))
    source.ok("newtab", "about:blank", "--allowed-domains", "127.0.0.1")
    source.ok("load-html", stdin="<p>in memory")
    source.ok("tab", str(json.loads(source.post("tabs", "--json"))["tabs"][0]["id"]))

    told = source.ok("fork", "twin", "--json").json
    source.ok("js", "localStorage.l = 'later'; document.cookie = 'login=no'; 0")
    source.ok("js", "localStorage.twin = 1; 0", "--session", "twin")

    assert (told["session"], told["pages"], len(told["notes"])) == ("twin", 3, 1)
    assert "in memory" in told["notes"][0]
    assert [it[1:] for it in tabs(source, "--session", "twin")][:2] == [
        ("local|session|login=yes", home),
        ("other", f"{site.url}/fk-other"),
    ]
    assert tabs(source, "--session", "twin")[0][0]  # as in the source
    assert "indexed: indexed" in source.ok("text", "--session", "twin").page
    assert "640x480" in source.ok("viewport", "--session", "twin").out
    cookies = source.ok("cookies", "--session", "twin", "--json").json["page"]["cookies"]
    assert {it["name"] for it in cookies} == {"login", "chips"}
    assert source.ok("js", "'twin' in localStorage").page == "false"
    limited = str(told["tabs"][2])
    refused = source.browse("goto", "http://localhost:1/", "--tab-id", limited, "--session", "twin")
    assert_clear(refused, 4, "this tab may not send anything to that domain")
    assert not list((source.root / ".gstack").rglob("*twin*"))


def test_a_fork_that_cannot_be_made_changes_nothing(source, site):
    source.ok("goto", site.page("/fk-plain", "<p>plain"))
    source.ok("fork", "first")
    before = source.ok("session", "list").out

    again = source.browse("fork", "first")
    assert_clear(again, 1, "There is a session 'first' already", "session close first")
    assert_clear(source.browse("fork", "../x"), 2, "is not a name for a session")
    assert_clear(source.browse("fork"), 2, "<name> is missing")
    source.ok("js", f"setTimeout(() => {site.hold('/fk-held').blocking}); 0")
    assert_clear(source.browse("fork", "second"), 5, "is busy with a script", "closetab")
    source.ok("closetab")

    assert source.ok("session", "list").out == before


def whoami(request: BaseHTTPRequestHandler) -> None:
    """A page for people who are logged in; it shows who asked, and with which cookies."""
    cookies = dict(it.strip().partition("=")[::2] for it in request.headers["cookie"].split(";"))
    who = parse_qs(urlsplit(request.path).query).get("who", ["nobody"])[0]
    seen = f"{cookies['login']} {who} {cookies.get('mine', '-')}"
    request.send_response(200)
    request.send_header("content-type", "text/html; charset=utf-8")
    request.end_headers()
    request.wfile.write(f"<title>{who}</title><input id=i><p>{seen}".encode())


def agent(browser: Project, url: str, number: int, **env: str) -> list[str]:
    """Work as one agent, each command a process of its own; return what is not its own."""
    mixed = []

    def expect(wanted: str, *words: str) -> None:
        got = browser.ok(*words, **env).page
        if got != wanted:
            mixed.append(f"{words}: {got!r}, not {wanted!r}")

    for turn in range(1 if "BROWSE_SESSION" in env else 2):
        who = f"agent{number}-{turn}"
        browser.ok("goto", f"{url}?who={who}", **env)
        browser.ok("fill", "#i", who, **env)
        browser.ok("js", f"sessionStorage.who = '{who}'; 0", **env)
        expect(who, "title")
        expect(f"{who}|{who}", "js", "i.value + '|' + sessionStorage.who")
        if "BROWSE_SESSION" in env:
            browser.ok("js", f"localStorage.who = document.cookie = 'mine={who}'; 0", **env)
            browser.ok("reload", **env)
            expect(f"yes {who} {who}", "text", "p")
            expect(f"mine={who}", "js", "localStorage.who")
    return mixed


@pytest.mark.parametrize("apart", ["tabs", "forks"])
def test_eight_agents_on_one_login_never_mix(source, site, apart):
    login = site.page("/fk-login", "<p>in", set_cookie="login=yes; Path=/")
    source.ok("goto", login)
    url = site.answer("/fk-me", whoami)
    envs = [{"BROWSE_AGENT": f"agent{it}"} for it in range(AGENTS)]
    if apart == "forks":
        for it, env in enumerate(envs):
            source.post("fork", f"fork{it}")
            env["BROWSE_SESSION"] = f"fork{it}"

    with ThreadPoolExecutor(AGENTS) as pool:
        mixed = list(pool.map(lambda it: agent(source, url, it, **envs[it]), range(AGENTS)))

    assert [*chain.from_iterable(mixed)] == []
