"""Dialogs with the real client, daemon and Chromium."""

import re

import pytest

from support.cli import until

pytestmark = pytest.mark.e2e

PAGE = """<button id=ask onclick="said = prompt('Your\\nname?', 'nobody')">Ask</button>
<button id=sure onclick="said = confirm('Sure?')">Sure</button>"""


@pytest.fixture
def page(browser, site):
    browser.post("dialog", "--clear")
    browser.post("goto", site.page("/dialogs", PAGE))
    yield browser
    browser.post("dialog-accept")


def said(page) -> object:
    return page.ok("js", "said", "--json").json["page"]["value"]


def test_dialogs_are_accepted_with_the_suggested_text_at_first(page):
    ran = page.ok("click", "#ask")

    assert "A dialog (prompt) was accepted" in ran.out
    assert said(page) == "nobody"


def test_a_policy_holds_until_another_is_set(page):
    told = page.ok("dialog-accept", "Ada", "Lovelace").out
    page.post("click", "#ask")
    first = said(page)
    page.post("click", "#ask")

    assert told == 'Dialogs will be accepted with text: "Ada Lovelace"\n'
    assert (first, said(page)) == ("Ada Lovelace", "Ada Lovelace")

    assert page.ok("dialog-dismiss").out == "Dialogs will be dismissed\n"
    ran = page.ok("click", "#sure")

    assert "A dialog (confirm) was dismissed" in ran.out
    assert said(page) is False


def test_an_answer_for_once_holds_once(page):
    told = page.ok("dialog-dismiss", "--once").out
    ran = page.ok("click", "#ask", "--json").json
    once = said(page)
    page.post("click", "#ask")

    assert told == "The next dialog will be dismissed\n"
    assert ran["page"]["dialogs"][0]["answer"] == "dismissed"
    assert (once, said(page)) == (None, "nobody")


def test_dialog_lists_what_was_asked_and_answered(page):
    empty = page.ok("dialog").page
    page.post("click", "#ask")
    page.post("dialog-dismiss")
    page.post("click", "#sure")

    first, second = page.ok("dialog").page.splitlines()
    assert empty == "(no dialogs captured)"
    assert re.fullmatch(
        r'\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\] \[prompt\] "Your\\nname\?" → accepted "nobody"', first
    )
    assert second.endswith('[confirm] "Sure?" → dismissed')
    assert page.ok("dialog", "--json").json["page"]["dialogs"][0]["message"] == "Your\nname?"
    assert page.ok("dialog", "--clear").out == "Dialog buffer cleared.\n"
    assert page.ok("dialog").page == "(no dialogs captured)"


def test_a_page_cannot_keep_its_tab(page, site):
    page.post("dialog-dismiss")
    keeps = site.page(
        "/keeps", "<input id=i><script>onbeforeunload = (event) => event.preventDefault()</script>"
    )
    page.post("goto", keeps)
    page.post("fill", "#i", "touched")
    page.post("click", "#i")

    page.ok("goto", site.page("/free", "<p>free"))

    assert page.ok("text").page == "free"
    assert "[beforeunload]" in page.ok("dialog").page


def test_dialogs_of_a_window_are_answered_too(page, site):
    opened = site.page("/asks", "<script>document.title = prompt('In a window', 'x')</script>")
    page.post("dialog-accept", "given")

    page.post("js", f"void window.open('{opened}')")

    until(lambda: "given — " in page.ok("tabs").out, what="the window to be answered")
    assert '[prompt] "In a window" → accepted "given"' in page.ok("dialog").page


def test_dialog_answers_while_a_page_spins(page, site):
    began = site.hold("/dialog-spins")
    script = (
        f"r = new XMLHttpRequest(); r.open('GET', '{began.url}', false); r.send(); for (;;) {{}}"
    )
    client = page.start("js", f"alert('before'); {script}")
    try:
        assert began.arrived.wait(150)
        assert '[alert] "before" → accepted' in page.ok("dialog").page
        assert page.ok("dialog-accept").code == 0
    finally:
        began.let_go.set()
        client.terminate()
        client.communicate(timeout=150)
