"""`state`: cookies, storage and tabs under a name."""

import json
import stat

import pytest

from support.cli import BEGIN
from support.life import assert_clear

pytestmark = pytest.mark.e2e

SHOWS = """<script>
document.title = [localStorage.l, sessionStorage.s, document.cookie].join("|");
</script>"""
FILL = """
localStorage.l = "local"; sessionStorage.s = "session";
new Promise((done) => {
  const asked = indexedDB.open("things", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("box");
  asked.onsuccess = () => {
    const box = asked.result.transaction("box", "readwrite").objectStore("box");
    box.put("indexed", "key").onsuccess = () => done("filled");
  };
})"""
INDEXED = """
new Promise((done) => {
  const asked = indexedDB.open("things");
  asked.onsuccess = () => {
    const box = asked.result.transaction("box").objectStore("box");
    box.get("key").onsuccess = (event) => done(event.target.result);
  };
})"""
EMPTY = """
localStorage.clear(); sessionStorage.clear(); document.cookie = "other=1";
indexedDB.deleteDatabase("things"); 0"""


def states(browser):
    return browser.root / ".gstack" / "browse-states"


def tabs(browser) -> list[tuple[bool, str]]:
    rows = json.loads(browser.post("tabs", "--json"))["tabs"]
    return [(row["current"], row["page"]["url"]) for row in rows]


@pytest.fixture
def clean(browser):
    """The browser without cookies and storage, before and after."""
    states(browser).mkdir(mode=0o700, exist_ok=True)
    (states(browser) / "none.json").write_text(json.dumps(a_state()))
    browser.post("state", "load", "none")
    yield browser
    browser.post("state", "load", "none")


@pytest.fixture
def saved(clean, browser, site):
    """Four tabs, one of each sort, with all kinds of storage, saved under `whole`."""
    (browser.root / "local.html").write_text("<p>a file")
    browser.post("goto", site.page("/st-home", SHOWS, set_cookie="login=s3cr3t-value; Max-Age=900"))
    browser.post("js", FILL)
    first = json.loads(browser.post("tabs", "--json"))["tabs"][0]["id"]
    browser.post("newtab", site.page("/st-other", "<p>other"))
    browser.post("newtab", f"file://{browser.root}/local.html")
    browser.post("newtab")
    browser.ok("load-html", stdin="<p>words in memory")
    browser.post("tab", str(first))
    return browser.ok("state", "save", "whole")


def test_a_state_is_saved_with_a_warning_and_without_pages_in_memory(browser, saved):
    path = states(browser) / "whole.json"

    told = saved.out.splitlines()

    assert told[0] == f"State saved: {path} (1 cookie, 4 pages)"
    assert told[1].startswith("[warning] it holds cookies and logins in plain text")
    assert told[2].endswith("a page in memory is never saved: it will be blank")
    assert "s3cr3t" not in saved.out
    assert "words in memory" not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_state_comes_back_whole_before_the_pages_load(browser, site, saved):
    before = tabs(browser)
    browser.post("js", EMPTY)
    browser.post("newtab")
    site.page("/st-home", SHOWS)

    loaded = browser.ok("state", "load", "whole")

    assert loaded.out == "State loaded: 1 cookie, 4 pages\n"
    assert tabs(browser) == before
    assert browser.ok("js", "document.title").page == "local|session|login=s3cr3t-value"
    assert browser.ok("js", INDEXED).page == "indexed"
    browser.post("js", "sessionStorage.s = 'changed'; 0")
    browser.post("reload")
    assert browser.ok("js", "sessionStorage.s").page == "changed"


def a_state(**changes) -> dict:
    plain = {"version": 1, "savedAt": "2026-01-01", "cookies": [], "pages": []}
    return {**plain, **changes}


def a_cookie(**changes) -> dict:
    return {"name": "a", "value": "s3cr3t", "domain": "127.0.0.1", "path": "/", **changes}


@pytest.mark.parametrize(
    ("content", "code", "said"),
    [
        (b"", 1, "truncated"),
        (b"no json", 1, "malformed"),
        (json.dumps(a_state(cookies=[a_cookie()])).encode()[:-20], 1, "truncated"),
        (b"\xff\xfe", 1, "cannot be used"),
        (a_state(version=2), 1, "a newer browse wrote it (version 2, not 1)"),
        ({"pages": []}, 1, "version"),
        (a_state(cookies=[a_cookie(name=5)]), 1, "$.cookies[0].name"),
        (a_state(cookies=[a_cookie(sameSite="Perhaps")]), 1, "$.cookies[0].sameSite"),
        (a_state(cookies=[a_cookie(), a_cookie(name="__Host-x")]), 1, "Chromium refuses a cookie"),
        (a_state(origins=[{"origin": 5}]), 1, "Chromium refuses"),
        (a_state(pages=[{"url": "http://169.254.169.254/"}]), 4, "where no tab may go"),
        (a_state(pages=[{"url": "file:///etc/passwd"}]), 4, "where no tab may go"),
        (a_state(pages=[{"url": "javascript:alert(1)"}]), 4, "where no tab may go"),
        (a_state(pages=[{"url": "about:blank"}] * 51), 1, "50 is the limit"),
    ],
    ids=lambda part: str(part)[:40] if isinstance(part, str) else "",
)
def test_a_file_that_cannot_be_used_changes_nothing(browser, site, content, code, said):
    cookie = "kept=1; Path=/st-stays"
    browser.post("goto", site.page("/st-stays", "<p>stays", set_cookie=cookie))
    before = tabs(browser)
    states(browser).mkdir(mode=0o700, exist_ok=True)
    raw = content if isinstance(content, bytes) else json.dumps(content).encode()
    (states(browser) / "broken.json").write_bytes(raw)

    ran = browser.browse("state", "load", "broken")

    assert_clear(ran, code, said)
    assert "s3cr3t" not in ran.err
    assert tabs(browser) == before
    assert "kept=1" in browser.post("js", "document.cookie")


def test_a_state_of_cookies_and_addresses_only_can_be_loaded(clean, browser, site):
    url = site.page("/st-plain", "<p>plain")
    pages = [{"url": "http://127.0.0.1:1/"}, {"url": url, "isActive": True}]
    wanted = a_state(cookies=[a_cookie()], pages=pages)
    (states(browser) / "plain.json").write_text(json.dumps(wanted))

    told = browser.ok("state", "load", "plain", "--json").json

    assert (told["cookies"], told["pages"]) == (1, 2)
    assert len(told["notes"]) == 1
    assert "did not load" in told["notes"][0]
    assert tabs(browser)[1] == (True, url)
    assert browser.ok("js", "document.cookie").page == "a=s3cr3t"


def test_saved_states_are_listed_kept_and_removed(browser, site):
    states(browser).mkdir(mode=0o700, exist_ok=True)
    for path in states(browser).iterdir():
        path.unlink()
    assert "No saved states" in browser.ok("state", "list").out
    assert_clear(browser.browse("state", "load", "one"), 1, "State not found: one", "state save")

    browser.post("state", "save", "one")
    first = (states(browser) / "one.json").read_bytes()
    browser.post("goto", site.page("/st-second", "<p>second"))
    browser.post("state", "save", "one")
    (states(browser) / "bad.json").write_text("{")

    assert (states(browser) / "one.json.bak").read_bytes() == first
    rows = browser.ok("state", "list", "--json").json["states"]
    assert [(row["name"], row["usable"]) for row in rows] == [("bad", False), ("one", True)]
    listed = browser.ok("state", "list").out
    assert BEGIN not in listed
    assert "(cannot be used)" in listed
    assert_clear(browser.browse("state", "load", "two"), 1, "State not found: two", "bad, one")
    assert browser.ok("state", "rm", "one").out == "State removed: one\n"
    assert [path.name for path in states(browser).iterdir()] == ["bad.json"]
    assert_clear(browser.browse("state", "rm", "one"), 1, "State not found: one")


def test_bad_words_are_refused(browser):
    name = "State name must be alphanumeric (a-z, 0-9, _, -)"

    assert_clear(browser.browse("state"), 2, "a sub-command is missing", "<list|load|rm|save>")
    assert_clear(browser.browse("state", "keep", "x"), 2, "Unknown command: 'state keep'.")
    assert_clear(browser.browse("state", "save"), 2, "<name> is missing")
    assert_clear(browser.browse("state", "list", "x"), 2, "unexpected argument 'x'")
    assert_clear(browser.browse("state", "save", "../x"), 2, name)
    assert_clear(browser.browse("state", "rm", "é"), 2, name)


def test_a_page_that_hangs_is_named_and_nothing_is_saved(browser, site):
    held = site.hold("/st-held")
    browser.post("newtab", site.page("/st-hangs", "<p>x"))
    tab = json.loads(browser.post("tabs", "--json"))["tabs"][-1]["id"]
    browser.post("js", f"setTimeout(() => {held.blocking}); 0")

    ran = browser.browse("state", "save", "hanging")

    assert_clear(ran, 5, f"tab {tab} is busy", "closetab")
    assert not (states(browser) / "hanging.json").exists()
    browser.ok("closetab")
