"""Choosing in the selects of real libraries."""

import pytest

from support.widgets import JQUERY, REACT, linked

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]

NAMES = [f"Row {number}" for number in range(300)]
NATIVE = "<select id=s {}>" + "".join(f"<option>{it}" for it in NAMES[:40]) + "</select>"
LIBRARIES = {
    "select2": ([JQUERY, "select2/dist/js/select2.min.js", "select2/dist/css/select2.min.css"],
                "$('#s').select2({ width: '200px' })", ".select2-selection"),
    "tom-select": (["tom-select/dist/js/tom-select.complete.min.js",
                    "tom-select/dist/css/tom-select.css"],
                   "new TomSelect('#s', { maxOptions: 20 })", ".ts-control input"),
    "choices": (["choices.js/public/assets/scripts/choices.min.js",
                 "choices.js/public/assets/styles/choices.min.css"],
                "new Choices('#s')", ".choices"),
}  # fmt: skip


@pytest.fixture
def show(browser, site):
    """Serve a page with a library and go there."""

    def go(files, html: str):
        browser.post("goto", site.page("/library", linked(site, *files) + html))
        return browser

    return go


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("multiple", ["", "multiple"])
@pytest.mark.parametrize("by", ["widget", "select"])
def test_select_chooses_in_a_library_that_stands_for_a_select(show, library, multiple, by):
    files, script, target = LIBRARIES[library]
    page = show(files, f"{NATIVE.format(multiple)}<script>window.it = {script}</script>")
    words = ["Row 5", "Row 33"] if multiple else ["Row 33"]

    ran = page.ok("select", target if by == "widget" else "#s", *words, "--json").json

    chosen = "[...document.querySelector('#s').selectedOptions].map((it) => it.value).join()"
    assert page.ok("js", chosen).page == ",".join(words)
    assert ran["verified"] is True
    shown = "document.querySelector('.ts-control, .select2-selection, .choices__inner').innerText"
    assert words[-1] in page.ok("js", shown).page


@pytest.mark.parametrize("several", [False, True])
def test_select_chooses_in_react_select(show, several):
    props = f"""{{ isMulti: {str(several).lower()},
        onChange: (it) => {{ window.got = [it].flat() }},
        options: {NAMES}.map((it) => ({{ value: it, label: it }})) }}"""
    page = show(
        [REACT], f"<div id=root></div><script>widgets.show(widgets.Select, {props})</script>"
    )
    words = ["Row 5", "Row 250"] if several else ["Row 250"]

    ran = page.ok("select", "input[role=combobox]", *words, "--json").json

    assert page.ok("js", "got.map((it) => it.value).join()").page == ",".join(words)
    assert ran["verified"] is True


@pytest.mark.parametrize("several", [False, True])
def test_select_chooses_in_mui_autocomplete(show, several):
    props = f"""{{ multiple: {str(several).lower()}, options: {NAMES},
        onChange: (_, it) => {{ window.got = [it].flat() }} }}"""
    page = show(
        [REACT], f"<div id=root></div><script>widgets.show(widgets.MuiChoice, {props})</script>"
    )
    words = ["Row 5", "Row 250"] if several else ["Row 250"]

    ran = page.ok("select", "input[role=combobox]", *words, "--json").json

    assert page.ok("js", "got.join()").page == ",".join(words)
    assert ran["verified"] is True


def test_select_leaves_nothing_in_the_filter_of_a_list_without_such_an_option(show):
    page = show(
        [REACT],
        f"""<div id=root></div><script>widgets.show(widgets.MuiChoice,
        {{ options: {NAMES[:60]}, defaultValue: 'Row 3' }})</script>""",
    )

    told = page.browse("select", "input[role=combobox]", "Column 1", "--json").json

    assert told["error"].startswith("'Column 1' is no option of input[role=combobox]")
    assert told["page"]["detail"].endswith("… and 10 more")
    assert page.ok("js", "document.querySelector('input').value").page == "Row 3"


def test_select_asks_a_server_for_options(show, site):
    site.page("/rows", '{"results": [{"id": 7, "text": "Row 7"}]}', content_type="application/json")
    page = show(
        LIBRARIES["select2"][0],
        """<select id=s></select><script>$('#s').select2({ width: '200px', minimumInputLength: 2,
        ajax: { url: '/rows', delay: 250 } })</script>""",
    )

    ran = page.ok("select", ".select2-selection", "Row 7", "--json").json

    assert page.ok("js", "s.value").page == "7"
    assert ran["verified"] is True
