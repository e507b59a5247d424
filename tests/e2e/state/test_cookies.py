"""Cookies: shown, set, removed."""

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
        (["cookie", "theme=dark"], 2, "The current page has no host to set a cookie for."),
        (["cookies", "--url", "nonsense"], 1, "reading the cookies"),
    ],
)
def test_a_cookie_that_cannot_be_set(browser, words, code, message):
    ran = browser.browse(*words)

    assert ran.code == code
    assert message in ran.err


def test_cookies_are_removed_by_domain_and_by_name(browser, site):
    browser.post("goto", site.page("/jar", "<p>x"))
    browser.post("js", "for (const name of ['a', 'b', 'c']) document.cookie = `${name}=1`")

    assert browser.ok("cookies", "delete", "a").out == "Removed 1 cookie\n"
    assert browser.ok("cookies", "clear", "--domain", "other.example").out == "Removed 0 cookies\n"
    gone = browser.browse("cookies", "delete", "a")
    left = {row["name"] for row in json.loads(browser.ok("cookies").page)}
    cleared = browser.ok("cookies", "clear", "--domain", "127.0.0.1").out

    assert (gone.code, 'There is no cookie named "a" here' in gone.err) == (1, True)
    assert left == {"b", "c"}
    assert cleared == "Removed 2 cookies\n"
    assert browser.ok("cookies").page == "[]"
