"""What a page alerts because of an action is part of the reply."""

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(15)]


def show(browser, site, html: str) -> None:
    browser.ok("goto", site.page("/alerts", html))


@pytest.mark.parametrize(
    ("html", "react", "said"),
    [
        ("<p role=alert id=box></p>", "box.textContent = 'Card declined'", "Card declined"),
        ("<div id=box></div>", "box.innerHTML = '<p role=status>Saved</p>'", "Saved"),
        ("<p aria-live=polite id=box></p>", "box.append('3 results')", "3 results"),
        ("<output id=box></output>", "box.value = '42'", "42"),
    ],
)
def test_what_the_page_alerts_is_part_of_the_reply(browser, site, html, react, said):
    show(browser, site, f"""{html}<button onclick="{react}">Go</button>""")

    ran = browser.ok("click", "text=Go", "--snapshot")

    assert f"alert: {said}" in ran.page.splitlines()


def test_of_a_log_only_what_is_new_is_told(browser, site):
    html = """<div role=log id=log><p>Old words</p></div>
        <button onclick="log.append('New', ' ', 'words')">Send</button>
        <button onclick="log.firstChild.remove()">Delete</button>"""
    show(browser, site, html)

    sent = browser.ok("click", "text=Send", "--json").json
    deleted = browser.ok("click", "text=Delete", "--json").json

    assert (sent["page"]["alerts"], deleted["page"]["alerts"]) == (["New words"], [])


def test_messages_of_invalid_fields_are_part_of_the_reply(browser, site):
    html = "<form><label>Name <input required></label><button>Send</button></form>"
    show(browser, site, html)

    data = browser.ok("click", "text=Send", "--json").json

    (message,) = data["page"]["alerts"]
    assert message.startswith("Name: ")
    assert data["changed"] is True


def test_a_field_that_is_valid_again_says_nothing(browser, site):
    html = """<label>Name <input id=name></label><button onclick="name.setCustomValidity('no');
        name.checkValidity(); name.setCustomValidity('')">Look</button>"""
    show(browser, site, html)

    assert browser.ok("click", "text=Look", "--json").json["page"]["alerts"] == []


def test_an_alert_that_was_there_before_is_not_told(browser, site):
    html = """<p role=alert>Old</p><button onclick="this.title = 1">Go</button>"""
    show(browser, site, html)

    assert browser.ok("click", "text=Go", "--json").json["page"]["alerts"] == []
