"""Tabs with the real client, daemon and Chromium."""

import json

import pytest

from support.cli import until
from support.life import assert_clear

pytestmark = pytest.mark.e2e


def rows(browser) -> list[dict]:
    return json.loads(browser.post("tabs", "--json"))["tabs"]


def ids(browser) -> list[int]:
    return [row["id"] for row in rows(browser)]


def current(browser) -> int:
    return next(row["id"] for row in rows(browser) if row["current"])


def open_tab(browser, *url: str) -> int:
    return json.loads(browser.post("newtab", *url, "--json"))["tabId"]


def test_newtab_becomes_the_current_tab(browser):
    first = current(browser)

    ran = browser.ok("newtab")

    assert ran.out == f"Opened tab {first + 1}\n"
    assert current(browser) == first + 1


def test_newtab_goes_to_an_address(browser, site):
    url = site.page("/in-a-new-tab", "<title>New</title>")

    told = browser.ok("newtab", url, "--json").json

    assert told == {
        "tabId": current(browser),
        "url": url,
        "status": 200,
        "page": {"url": url},
    }
    assert browser.ok("url").page == url


def test_newtab_with_a_refused_address_opens_nothing(browser):
    before = ids(browser)

    assert browser.browse("newtab", "javascript:alert(1)").code == 4
    assert ids(browser) == before


@pytest.mark.issue(18)
def test_newtab_with_a_download_opens_nothing(browser, site):
    url = site.page("/tab.bin", "bytes", content_disposition="attachment; filename=tab.bin")
    before = rows(browser)

    ran = browser.browse("newtab", url)

    assert_clear(ran, 1, "The address is a download, not a page; no tab was opened")
    assert rows(browser) == before


def test_tabs_lists_each_with_its_title_and_address(browser, site):
    url = site.page("/titled", "<title> A\n title </title>")
    first, second = current(browser), open_tab(browser, url)

    shown = browser.ok("tabs").page

    assert shown == f"  [{first}] (untitled) — about:blank\n→ [{second}] A title — {url}"


def test_tabs_as_data(browser, site):
    url = site.page("/titled-data", "<title>Data</title>")
    browser.post("goto", url)

    assert browser.ok("tabs", "--json").json == {
        "tabs": [
            {
                "id": current(browser),
                "current": True,
                "crashed": False,
                "page": {"title": "Data", "url": url},
            }
        ]
    }


def test_tab_makes_another_tab_the_current_one(browser):
    first = current(browser)
    open_tab(browser)

    assert browser.ok("tab", str(first)).out == f"Switched to tab {first}\n"
    assert current(browser) == first


@pytest.mark.parametrize("command", ["tab", "closetab"])
def test_an_unknown_tab_is_an_error_that_lists_the_open_ones(browser, command):
    before = rows(browser)

    ran = browser.browse(command, "99999")

    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith("Tab 99999 not found.")
    assert f"open tabs: {current(browser)}" in ran.err
    assert rows(browser) == before


@pytest.mark.parametrize("id", ["0", "-1", "x", "1.0", ""])
def test_what_is_no_number_is_no_tab(browser, id):
    assert browser.browse("tab", id).code == 2


def test_closetab_closes_the_current_tab_and_the_newest_left_follows(browser):
    first, second, third = current(browser), open_tab(browser), open_tab(browser)
    browser.post("tab", str(first))

    assert browser.ok("closetab").out == f"Closed tab {first}\n"
    assert ids(browser) == [second, third]
    assert current(browser) == third


@pytest.mark.parametrize("form", ["{}", "--tab-id={}", "BROWSE_TAB"])
def test_closetab_closes_the_tab_that_is_named_and_keeps_the_current_one(browser, form):
    first, second = current(browser), open_tab(browser)

    if form == "BROWSE_TAB":
        browser.ok("closetab", BROWSE_TAB=str(first))
    else:
        browser.ok("closetab", form.format(first))

    assert ids(browser) == [second]
    assert current(browser) == second


def test_the_last_tab_is_replaced_by_a_blank_one_with_a_new_id(browser, site):
    browser.post("goto", site.page("/last", "<p>x"))
    last = current(browser)

    assert browser.ok("closetab", "--json").json == {"tabId": last}

    (left,) = rows(browser)
    assert left["id"] > last
    assert left["page"]["url"] == "about:blank"


def test_an_id_is_never_used_again(browser):
    closed = open_tab(browser)
    browser.post("closetab", str(closed))

    assert open_tab(browser) > closed
    assert browser.browse("url", "--tab-id", str(closed)).code == 3


@pytest.mark.parametrize(
    "script",
    [
        "void window.open('/popup')",
        "document.querySelector('a').click()",
        "void window.open('/popup', '_blank', 'noopener,width=200')",
    ],
)
def test_a_page_that_opens_a_page_makes_a_tab(browser, site, script):
    url = site.page("/popup", "<title>Popup</title>")
    browser.post("goto", site.page("/opener", "<a href=/popup target=_blank>open</a>"))
    opener = current(browser)

    browser.ok("js", script)

    until(lambda: url in [row["page"]["url"] for row in rows(browser)], what="the popup's tab")
    assert len(ids(browser)) == 2
    assert current(browser) == opener


def test_a_popup_that_closes_itself_is_no_tab_any_more(browser, site):
    site.page("/brief", "<p>x")
    browser.post("goto", site.page("/opens-briefly", "<p>x"))
    browser.ok("js", "window.other = window.open('/brief'); 0")
    until(lambda: len(ids(browser)) == 2, what="the popup's tab")

    browser.ok("js", "other.close()")

    until(lambda: len(ids(browser)) == 1, what="its end")


@pytest.fixture
def two(browser, site):
    """A current tab, and another tab in the background."""
    background = current(browser)
    browser.post("goto", site.page("/background", "<title>Back</title><p>background</p>"))
    open_tab(browser, site.page("/foreground", "<title>Fore</title><p>foreground</p>"))
    return browser, background


@pytest.mark.parametrize("flag", [["--tab-id", "{}"], ["--tab-id={}"]])
def test_tab_id_reads_a_background_tab_and_leaves_the_current_one(two, flag):
    browser, background = two

    shown = browser.ok("text", *(word.format(background) for word in flag)).page

    assert shown == "background"
    assert browser.ok("text").page == "foreground"


def test_tab_id_acts_in_the_background(two, site):
    browser, background = two
    url = site.page("/elsewhere", "<p>elsewhere")

    browser.ok("--tab-id", str(background), "goto", url)

    assert [row["page"]["url"] for row in rows(browser)] == [url, f"{site.url}/foreground"]
    assert current(browser) != background


def test_browse_tab_names_the_tab_and_the_flag_wins_over_it(two):
    browser, background = two
    foreground = current(browser)

    assert browser.ok("text", BROWSE_TAB=str(background)).page == "background"
    shown = browser.ok("text", "--tab-id", str(foreground), BROWSE_TAB=str(background)).page
    assert shown == "foreground"


def test_chain_acts_on_the_tab_that_is_named(two):
    browser, background = two

    ran = browser.ok("chain", "--tab-id", str(background), "url | text")

    assert "\nbackground\n" in ran.out
    assert "foreground" not in ran.out


@pytest.mark.parametrize("words", [["text"], ["url"], ["js", "1"], ["chain", "url"], ["closetab"]])
def test_an_unknown_tab_id_is_an_error_and_never_another_tab(two, words):
    browser, _ = two

    ran = browser.browse(*words, "--tab-id", "99999")

    assert (ran.code, ran.out) == (3, "")
    assert "Tab 99999 not found." in ran.err
    assert len(ids(browser)) == 2


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("99999", "Tab 99999 not found."),
        ("x", "BROWSE_TAB='x' is not a tab id."),
        ("0", "BROWSE_TAB='0' is not a tab id."),
        ("-1", "BROWSE_TAB='-1' is not a tab id."),
    ],
)
def test_a_bad_browse_tab_is_an_error(browser, value, message):
    ran = browser.browse("url", BROWSE_TAB=value)

    assert (ran.code, ran.out) == (3, "")
    assert message in ran.err


def test_tab_each_gives_a_result_for_every_tab(two, site):
    browser, background = two

    rows = json.loads(browser.ok("tab-each", "text").out)

    assert [list(row) for row in rows] == 2 * [
        ["tabId", "url", "title", "status", "output", "untrusted"]
    ]
    assert {key: rows[0][key] for key in ("tabId", "url", "title", "status")} == {
        "tabId": background,
        "url": f"{site.url}/background",
        "title": "Back",
        "status": 200,
    }
    assert [row["output"].splitlines()[1] for row in rows] == ["background", "foreground"]
    assert rows[0]["untrusted"] == ["url", "title", "output"]


def test_tab_each_goes_on_where_one_tab_fails(two):
    browser, _ = two
    browser.post("js", "document.body.innerHTML = '<b>only here</b>'")

    rows = json.loads(browser.ok("tab-each", "text", "b").out)

    assert [row["status"] for row in rows] == [404, 200]
    assert rows[0]["output"].startswith("Nothing on the page matches 'b'.")


@pytest.mark.parametrize("dashes", [[], ["--"]], ids=["plain", "dashes"])
def test_tab_each_passes_flags_of_the_command_on(two, dashes):
    browser, _ = two

    rows = json.loads(browser.ok("tab-each", *dashes, "text", "--max-chars", "4").out)

    assert [row["output"].splitlines()[1] for row in rows] == ["back", "fore"]


def test_tab_each_takes_short_flags_of_the_command(two):
    browser, _ = two
    browser.post("js", "document.body.innerHTML = '<p>words</p><button>Go</button>'")

    rows = json.loads(browser.ok("tab-each", "snapshot", "-i").out)

    assert [row["output"].splitlines()[1] for row in rows] == [
        "(no interactive elements found)",
        '@e1 [button] "Go"',
    ]


def test_tab_each_of_a_chain_has_the_output_of_each_step(two):
    browser, _ = two

    rows = json.loads(browser.ok("tab-each", "chain", "url | text").out)

    assert "[url]\n" in rows[0]["output"]
    assert "\nbackground\n" in rows[0]["output"]


def test_tab_each_with_json_of_its_own_says_what_was_run(two):
    browser, _ = two

    told = browser.ok("tab-each", "--json", "text", "--max-chars", "4").json

    assert (told["command"], told["args"]) == ("text", ["--max-chars", "4"])
    assert told["total"] == len(told["results"]) == 2


def test_tab_each_passes_json_after_the_command_on(two):
    browser, _ = two

    rows = json.loads(browser.ok("tab-each", "text", "--json").out)

    assert [json.loads(row["output"])["page"]["text"] for row in rows] == [
        "background",
        "foreground",
    ]


def test_tab_each_refuses_itself(browser):
    ran = browser.browse("tab-each", "tab-each", "url")

    assert (ran.code, ran.out) == (2, "")
    assert "cannot run itself" in ran.err
