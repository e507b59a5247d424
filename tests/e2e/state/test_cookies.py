"""Cookies: shown, set, imported; and what an import forbids."""

import json

import pytest

pytestmark = pytest.mark.e2e


def test_cookies_are_shown_without_their_secrets(browser, site):
    browser.post("goto", site.page("/jar", "<p>x"))
    browser.post("js", "document.cookie = 'theme=dark'; document.cookie = 'PHPSESSID=abcdefgh'")

    assert browser.ok("cookie", "flavour=a=b").out == "Cookie set: flavour=****\n"
    rows = {row["name"]: row for row in json.loads(browser.ok("cookies").page)}
    there = browser.ok("cookies", "--url", site.url, "--json").json["page"]["cookies"]
    elsewhere = browser.ok("cookies", "--domain", "a.example").page

    assert rows["theme"]["value"] == "dark"
    assert (rows["flavour"]["value"], rows["flavour"]["path"]) == ("a=b", "/")
    assert rows["PHPSESSID"]["value"] == "[REDACTED — 8 chars]"
    assert {"theme", "flavour"} <= {row["name"] for row in there}
    assert elsewhere == "[]"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["cookie", "theme"], 2, "cookie: a name, = and a value are needed"),
        (["cookie", "=dark"], 2, "cookie: a name, = and a value are needed"),
        (["cookie", "theme=dark"], 2, "The current page has no host that a cookie could be for."),
        (["cookies", "--url", "nonsense"], 1, "reading the cookies"),
    ],
)
def test_a_cookie_that_cannot_be_set(browser, words, code, message):
    ran = browser.browse(*words)

    assert ran.code == code
    assert message in ran.err


def test_an_import_is_all_or_nothing_and_confines_scripts(project, site):
    file = project.root / "cookies.json"
    good = {"name": "a", "value": "1"}
    project.ok("goto", site.page("/import", "<p>x"))
    project.ok("cookie", "a=0")

    for broken, message in (
        ('[{"name": "a", "value": "1"}, {"name": "b"}]', "is not a file of cookies"),
        (json.dumps([good, {**good, "domain": "evil.example"}]), "does not match current page"),
        (json.dumps([good, {"name": "__Host-x", "value": "1"}]), "Chromium refused a cookie"),
    ):
        file.write_text(broken)
        ran = project.browse("cookie-import", "cookies.json")
        assert (ran.code, message in ran.err) == (1, True), ran.err
        kept = {row["name"]: row["value"] for row in json.loads(project.ok("cookies").page)}
        assert kept == {"a": "0"}
    file.write_text(json.dumps({"cookies": [good, {"name": "b", "value": "2", "secure": False}]}))
    loaded = project.ok("cookie-import", "cookies.json").out

    kept = {row["name"]: row["value"] for row in json.loads(project.ok("cookies").page)}
    assert loaded == "Loaded 2 cookies from cookies.json\n"
    assert kept == {"a": "1", "b": "2"}
    assert project.ok("js", "1 + 1").page == "2"
    project.ok("goto", site.url.replace("127.0.0.1", "localhost") + "/import")
    for words in (["js", "1"], ["wait", "--js", "true"]):
        ran = project.browse(*words)
        assert ran.code == 4
        assert "current page (localhost) does not match any cookie-imported domain" in ran.err
        assert "Imported cookies for: 127.0.0.1." in ran.err
    project.ok("goto", "about:blank")
    assert project.ok("js", "1 + 1").page == "2"
