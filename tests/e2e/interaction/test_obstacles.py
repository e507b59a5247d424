"""What stands in the way of an action is said, by every command alike."""

import json
import re

import pytest

pytestmark = pytest.mark.e2e

GO = "<button id=a {}>Go</button>"
VEIL = "<div id=veil style='position:fixed;inset:0'></div>"
MOVING = """<script>let at = 0;
const go = () => { a.style.marginLeft = `${at = (at + 7) % 300}px`; requestAnimationFrame(go); };
go();</script>"""
TWO_FRAMES = "new Promise(it => requestAnimationFrame(() => requestAnimationFrame(it)))"
CLICK = ["click", "#a"]
COVERED = "#a is covered by another element"
# What the page holds, what is typed, and what is said.
CASES = {
    "disabled": (GO.format("disabled"), CLICK, "#a: it is disabled; clicking it was not done."),
    "hidden": (GO.format("style=visibility:hidden"), CLICK, "#a: it cannot be seen;"),
    "off-screen": (
        GO.format("style=position:absolute;left:-900px"),
        CLICK,
        "#a: it is outside of the window and cannot be scrolled in;",
    ),
    "moving": (GO.format("") + MOVING, CLICK, "#a: it keeps moving;"),
    "inert": (f"<div inert>{GO}</div>", CLICK, "#a: a dialog keeps it from use;"),
    "covered": (GO + VEIL, CLICK, f"{COVERED}; clicking it was not done."),
    "hover": (GO + VEIL, ["hover", "#a"], f"{COVERED}; hovering over it was not done."),
    "drag": (GO + VEIL, ["drag", "#veil", "#a"], f"{COVERED}; dragging to it was not done."),
    "check": ("<input id=a type=checkbox disabled>", ["check", "#a"], "#a: it is disabled;"),
    "select": ("<select id=a disabled><option>x</select>", ["select", "#a", "x"], "it is disabled"),
    "fill": ("<input id=a style=display:none>", ["fill", "#a", "x"], "#a: it cannot be seen;"),
}
DIALOG = """<div role=dialog aria-label=Cookies style='position:fixed;inset:0;background:white'>
<div><p>We like <b>cookies</b></p></div></div>"""


@pytest.fixture
def tried(browser, site):
    """Try commands at the same time, each in a tab of its own: each waits as long as it may."""

    def run(cases: dict[str, tuple[str, list[str]]]) -> dict[str, dict]:
        started = {}
        for name, (html, words) in cases.items():
            opened = browser.post("newtab", site.page(f"/obstacle-{name}", html), "--json")
            tab = str(json.loads(opened)["tabId"])
            # What moves is known by its moves; the first look at a page has seen none yet.
            browser.post("text", "--tab-id", tab)
            browser.post("js", TWO_FRAMES, "--tab-id", tab)
            started[name] = browser.start(*words, "--json", "--tab-id", tab)
        ended = {name: process.communicate(timeout=150) for name, process in started.items()}
        return {name: json.loads(err or out) for name, (out, err) in ended.items()}

    return run


@pytest.mark.parametrize("part", range(3))
def test_what_stands_in_the_way_is_said(tried, part):
    cases = dict(list(CASES.items())[part::3])

    told = tried({name: (html, words) for name, (html, words, _) in cases.items()})

    wrong = {
        name: told[name]
        for name, (_, _, said) in cases.items()
        if said not in told[name].get("error", "")
    }
    assert wrong == {}
    assert {each["code"] for each in told.values()} == {"not-actionable"}
    assert all(each["hint"] for each in told.values())


def test_what_covers_an_element_is_named_by_its_ref(browser, site):
    browser.post("goto", site.page("/covered", GO + DIALOG))

    told = browser.browse("click", "#a", "--json").json

    ref, rest = told["page"]["detail"].removeprefix("covered by: ").split(" ", 1)
    assert rest.startswith('[dialog] "Cookies" <')
    assert f"({ref})" in told["hint"]
    assert "We like cookies" in browser.ok("text", ref).page


def test_what_covers_a_frame_is_named(browser, site):
    inner = site.page("/covered-inner", GO).replace("127.0.0.1", "localhost")
    browser.post("goto", site.page("/covered-outer", f"<iframe src={inner}></iframe>{DIALOG}"))
    browser.ok("wait", "--load")
    page = browser.ok("snapshot").page
    (target,) = re.findall(r'(@e\d+) \[button\] "Go"', page)

    told = browser.browse("click", target, "--json").json

    assert '[dialog] "Cookies"' in told["page"]["detail"]
