"""Actions whose answer takes long, and tabs that close themselves."""

import json

import pytest

from support.life import assert_clear

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]


def test_a_form_whose_answer_is_late_is_told_as_submitted(browser, site):
    held = site.hold("/pe-answer", "<title>Thanks</title>saved")
    form = f"<form action={held.url} method=post><input name=a><button>Send</button></form>"
    browser.post("goto", site.page("/pe-form", form))

    told = json.loads(browser.post("click", "button", "--json"))
    again = browser.browse("wait", "--navigation", "300")
    held.let_go.set()
    came = browser.ok("wait", "--navigation")

    assert told["loading"]
    assert told["page"]["pending"] == [f"POST {held.url}"]
    assert_clear(again, 5, "for a navigation: the tab is where it was")
    assert came.out.startswith("Navigated")
    assert browser.ok("title").page == "Thanks"


@pytest.mark.issue(18)
def test_a_field_that_sends_its_form_says_so(browser, site):
    held = site.hold("/pe-sent", "<title>Found</title>tea")
    field = "<input name=a onchange=form.submit()>"
    url = site.page("/pe-sends", f"<form action={held.url}>{field}</form>")
    browser.post("goto", url)

    told = browser.ok("fill", "input", "tea")
    held.let_go.set()

    assert "Submitted, the answer is pending" in told.out
    assert told.page == f"pending: GET {held.url}?a=tea"
    browser.ok("wait", "--navigation")
    assert browser.ok("title").page == "Found"


@pytest.mark.issue(18)
def test_a_form_that_is_read_and_not_sent_is_no_submission(browser, site):
    field = "<input name=a onchange='document.title = new FormData(form).get(`a`)'>"
    browser.post("goto", site.page("/pe-read", f"<form>{field}</form>"))

    assert browser.ok("fill", "input", "tea").out == "Filled input\n"


def test_the_reply_says_that_it_is_pending_and_what_waits_for_it(browser, site):
    held = site.hold("/pe-slow", "there")
    browser.post("goto", site.page("/pe-link", f"<a href={held.url}>Go</a>"))

    told = browser.ok("click", "a")
    held.let_go.set()

    assert "Submitted, the answer is pending; do not repeat it: `browse wait --navigation`" in (
        told.out
    )
    assert told.page == f"pending: GET {held.url}"
    browser.ok("wait", "--navigation")
    assert browser.ok("text").page == "there"


@pytest.mark.parametrize(
    ("words", "html"),
    [
        (["check", "#a"], "<input type=checkbox id=a onchange=go()>"),
        (["hover", "#a"], "<b id=a onmouseover=go()>Menu</b>"),
        (["select", "#a", "Two"], "<select id=a onchange=go()><option>One<option>Two</select>"),
        (["fill", "#a", "2026-12-24"], "<input type=date id=a onchange=go()>"),
        (["click", "#a", "--modifiers", "Shift"], "<b id=a onclick=go()>Menu</b>"),
        (["click", "#a", "--snapshot"], "<b id=a onclick=go()>Menu</b>"),
        (
            ["select", "#a", "Two"],
            """<div id=a role=listbox><div role=option>One</div>
               <div role=option onclick=go()>Two</div></div>""",
        ),
    ],
)
def test_what_sends_the_page_elsewhere_is_done_before_the_answer(browser, site, words, html):
    held = site.hold("/pe-next", "<title>Next</title>there")
    script = "<script>function go() { location = '/pe-next' }</script>"
    browser.post("goto", site.page("/pe-widget", script + html))

    told = browser.ok(*words)
    held.let_go.set()

    assert told.page == f"pending: GET {held.url}"
    browser.ok("wait", "--navigation")
    assert browser.ok("title").page == "Next"


def test_a_navigation_that_has_come_meanwhile_is_not_waited_for(browser, site):
    held = site.hold("/pe-same", "second")
    browser.post("goto", site.page("/pe-first", f"<a href={held.url}>Go</a>"))
    browser.ok("click", "a")
    held.let_go.set()
    browser.ok("wait", "--text", "second")

    assert browser.ok("wait", "--navigation", "5000").out.startswith("Navigated")


def test_a_request_of_a_script_that_is_open_is_named(browser, site):
    held = site.hold("/pe-fetch", "x")
    browser.post("goto", site.page("/pe-app", "<button onclick=\"fetch('/pe-fetch')\">Go</button>"))

    told = browser.ok("click", "button")
    held.let_go.set()

    assert "1 request still pending" in told.out
    assert told.page == f"pending: GET {held.url}"


def test_wait_networkidle_waits_for_the_end_of_what_is_named(browser, site):
    held = site.hold("/pe-fetch2", "x")
    browser.post("goto", site.page("/pe-app2", f"<button onclick=\"fetch('{held.url}')\">Go"))
    browser.ok("wait", "--networkidle")
    browser.ok("click", "button")

    early = browser.browse("wait", "--networkidle", "700")
    held.let_go.set()

    assert_clear(early, 5, "Waited 700 ms for 'networkidle': these requests are open")
    browser.ok("wait", "--networkidle", "30s")


def test_a_tab_that_closes_itself_says_which_is_current_now(browser, site):
    site.page("/pe-popup", "<button onclick='window.close()'>Done</button>")
    browser.post("goto", site.page("/pe-home", "<a href=/pe-popup target=_blank rel=opener>x</a>"))
    (opened,) = json.loads(browser.post("click", "a", "--json"))["opened"]
    browser.ok("tab", str(opened))

    told = browser.ok("click", "button")

    (left,) = json.loads(browser.post("tabs", "--json"))["tabs"]
    assert f"Tab {opened} has closed itself; the current tab is {left['id']} now" in told.out
    assert "now at" not in told.out
