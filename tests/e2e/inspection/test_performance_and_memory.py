"""Timing and memory."""

import re

import pytest

pytestmark = pytest.mark.e2e
NINE = ["dns", "tcp", "ssl", "ttfb", "download", "domParse", "domReady", "load", "total"]


def test_the_parts_of_loading_are_timed(browser, site):
    browser.post("goto", site.page("/timed", "<h1>large words</h1>"))
    browser.post("wait", "--load")

    lines = browser.ok("perf").out.splitlines()
    timing = browser.ok("perf", "--json").json["timing"]

    assert [line.split()[0] for line in lines[:9]] == NINE
    assert all(re.fullmatch(r"\w+ +\d+ms", line) for line in lines[:9])
    assert lines[0].startswith("dns          ")
    assert timing["load"] == timing["total"] > 0
    assert timing["cls"] == 0


def test_a_blank_page_was_never_loaded(browser):
    assert browser.ok("perf").out == "No navigation timing data available.\n"


def test_memory_is_told_of_everything_that_runs(browser, site):
    browser.post("goto", site.page("/heavy", "<script>addEventListener('x', () => 1)</script>"))

    lines = browser.ok("memory").out
    data = browser.ok("memory", "--json").json

    assert re.search(r"^Daemon: RSS [\d.]+ MB$", lines, re.M)
    assert re.search(r"^Chromium processes: \d+ total \(.*renderer=\d+.*\)$", lines, re.M)
    assert re.search(
        r"^  \[ +[\d.]+ MB JS, \d+ nodes, \d+ listeners\] tab #\d+ — http", lines, re.M
    )
    assert data["daemon"]["id"] == browser.state()["pid"]
    assert data["driver"]["rss"] > 0
    assert all(use["rss"] for use in data["processes"])
    (tab,) = data["tabs"]
    assert tab["used"] > 0
    assert tab["page"]["url"].endswith("/heavy")
    assert data["structures"]["network"]["total"] > 0
