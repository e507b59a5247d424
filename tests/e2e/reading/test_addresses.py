"""Where a reply's words are from: said when the caller does not know it, in short or in full."""

import pytest

from support.cli import ENVELOPE

pytestmark = pytest.mark.e2e
MOVE_ON = "setTimeout(() => location.href = '/there', 0)"


def test_a_page_that_is_known_is_not_named(browser, site):
    browser.ok("goto", site.page("/known", "<p>words<button>Press</button>"))

    assert browser.ok("text").out.startswith("--- page [")
    assert browser.ok("click", "text=Press").out == "Clicked text=Press\nNothing changed\n"


def test_a_page_that_was_opened_in_a_new_tab_is_not_named(browser, site):
    browser.ok("newtab", site.page("/new", "<p>words<button>Press</button>"))

    assert browser.ok("text").out.startswith("--- page [")
    assert browser.ok("click", "text=Press").out == "Clicked text=Press\nNothing changed\n"


def test_a_page_that_moved_on_by_itself_is_named_once(browser, site):
    there = site.page("/there", "<p>there")
    browser.ok("goto", site.page("/moving", "<p>here"))
    browser.post("js", MOVE_ON)
    browser.ok("wait", "--text", "there")

    assert browser.ok("text").out.startswith(f"--- page {there} [")
    assert browser.ok("text").out.startswith("--- page [")


def test_each_caller_is_told(browser, site):
    here = site.page("/told", "<p>words")
    browser.ok("goto", here)

    tab = browser.ok("tabs", "--json").json["tabs"][0]["id"]
    other = browser.ok("text", "--tab-id", str(tab), BROWSE_AGENT="another")
    assert other.out.startswith(f"--- page {here} [")


def test_an_action_says_where_the_tab_is_when_that_has_changed(browser, site):
    page = "<button onclick=\"history.pushState({}, '', '?two')\">Next</button>"
    here = site.page("/push", page)
    browser.ok("goto", here)

    assert browser.ok("click", "text=Next").out == f"Clicked text=Next → now at {here}?two\n"
    assert "now at" not in browser.ok("click", "text=Next").out


def test_a_new_document_at_the_same_address_is_told(browser, site):
    page = "<button onclick='location.reload()'>Again</button>"
    browser.ok("goto", site.page("/again", page))

    assert browser.ok("click", "text=Again").out == "Clicked text=Again → loaded again\n"


def test_json_has_the_address_each_time(browser, site):
    here = site.page("/json", "<button>Press</button>")
    browser.ok("goto", here)

    told = [browser.ok("click", "text=Press", "--json").json["page"]["url"] for _ in range(2)]
    assert told == [here, here]


def test_a_setting_gives_the_long_markers(project, site):
    here = site.page("/long", "<p>words</p>")
    project.env["BROWSE_ENVELOPE"] = "long"
    project.ok("goto", here)

    ran = project.ok("text")

    assert not ENVELOPE.search(ran.out)
    first, words, last = ran.out.splitlines()
    assert first.startswith(f"--- BEGIN UNTRUSTED EXTERNAL CONTENT (source: {here}) [")
    assert words == "words"
    assert last.startswith("--- END UNTRUSTED EXTERNAL CONTENT [")
