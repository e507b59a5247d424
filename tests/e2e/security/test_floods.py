"""Pages and callers that send without end. Other tabs and callers stay served."""

import json
import socket
import threading
from contextlib import ExitStack

import pytest

from support.cli import CALL_S, until

pytestmark = pytest.mark.e2e
FLOODS = {
    "a loop": "for (;;) console.log('x'.repeat(200))",
    "timers": "setInterval(() => { for (let n = 0; n < 5000; n++) console.log('x' + n) })",
}


@pytest.mark.parametrize("script", FLOODS.values(), ids=FLOODS)
def test_a_page_that_logs_without_end_is_closed_and_other_tabs_are_not(project, site, script):
    quiet = site.page("/quiet", "<title>Quiet</title><p>words")
    flood = site.page("/flood", f"<script>setTimeout(() => {{ {script} }}, 300)</script>")
    project.ok("goto", quiet)
    project.ok("newtab", flood)

    ran = until(
        lambda: (ran := project.browse("text", "--tab-id", "2")).code == 3 and ran,
        seconds=240,
        what="the end of the flood",
    )

    assert "The page in this tab was closed: it logged or fetched without end" in ran.err
    until(lambda: project.browse("text", "--tab-id", "1").code == 0, what="the other tab")
    assert "[2] (closed: it flooded the browser)" in project.ok("tabs").page
    assert "so the page was closed" in project.ok("console", "--max-chars", "0").page
    project.ok("goto", quiet, "--tab-id", "2")
    assert project.ok("text", "--tab-id", "2").page == "words"


def test_a_page_that_fetches_without_end_keeps_no_other_tab_from_work(project, site):
    begun = threading.Event()
    site.answer("/nothing", lambda _: begun.set())
    project.ok("goto", site.page("/beside", "<p>words"))
    project.ok("newtab", site.page("/fetching", "<p>x"))
    flood = "setTimeout(() => { for (;;) fetch('/nothing').catch(() => 0) }, 50); 0"
    project.ok("js", flood, "--tab-id", "2")
    assert begun.wait(CALL_S)

    assert [project.ok("text", "--tab-id", "1").page for _ in range(2)] == ["words"] * 2


def test_a_long_address_takes_no_longer_because_there_are_rules_for_addresses(browser, site):
    browser.ok("route", "*.png", "--abort")
    browser.ok("route", "**/a*a*a*.png", "--body", "mine")
    browser.ok("goto", site.page("/asking", "<p>words"))

    said = browser.ok("js", "fetch('/' + 'a'.repeat(1_000_000)).then(() => 'sent', () => 'sent')")

    assert said.page == "sent"
    assert browser.ok("text").page == "words"
    assert "mine" in browser.ok("js", "fetch('/x/abaca.png').then((it) => it.text())").out


@pytest.mark.parametrize("mib", [5, 60])
def test_a_selector_of_megabytes_is_refused_and_no_tab_waits(browser, site, mib):
    browser.ok("goto", site.page("/usual", "<p>words"))
    body = {"command": "text", "args": ["x" * mib * 1024 * 1024]}

    status, answer = browser.ask("POST", "/command", body)

    assert (status, json.loads(answer)["code"]) == (413, "too-large")
    assert browser.ok("text").page == "words"


def test_a_selector_that_takes_long_to_parse_is_refused(browser, site):
    browser.ok("goto", site.page("/usual", "<p>words"))

    ran = browser.browse("click", "div " * 20_000)

    assert "The selector has 80,000 characters; 10,000 is the most." in ran.err
    assert browser.ok("text", "p").page == "words"


def test_half_requests_keep_nobody_from_being_served(project):
    project.ok("url")
    address = ("127.0.0.1", project.state()["port"])

    with ExitStack() as opened:
        for _ in range(600):
            half = opened.enter_context(socket.create_connection(address, timeout=90))
            half.send(b"POST /command HTTP/1.1\r\nHost: x\r\n")
        project.ok("url")
