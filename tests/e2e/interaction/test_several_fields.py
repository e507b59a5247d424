"""`fill` of several fields in one call."""

import json
from pathlib import Path

import pytest

from support.cli import until
from support.life import assert_clear

pytestmark = [pytest.mark.e2e, pytest.mark.issue(15)]

FORM = """<form><label>Name <input id=a></label><label>Mail <input id=b value=old></label>
<label>Password <input type=password id=c></label><label>Note <textarea id=d></textarea></label>
<label>Size <select id=s><option>L</select></label><label>Agree <input type=checkbox id=k></label>
<label>Fixed <input id=r readonly></label></form>"""
VALUES = "[a.value, b.value, c.value.length, d.value].join('|')"


@pytest.fixture
def page(browser, site):
    browser.ok("goto", site.page("/fields", FORM))
    return browser


def typed(journal: Path) -> list[list[str]]:
    """The words of each time that something was filled."""
    steps = [json.loads(line) for line in journal.read_text().splitlines()]
    return [step.get("words", []) for step in steps if step["command"] == "fill"]


def refs(browser) -> dict[str, str]:
    nodes = browser.ok("snapshot", "-i", "--json").json["page"]["nodes"]
    return {node["name"]: node["ref"] for node in nodes}


def test_each_field_gets_its_value(page):
    it = refs(page)

    ran = page.ok(
        "fill", f"{it['Name']}=Ada Lovelace", f"{it['Mail']}=", f"{it['Note']}=a=b -- @e1=x"
    )

    assert ran.out.startswith(f"Filled {it['Name']}, {it['Mail']}, {it['Note']}")
    assert page.ok("js", VALUES).page == "Ada Lovelace||0|a=b -- @e1=x"


def test_one_field_with_spaces_is_as_before(page):
    it = refs(page)

    page.ok("fill", it["Name"], "Ada", f"{it['Mail']}=x")

    assert page.ok("js", VALUES).page == f"Ada {it['Mail']}=x|old|0|"


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ("Size", "browse select"),
        ("Agree", "browse check"),
        ("Fixed", "disabled, read-only or no field"),
    ],
)
def test_all_are_checked_before_the_first_is_filled(page, other, said):
    it = refs(page)

    ran = page.browse("fill", f"{it['Name']}=Ada", f"{it[other]}=x")

    assert_clear(ran, 1, "no field was filled", said)
    assert page.ok("js", VALUES).page == "|old|0|"


def test_a_ref_among_the_words_of_a_value_is_refused(page):
    it = refs(page)

    ran = page.browse("fill", it["Name"], "Ada", it["Mail"], "ada@example.com")
    page.ok("fill", it["Note"], f"see {it['Mail']}")

    assert (ran.code, ran.out) == (2, "")
    assert "browse fill @e1=Ada @e2=Lovelace" in ran.err
    assert page.ok("js", VALUES).page == f"|old|0|see {it['Mail']}"


def test_an_unknown_ref_fills_nothing(page):
    it = refs(page)

    assert_clear(page.browse("fill", f"{it['Name']}=Ada", "@e999=x"), 3, "@e999")
    assert page.ok("js", VALUES).page == "|old|0|"


def test_a_failure_says_which_were_filled(page):
    it = refs(page)
    page.ok("js", "a.onchange = () => document.getElementById('b').closest('label').remove(); 0")
    words = [f"{it[name]}=x" for name in ("Name", "Mail", "Note")]

    ran = page.browse("fill", *words, "--json")

    assert ran.code != 0
    error = json.loads(ran.err or ran.out)
    assert error["filled"] == [it["Name"]]
    assert error["failed"] == it["Mail"]
    assert error["left"] == [it["Note"]]
    assert f"Filled before: {it['Name']}. Not filled: {it['Note']}." in error["error"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["@e1=Ada", "Lovelace"], "quote a value with spaces"),
        (["@e1=Ada", "@e1=Bob"], "name each field once"),
        (["@e1", "x", "--field", "@e2=y"], "name each field once"),
        (["#a=x", "#b=y"], "are named by refs"),
        (["--field", "#a=x"], "a field is a ref, = and a value"),
        ([], "<selector> is missing"),
    ],
)
def test_words_that_cannot_be_meant_are_refused(page, words, said):
    refs(page)

    assert_clear(page.browse("fill", *words), 2, said)


def test_what_is_typed_is_in_no_log_and_each_field_is_a_step(page):
    it = refs(page)
    page.ok("fill", f"{it['Name']}=Ada", f"{it['Password']}=opensesame-77")
    page.ok("url")

    steps = [[it["Name"], "Ada"], [it["Password"], "***"]]
    folder = page.state_file.parent
    audit, journal = folder / "browse-audit.jsonl", folder / "browse-journal.jsonl"
    wanted = f"--field={it['Name']}=**** --field={it['Password']}=****"
    until(lambda: audit.exists() and wanted in audit.read_text(), what="the line in the audit log")
    until(
        lambda: journal.exists() and typed(journal)[-2:] == steps,
        what="the steps at the end of the journal, which earlier tests write as well",
    )
    logs = "".join(file.read_text("utf-8", "replace") for file in folder.glob("browse-*.jsonl"))
    assert "opensesame-77" not in logs


@pytest.mark.issue(18)
def test_what_the_page_makes_of_each_value_is_told(browser, site):
    html = "<label>A <input oninput='value = value.toUpperCase()'></label><label>B <input></label>"
    browser.ok(
        "goto", site.page("/loud", html + "<label>C <input type=password maxlength=3></label>")
    )
    it = refs(browser)

    ran = browser.ok("fill", f"{it['A']}=tea", f"{it['B']}=tea", f"{it['C']}=hunter2")

    assert ran.page == f"{it['A']}: TEA\n{it['C']}: ****"
