"""Rules that answer requests in place of the network, seen from the page."""

import json

import pytest

pytestmark = pytest.mark.e2e

ASK = """Promise.all({paths}.map((path) => fetch(path).then(
  (answer) => answer.text().then((words) => [answer.status, words,
    answer.headers.get('content-type'), answer.headers.get('x-a')]),
  () => 'refused')))"""


@pytest.fixture
def browser(browser):
    yield browser
    browser.post("unroute")


def ask(browser, *paths: str) -> list:
    """Fetch from the page: status, body, type and a header of each answer, or 'refused'."""
    told = browser.post("js", ASK.replace("{paths}", json.dumps(paths)), "--json")
    return json.loads(told)["page"]["value"]


def test_rules_answer_and_refuse_and_count_until_they_are_removed(browser, site):
    url = site.page("/routing", "<h1>Routing</h1>")
    site.page("/routing/real.png", "real")
    (browser.root / "stub.json").write_bytes(b"[1, 2]")
    browser.ok("goto", url)
    browser.ok("route", "*.png", "--abort")
    browser.ok("route", "/api/", "--body", '{"a": 1}', "--header", "x-a: 1", "--header", "x-a: 2")
    browser.ok("route", f"{site.url}/file", "--file", "stub.json", "--status", "201")
    (browser.root / "stub.json").unlink()

    answers = ask(browser, "/routing/real.png?v=1", "/api/x?y", "/file", "/routing")

    assert answers == [
        "refused",
        [200, '{"a": 1}', "application/json", "1, 2"],
        [201, "[1, 2]", "application/json", None],
        [200, "<h1>Routing</h1>", "text/html; charset=utf-8", None],
    ]
    assert browser.ok("routes").out.splitlines() == [
        f"{site.url}/file → 201, 6 bytes (hits: 1)",
        "/api/ → 200, 8 bytes (hits: 1)",
        "*.png → aborted (hits: 1)",
    ]
    assert browser.ok("unroute", "*.png").out == "Removed: *.png → aborted (hits: 1)\n"
    assert ask(browser, "/routing/real.png")[0][:2] == [200, "real"]
    assert [rule["hits"] for rule in browser.ok("unroute", "--json").json["removed"]] == [1, 1]
    assert ask(browser, "/api/x")[0][0] == 404


def test_the_newest_rule_wins_in_every_tab_and_after_navigating(browser, site):
    url = site.page("/routing/tabs", "<h1>Tabs</h1>")
    browser.ok("route", "/stub/**", "--body", "old")
    browser.ok("route", "/stub/a", "--body", "new")
    told = browser.ok("route", "/stub/**", "--body", "other", "--json").json
    browser.ok("goto", url)
    browser.ok("newtab", url)

    assert told["replaced"] is True
    assert [answer[1] for answer in ask(browser, "/stub/a", "/stub/b/c")] == ["other", "other"]
    browser.ok("unroute", "/stub/**")
    assert [answer[0] for answer in ask(browser, "/stub/a", "/stub/b/c")] == [200, 404]


def test_a_page_itself_can_be_answered_or_refused(browser, site):
    browser.ok("route", "/nowhere/*", "--body", "<h1>Made up</h1>", "--status", "404")
    browser.ok("route", "/refused", "--abort")

    refused = browser.browse("goto", f"{site.url}/refused")
    shown = browser.ok("goto", f"{site.url}/nowhere/page").out

    assert "(404)" in shown
    assert browser.ok("text").page == "Made up"
    assert refused.code != 0
    assert "`browse route` or `browse har replay` refuses it" in refused.err


def test_a_service_workers_requests_are_answered_too(browser, site):
    site.page("/sw/worker.js", WORKER, content_type="text/javascript")
    browser.ok("goto", site.page("/sw/page", "<h1>Worker</h1>"))
    browser.ok("js", REGISTER)
    browser.ok("route", "/sw/asked", "--body", "from the rule")

    assert ask(browser, "/sw/asked")[0][1] == "from the rule"


def test_an_unknown_rule_cannot_be_removed(browser):
    browser.ok("route", "/known", "--abort")

    ran = browser.browse("unroute", "/unknown")

    assert ran.code != 0
    assert "no rule with the pattern '/unknown'" in ran.err
    assert "rules: /known" in ran.err


WORKER = """
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => event.respondWith(fetch(event.request)));
"""
REGISTER = """new Promise((done) => {
  navigator.serviceWorker.addEventListener('controllerchange', () => done('taken'));
  navigator.serviceWorker.register('/sw/worker.js');
})"""
