"""Methods of the DevTools protocol, with the real client, daemon and Chromium."""

import json
from pathlib import Path

import pytest

from support.cli import until

pytestmark = pytest.mark.e2e


@pytest.fixture
def page(browser, site):
    browser.post("goto", site.page("/cdp", "<style>p { color: red }</style><p>Words of the page"))
    return browser


def test_listed_methods_answer_and_page_words_are_marked(page):
    listed = page.ok("cdp").out.splitlines()
    tree = page.ok("cdp", "Accessibility.getFullAXTree", "--json").json["page"]["result"]
    plain = page.ok("cdp", "Performance.getMetrics").out
    layout = page.ok("cdp", "Page.getLayoutMetrics").out

    names = [node.get("name", {}).get("value") for node in tree["nodes"]]
    assert "Accessibility.getFullAXTree" in listed
    assert "Words of the page" in names
    assert "metrics" in json.loads(plain)
    assert json.loads(layout)["cssLayoutViewport"]["clientWidth"] > 0
    assert page.ok("cdp", "help").out.splitlines() == listed


def test_parameters_may_follow_the_word_json_as_in_gstack(page):
    tree = page.ok("cdp", "Accessibility.getFullAXTree", "--json", '{"depth": 1}').json

    assert "Words of the page" not in json.dumps(tree)


def test_styles_are_found_by_lasting_ids(page):
    tree = page.ok("cdp", "Accessibility.getFullAXTree", "--json").json["page"]["result"]
    (node,) = [it for it in tree["nodes"] if it.get("role", {}).get("value") == "paragraph"]
    wanted = json.dumps({"backendNodeId": node["backendDOMNodeId"]})

    styles = page.ok("cdp", "CSS.getMatchedStylesForNode", wanted).page

    assert '"text": "red"' in styles or '"value": "red"' in styles


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["Runtime.evaluate", '{"expression": "1"}'], "DENIED: 'Runtime.evaluate'"),
        (["nonsense"], "is not Domain.method"),
        (["DOM.getBoxModel", "[1]"], "Cannot parse params as JSON"),
        (["DOM.getBoxModel", '{"backendNodeId": 999999}'], "The browser refused DOM.getBoxModel"),
    ],
)
def test_what_cannot_be_done_is_said(page, words, said):
    ran = page.browse("cdp", *words)

    assert ran.code != 0
    assert said in ran.err


def test_a_busy_tab_is_named(page, site):
    held = site.hold("/answers-late")
    script = "const r = new XMLHttpRequest(); r.open('GET', '/answers-late', false); r.send()"
    busy = page.start("js", script)
    try:
        assert held.arrived.wait(150)
        ran = page.browse("cdp", "Performance.getMetrics")
    finally:
        held.let_go.set()
        busy.communicate()

    assert ran.code != 0
    assert "is busy with `js`" in ran.err


def test_calls_are_counted_for_who_agreed(page):
    home = Path(page.env["HOME"]) / ".gstack"
    events = home / "analytics" / "browse-telemetry.jsonl"
    page.ok("cdp", "Performance.getMetrics")
    assert not events.exists()
    config = home / "config.yaml"

    def counted() -> list[dict[str, object]]:
        """What was counted last: events of other tests may still have waited to be written."""
        lines = events.read_text().splitlines() if events.exists() else []
        return [json.loads(line) for line in lines][-3:]

    config.write_text("telemetry: anonymous\n")
    try:
        page.ok("cdp", "Performance.getMetrics")
        page.browse("cdp", "Runtime.compileScript", '{"expression": "hunter2"}')
        until(lambda: "Runtime.compileScript" in str(counted()), what="the events")
    finally:
        config.unlink()

    called, waited, denied = counted()
    events.unlink()
    assert (called["event"], called["method"]) == ("cdp_method_called", "Performance.getMetrics")
    assert waited["event"] == "cdp_lock_acquire_ms"
    assert (denied["event"], denied["method"]) == ("cdp_method_denied", "Runtime.compileScript")
    assert set(denied) == {"ts", "event", "method"}
