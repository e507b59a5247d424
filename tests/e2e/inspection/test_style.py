"""Styles of elements, with the real client, daemon and Chromium."""

import pytest

pytestmark = pytest.mark.e2e

SHEET = "\n\n.x { padding: 3px; color: green }\n"
PAGE = """<link rel=stylesheet href=/looks.css><style>
@layer base, theme;
@layer base { p { color: red !important } } @layer theme { p { color: blue !important } }
p { padding: 1px !important } p::before { content: "hey" }</style>
<p id=i class=x style="padding: 9px; margin: 5px">words</p><b id=bare>bare</b>
<div id=host></div><script>
host.attachShadow({mode: "open"}).innerHTML = "<style>u { top: 3px }</style><u>in shadow</u>";
</script><iframe title=in srcdoc="<style>em { left: 4px }</style><em>framed</em>"></iframe>"""


@pytest.fixture
def page(browser, site):
    site.page("/looks.css", SHEET, content_type="text/css")
    browser.post("goto", site.page("/styled", PAGE))
    browser.ok("wait", "--load")
    return browser


def test_the_cascade_is_told_with_its_sources(page, site):
    data = page.ok("inspect", "p", "--json").json["page"]
    text = page.ok("inspect", "p").page
    every = page.ok("inspect", "p", "--all").page

    kept = [
        f"{it['name']}: {it['value']}"
        for rule in data["rules"]
        for it in rule["declarations"]
        if not it["overridden"] and rule["origin"] != "user-agent"
    ]
    assert kept == ["margin: 5px", "padding: 1px !important", "color: red !important"]
    assert data["computed"]["color"] == "rgb(255, 0, 0)"
    assert data["computed"]["padding-top"] == "1px"
    assert f"-> {site.url}/styled:3 [0,0,1] @layer base" in text
    assert "color: green" not in text
    assert f"-> {site.url}/looks.css:3 [0,1,0]" in every
    assert "color: green (overridden)" in every
    assert "display: block" in every
    assert 'p::before { content: "hey" }' in text
    assert "  padding: " in text


@pytest.mark.parametrize(("words", "rule"), [("u", "u { top: 3px }"), ("em", "em { left: 4px }")])
def test_shadow_roots_and_frames_are_looked_into(page, words, rule):
    if words == "em":
        tree = page.ok("snapshot", "--json").json["page"]["nodes"]
        words = next(it["ref"] for it in tree if it["role"] == "emphasis")

    assert rule in page.ok("inspect", words).page
    assert rule in page.ok("inspect").page  # the last one again


def test_changes_are_taken_back_to_the_letter(page):
    before = page.ok("js", "document.body.outerHTML").page
    page.ok("style", "p", "color", "rgb(1, 2, 3)")
    page.ok("style", "--", "#bare", "--gap", "7px")
    page.ok("style", "#bare", "outline", "1px", "solid", "red")
    colour = page.ok("js", "getComputedStyle(i).color").page
    listed = page.ok("inspect", "--history").page.splitlines()

    one = page.ok("style", "--undo").out
    two = page.ok("style", "--undo", "2").out

    assert colour == "rgb(1, 2, 3)"
    assert len(listed) == 3
    assert "Reverted last modification: #bare { outline }" in one
    assert "Reverted last 2 modifications" in two
    assert page.ok("js", "document.body.outerHTML").page == before
    assert page.ok("inspect", "--history").out.strip() == "(no style modifications)"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["style", "p", "color"], "are needed"),
        (["style", "p", "colour!", "red"], "Invalid CSS property name"),
        (["style", "p", "nonsense", "red"], "does not take that value"),
        (["style", "p", "background", "URL(http://evil.example/x)"], "CSS value rejected"),
        (["style", "p", "background", "u\\72l(x)"], "CSS value rejected"),
        (["style", "--undo", "0"], "takes a number"),
        (["style", "--undo", "9"], "There are 0 changes"),
        (["style", "#none", "color", "red"], "Nothing on the page matches"),
        (["inspect", "#none"], "Nothing on the page matches"),
    ],
)
def test_what_cannot_be_done_is_said(page, words, said):
    ran = page.browse(*words)

    assert ran.code != 0
    assert said in ran.err


def test_a_field_called_style_is_no_trap(browser, site):
    browser.post("goto", site.page("/trap", "<form id=trap><input name=style>words</form>"))
    browser.ok("style", "#trap", "color", "rgb(1, 2, 3)")
    changed = browser.ok("js", "getComputedStyle(trap).color").page
    browser.ok("style", "--undo")

    assert changed == "rgb(1, 2, 3)"
    assert browser.ok("js", "trap.hasAttribute('style')").page == "false"
