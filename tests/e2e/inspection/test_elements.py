"""`is`, `attrs` and `css` with the real client, daemon and Chromium."""

import json

import pytest

pytestmark = pytest.mark.e2e

PAGE = """<style>:root { --accent: tomato } h1 { font-size: 40px }</style>
<h1 id=title>Title</h1>
<p id=none style="display: none">x</p><p id=unseen style="visibility: hidden">x</p>
<p id=empty></p><p id=faint style="opacity: 0">x</p>
<div id=contents style="display: contents">words</div>
<div id=bare style="display: contents"><p hidden>x</p></div>
<button id=plain>Go</button><button id=off disabled>Go</button>
<fieldset disabled><input id=within></fieldset>
<div id=aria-off role=button aria-disabled=true>Go</div>
<input id=box type=checkbox checked><label id=label for=box>Box</label>
<input id=mixed type=checkbox><div id=aria-on role=switch aria-checked=true>On</div>
<div id=aria-no role=checkbox aria-checked=false>No</div>
<input id=text name=city value=Utrecht data-x='"quoted"'><input id=fixed readonly>
<div id=typed contenteditable>x</div><div id=aria-fixed role=textbox aria-readonly=true>x</div>
<select id=list><option>1</select>
<input id=secret type=password value=hunter2>
<form id=form data-kind=f><input name=attributes><input name=getAttribute></form>
<div id=host></div><script>
mixed.indeterminate = true;
host.attachShadow({mode: 'open'}).innerHTML = '<input id=deep>';
host.shadowRoot.querySelector('input').focus();
// What a page does to its own world is not what is read.
Element.prototype.checkVisibility = () => false;
Element.prototype.getAttributeNames = () => ['forged'];
window.getComputedStyle = () => ({ getPropertyValue: () => 'forged' });
</script>"""
TRUE = {
    "visible": "title contents faint off text",
    "hidden": "none unseen empty bare nowhere",
    "enabled": "plain text title",
    "disabled": "off within aria-off",
    "checked": "box label aria-on",
    "editable": "text typed list box",
    "focused": "deep host",
}
FALSE = {
    "visible": "none unseen empty bare nowhere",
    "hidden": "title contents faint",
    "enabled": "off within aria-off",
    "disabled": "plain text",
    "checked": "mixed aria-no",
    "editable": "fixed within title aria-fixed",
    "focused": "text title",
}


@pytest.fixture
def page(browser, site):
    browser.post("goto", site.page("/elements", PAGE))
    return browser


@pytest.mark.parametrize("state", TRUE)
def test_is_tells_the_state(page, state):
    told = {
        id: page.post("is", state, f"#{id}").strip()
        for id in (TRUE[state] + " " + FALSE[state]).split()
    }

    assert {id for id, said in told.items() if said == "true"} == set(TRUE[state].split())
    assert {id for id, said in told.items() if said == "false"} == set(FALSE[state].split())


def test_is_answers_both_ways_with_exit_code_0(page):
    assert page.ok("is", "visible", "#title").out == "true\n"
    assert page.ok("is", "visible", "#none").out == "false\n"
    assert page.ok("is", "hidden", "#title", "--json").json == {"value": False}


def test_is_takes_refs_and_a_removed_element_is_hidden(page):
    shown = next(
        line.split()[0] for line in page.ok("snapshot").page.splitlines() if "Title" in line
    )
    there = page.ok("is", "visible", shown).out
    page.post("js", "title.remove()")

    assert (there, page.ok("is", "visible", shown).out) == ("true\n", "false\n")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["is", "enabled", "#nowhere"], 3, "Nothing on the page matches '#nowhere'"),
        (["is", "checked", "#title"], 1, "'#title' cannot be checked or unchecked"),
        (["is", "Visible", "#title"], 2, "'Visible' is not one of: visible, hidden"),
        (["is", "visible", "p"], 3, "'p' matches"),
        (["attrs", "#nowhere"], 3, "Nothing on the page matches '#nowhere'"),
        (["css", "#nowhere", "color"], 3, "Nothing on the page matches '#nowhere'"),
        (["css", "h1", "colour"], 2, "no property 'colour'. Did you mean color?"),
        (["css", "h1", "bakground"], 2, "Did you mean background?"),
        (["css", "h1", "--", "--nothing"], 3, "--nothing is not set on h1"),
    ],
)
def test_what_cannot_be_answered_is_an_error(page, words, code, said):
    ran = page.browse(*words)

    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err


def test_attrs_are_those_of_the_markup(page):
    assert json.loads(page.ok("attrs", "#text").page) == {
        "id": "text",
        "name": "city",
        "value": "Utrecht",
        "data-x": '"quoted"',
    }
    assert page.ok("attrs", "#form", "--json").json["page"]["attributes"]["data-kind"] == "f"


def test_attrs_leave_out_a_password(page):
    ran = page.ok("attrs", "#secret", "--json")

    assert "hunter2" not in ran.out
    assert ran.json["page"]["attributes"]["value"] == "[REDACTED — 7 chars]"


@pytest.mark.parametrize(
    ("property", "value"),
    [("font-size", "40px"), ("fontSize", "40px"), ("--accent", "tomato"), ("display", "block")],
)
def test_css_is_the_computed_value(page, property, value):
    assert page.ok("css", "h1", "--", property).page == value


FIELDS = """<title>Fields</title><label for=a>Name</label><input id=a value=Ada>
<textarea id=b>two
lines</textarea><select id=c><option value=l>Large<option value=m selected>Medium</select>
<select id=d multiple><option selected>x<option>y<option selected>z</select>
<input id=e type=checkbox checked><input id=f type=radio>
<div id=g contenteditable>Free <b>text</b></div>
<input id=h type=password value=hunter2><input id=i name=api_token value=abcdef12><p id=j>Words</p>
<div id=k role=slider aria-valuenow=7></div><input id=l>"""


@pytest.fixture
def fields(browser, site):
    browser.ok("goto", site.page("/fields", FIELDS))
    return browser


@pytest.mark.parametrize(
    ("target", "shown"),
    [
        ("#a", "Ada"),
        ("label[for=a]", "Ada"),
        ("#b", "two\nlines"),
        ("#c", "m"),
        ("#d", "x\nz"),
        ("#e", "checked"),
        ("#f", "unchecked"),
        ("#g", "Free text"),
        ("#h", "[REDACTED — 7 chars]"),
        ("#i", "[REDACTED — 8 chars]"),
        ("#k", "7"),
        ("#l", ""),
    ],
)
@pytest.mark.issue(15)
def test_value_is_what_a_field_holds(fields, target, shown):
    assert fields.ok("value", target).page == shown


@pytest.mark.issue(15)
def test_value_as_data_has_labels_and_states(fields):
    assert fields.ok("value", "#c", "--json").json["page"]["labels"] == ["Medium"]
    assert fields.ok("value", "#d", "--json").json["page"]["value"] == ["x", "z"]
    assert fields.ok("value", "#e", "--json").json["page"]["checked"] is True
    assert "hunter2" not in fields.ok("value", "#h", "--json").out


@pytest.mark.issue(15)
def test_the_owner_may_see_a_secret_value(fields):
    assert fields.ok("value", "#h", "--reveal").page == "hunter2"


@pytest.mark.issue(15)
def test_what_is_no_field_has_no_value(fields):
    ran = fields.browse("value", "#j")

    assert ran.code == 1
    assert "is not a field" in ran.err
    assert "browse text '#j'" in ran.err


@pytest.mark.issue(15)
def test_matches_are_counted(fields):
    assert fields.ok("count", "input").out == "6\n"
    assert fields.ok("count", ".none", "--json").json == {"count": 0}
    assert fields.browse("count", "a[").code == 2


@pytest.mark.issue(15)
def test_the_title_is_printed(fields):
    assert fields.ok("title").page == "Fields"


@pytest.mark.issue(15)
def test_one_attribute_is_printed(fields):
    assert fields.ok("attrs", "#a", "value").page == "Ada"
    assert "hunter2" not in fields.ok("attrs", "#h", "value").out
    assert "no attribute 'href'" in fields.browse("attrs", "#a", "href").err
