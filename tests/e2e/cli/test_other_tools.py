"""Words that agents know from other tools, on every channel."""

import json

import pytest

from support.cli import until
from support.life import assert_clear, post

pytestmark = [pytest.mark.e2e, pytest.mark.issue(15)]

PAGE = """<title>Teas</title><h1>Teas</h1><input id=q value=tea><a id=l href=/x>More</a>
<button id=b onclick="log.push('click')" ondblclick="log.push('double')"
 oncontextmenu="log.push('menu'); return false">Buy</button><p id=done>Done</p>
<script>window.log = []</script><div style="height:4000px"></div>"""


@pytest.fixture
def page(browser, site):
    browser.ok("goto", site.page("/teas", PAGE))
    return browser


def ref(browser, words: str) -> str:
    return browser.ok("find", words).page.split()[0]


@pytest.mark.parametrize("word", ["open", "navigate", "visit"])
def test_other_words_for_goto_open_a_page(browser, site, word):
    url = site.page("/opened", "<p>Here")

    assert browser.ok(word, url).out.startswith(f"Navigated to {url} (200)")


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["get", "title"], "Teas"),
        (["get", "text", "h1"], "Teas"),
        (["get-text", "h1"], "Teas"),
        (["get", "html", "h1"], "Teas"),
        (["get", "value", "#q"], "tea"),
        (["get", "attr", "#l", "href"], "/x"),
        (["evaluate", "1+1"], "2"),
        (["eval", "1+1"], "2"),
        (["eval", "document.title"], "Teas"),
        (["eval", "() => document.title"], "Teas"),
        (["--json", "get", "title"], None),
    ],
)
def test_reading_words_print_what_ours_do(page, words, shown):
    ran = page.ok(*words)

    assert ran.json["page"]["title"] == "Teas" if shown is None else ran.page == shown


def test_counting_words_print_the_number(page):
    assert page.ok("get", "count", "button").out.strip() == "1"


@pytest.mark.parametrize(
    ("words", "logged"),
    [
        (["dblclick", "#b"], "click,click,double"),
        (["rightclick", "#b"], "menu"),
        (["tap", "#b"], "click"),
    ],
)
def test_clicking_words_click_as_they_say(page, words, logged):
    page.ok(*words)

    assert page.ok("js", "log.join()").page == logged


def test_a_ref_may_be_written_as_others_do(page):
    number = ref(page, "buy").removeprefix("@")

    page.ok("click", number)
    page.ok("click", f"ref={number}")

    assert page.ok("js", "log.join()").page == "click,click"


def test_typing_into_a_ref_goes_there(page):
    field = ref(page, "tea --role textbox")
    page.ok("focus", "#b")

    typed = page.ok("type", field, "green", "tea")
    page.ok("press", field, "Home")
    page.ok("type", "--", field, "!")

    assert typed.out.startswith(f"Typed 9 characters into {field}")
    assert page.ok("js", "q.value").page == f"{field} !green teatea"


@pytest.mark.parametrize(
    ("words", "top"),
    [
        (["scroll", "down", "500"], "500"),
        (["scroll", "down"], "600"),
        (["scroll", "bottom"], "true"),
        (["scrollintoview", "#done"], "0"),
    ],
)
def test_scrolling_by_direction(page, words, top):
    page.ok(*words)

    shown = page.ok("js", "scrollY > 1000 ? true : scrollY").page
    assert shown == top


@pytest.mark.parametrize(
    "words",
    [
        ["wait-for", "#done"],
        ["waitfor", "#done"],
        ["wait", "load"],
        ["wait", "--load", "networkidle"],
        ["wait", "text", "Done"],
        ["wait", "selector", "#done"],
        ["wait", "--fn", "1 === 1"],
        ["wait", "10ms"],
        ["wait", "0s"],
    ],
)
def test_waiting_words(page, words):
    page.ok(*words)


def test_tab_words(page, site):
    url = site.page("/second", "<title>Second")

    opened = page.ok("tab", "new", url, "--json").json["tabId"]
    assert "Second" in page.ok("tab", "list").page
    assert "Second" in page.ok("tabs", "list").page
    page.ok("tab-close", str(opened))

    assert "Second" not in page.ok("tab-list").page


def test_cookies_are_cleared(page):
    page.ok("cookies", "set", "theme", "dark")
    page.ok("cookie-set", "size", "large")
    assert len(page.ok("cookies", "get", "--json").json["page"]["cookies"]) == 2

    assert page.ok("cookies", "clear", "--json").json == {"removed": 2}
    assert page.ok("cookies", "--json").json["page"]["cookies"] == []


def test_cookies_of_one_domain_are_cleared(page):
    page.ok("cookie", "theme=dark")

    assert page.ok("cookies", "--clear", "--domain", "example.com").out == "Removed 0 cookies\n"
    assert len(page.ok("cookies", "--json").json["page"]["cookies"]) == 1


def test_a_whole_page_is_what_a_screenshot_shows(page, browser):
    assert "Screenshot saved" in page.ok("screenshot", "--full").out
    assert "Screenshot saved" in page.ok("screenshot", "-f").out
    assert_clear(page.browse("screenshot", "--full-page", "--viewport"), 2, "cannot be combined")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["close"], "`browse closetab` closes the current tab"),
        (["quit"], "`browse stop` ends the browser"),
        (["get", "box", "#b"], "`browse inspect @e3`"),
        (["get", "nonsense"], "get text (`browse text`)"),
        (["click", "--text", "Buy"], "browse click 'text=Sign in'"),
        (["click", "7"], "refs look like @e7"),
        (["select", "#b", "--value", "x"], "browse select @e4 large"),
        (["network", "route", "x"], "browse route"),
        (["find", "role", "button", "click"], "browse click 'role=button'"),
        (["mouse", "click"], "browse mouse move 200 150"),
        (["type", "@e1"], "browse type -- @e1"),
        (["wait", "#x", "--state", "hidden"], "--gone"),
        (["fill", "#q", "x", "--submit"], "browse press Enter"),
        (["goto", "http://127.0.0.1/", "--expect", "#x"], "use --wait"),
        (["stpo"], "browse help"),
    ],
)
def test_what_is_not_the_same_is_answered_with_what_to_type(page, words, said):
    assert_clear(page.browse(*words), 2, said)


STEPS = [["get", "title"], ["dblclick", "#b"], ["scroll", "down", "100"], ["js", "log.join()"]]


def test_other_words_work_in_a_chain(page):
    shown = page.ok("chain", " | ".join(" ".join(step) for step in STEPS)).out

    assert "[get→title]" in shown
    assert "click,click,double" in shown


def test_other_words_work_over_http_and_in_a_batch(page):
    commands = [{"command": first, "args": rest} for first, *rest in STEPS]

    status, body = post(page, {"commands": commands}, path="/batch")
    one, said = post(page, {"command": "get", "args": ["title"]})

    assert (status, one) == (200, 200)
    assert [row["status"] for row in json.loads(body)["results"]] == [200, 200, 200, 200]
    assert "Teas" in said


def test_other_words_work_in_every_tab(page):
    rows = json.loads(page.ok("tab-each", "get", "title").out)

    assert any("Teas" in row["output"] for row in rows)


def test_the_audit_log_has_the_command_and_the_word(page):
    page.ok("get", "title")

    audit = page.state_file.parent / "browse-audit.jsonl"
    until(
        lambda: audit.exists() and '"aliasOf":"get title"' in audit.read_text(),
        what="the line in the log",
    )
    rows = [json.loads(line) for line in audit.read_text().splitlines()]
    assert {row["cmd"] for row in rows if row.get("aliasOf") == "get title"} == {"title"}
