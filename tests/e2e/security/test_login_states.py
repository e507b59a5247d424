"""Login states: what logs in to one host is kept encrypted, put back, and nothing else changes."""

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

# In no other test: the shared daemon never shows them again.
USER, PASSWORD = "ada.s", "staple-Battery-39"


def host(site, name: str) -> str:
    return f"http://{name}.localhost:{site.port}"


@pytest.fixture
def shop(browser, site):
    """A login for a site, `shop`, and the address of that site."""
    home = Path(browser.env["HOME"]) / ".gstack" / "logins"
    origin = host(site, "shop")
    browser.ok("login", "add", "shop", origin, "--user", USER, stdin=f"{PASSWORD}\n")
    yield origin
    for path in (*home.glob("*.login"), *home.glob("*.state")):
        path.unlink()


# A database with values that JSON does not know, in stores with and without a key of their own.
FILLS_DATABASE = """new Promise((done) => {
  indexedDB.deleteDatabase('kept');
  const asked = indexedDB.open('kept', 3);
  asked.onupgradeneeded = () => {
    asked.result.createObjectStore('bare');
    asked.result.createObjectStore('keyed', {keyPath: 'id', autoIncrement: true})
      .createIndex('by', ['who', 'when'], {unique: true});
  };
  asked.onsuccess = () => {
    const change = asked.result.transaction(['bare', 'keyed'], 'readwrite');
    change.objectStore('bare').put(new Uint16Array([1, 513]), new Date(7));
    change.objectStore('bare').put([new Map([[NaN, /x/g]]), new Set([12n]), undefined], 'k');
    change.objectStore('keyed').put({who: 'ada-in-a-database', when: 1});
    change.oncomplete = () => { window.held = asked.result; done('filled'); };
  };
})"""
# The same database as it is read, after its page has come: what it holds, and a new row's number.
READS_DATABASE = """new Promise((done) => {
  const asked = indexedDB.open('kept');
  asked.onsuccess = () => {
    const change = asked.result.transaction(['bare', 'keyed'], 'readwrite');
    const bare = change.objectStore('bare'), keyed = change.objectStore('keyed');
    const one = bare.get(new Date(7)), two = bare.get('k'), row = keyed.index('by').get(['ada-in-a-database', 1]);
    const next = keyed.add({who: 'next', when: 2});
    change.oncomplete = () => {
      const [map, set, none] = two.result;
      const [key, value] = [...map][0];
      asked.result.close();
      done([asked.result.version, one.result.constructor.name, [...one.result], String(key), String(value),
        typeof [...set][0], String(none), row.result.id, next.result].join(' '));
    };
  };
})"""  # noqa: E501
CLEARS_DATABASE = """new Promise((done) => {
  const change = held.transaction(['bare', 'keyed'], 'readwrite');
  change.objectStore('bare').clear(); change.objectStore('keyed').clear();
  change.oncomplete = () => done('cleared');
})"""


def test_the_databases_of_a_login_state_come_back_and_others_stay(browser, site, shop):
    site.page("/state/db", "<p>databases")
    other = host(site, "other")
    browser.post("goto", f"{other}/state/db")
    browser.post("js", FILLS_DATABASE)
    browser.post("goto", f"{shop}/state/db")
    browser.post("js", FILLS_DATABASE)

    saved = browser.ok("login", "save", "shop")

    assert "0 cookies, 0 stored items and 1 database" in saved.out
    folder = Path(browser.env["HOME"]) / ".gstack" / "logins"
    assert b"ada-in" not in (folder / "shop.state").read_bytes()
    browser.post("js", CLEARS_DATABASE)
    # The page still has it open: it is refilled, not replaced.
    assert "[note]" not in browser.post("login", "use", "shop")
    whole = "3 Uint16Array 1,513 NaN /x/g bigint undefined 1 2"
    assert whole in browser.post("js", READS_DATABASE)
    browser.post("js", "indexedDB.deleteDatabase('kept'); 0")
    assert "[note]" not in browser.post("login", "use", "shop")
    assert whole in browser.post("js", READS_DATABASE)
    browser.post("js", "new Promise((done) => indexedDB.open('kept', 4).onsuccess = () => done(0))")
    assert "newer version of it" in browser.post("login", "use", "shop")
    assert len(json.loads(browser.post("tabs", "--json"))["tabs"]) == 1
    browser.post("goto", f"{other}/state/db")
    assert whole in browser.post("js", READS_DATABASE)


SHOWS = """<p id=said></p><script>said.textContent =
  [document.cookie, localStorage.who, sessionStorage.step].join('|');</script>"""


def test_a_login_state_is_kept_for_its_host_and_put_back(browser, site, shop):
    site.page("/state/in", SHOWS, set_cookie="sid=s3ss10n-of-ada; Path=/")
    site.page("/state/see", SHOWS)
    other = host(site, "other")
    browser.post("goto", f"{other}/state/see")
    browser.post("js", "document.cookie = 'mine=1'; localStorage.who = 'grace'; 0")
    browser.post("goto", f"{shop}/state/in")
    browser.post("js", "localStorage.who = 'ada'; sessionStorage.step = '2'; 0")
    browser.post("goto", f"{shop}/state/see")

    saved = browser.ok("login", "save", "shop", "--json").json

    folder = Path(browser.env["HOME"]) / ".gstack" / "logins"
    assert (saved["cookies"], saved["stored"], saved["hosts"]) == (1, 2, ["shop.localhost"])
    assert b"s3ss10n" not in (folder / "shop.state").read_bytes()
    browser.post("js", "localStorage.clear(); sessionStorage.clear()")
    browser.post("js", "document.cookie = 'sid=; Max-Age=0'")
    browser.post("goto", f"{other}/state/see")
    used = browser.ok("login", "use", "shop")
    assert "1 cookie and 2 stored items" in used.out
    assert "s3ss10n" not in used.out
    assert browser.ok("text", "--reveal").page == "sid=s3ss10n-of-ada|ada|2"
    browser.post("goto", f"{other}/state/see")
    assert "mine=1|grace" in browser.post("text", "--reveal")
    listed = json.loads(browser.post("login", "list", "--json"))["logins"]
    assert [(row["host"], row["origin"]) for row in listed] == [("shop.localhost", shop)]
    browser.post("login", "rm", "shop")
    assert not (folder / "shop.state").exists()


@pytest.mark.blank_tab
def test_a_login_state_that_is_not_there_or_damaged_changes_nothing(browser, site, shop):
    empty = browser.browse("login", "save", "none")
    assert "this page has no host" in empty.err
    browser.post("goto", f"{host(site, 'bare')}/state/nothing")
    assert "there is no login state" in browser.browse("login", "save", "none").err
    missing = browser.browse("login", "use", "shop")
    assert (missing.code, "no saved login state called 'shop'" in missing.err) == (1, True)
    assert "is for `browse login fill`" in missing.err
    folder = Path(browser.env["HOME"]) / ".gstack" / "logins"
    (folder / "cut.state").write_bytes((folder / "shop.login").read_bytes())
    damaged = browser.browse("login", "use", "cut")
    assert "changed, cut or renamed" in damaged.err
    assert "unusable" in browser.post("login", "list")
    browser.post("login", "rm", "cut")
