"""Reordering the lists of real libraries."""

import pytest

from support.widgets import JQUERY_UI, REACT, linked

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]

STYLE = """<style>ul { padding: 0; width: 300px } li { height: 30px; list-style: none;
user-select: none; background: #eee; margin: 2px }</style>"""
ROWS = "<ul id=list>" + "".join(f"<li>{number}</li>" for number in range(1, 6)) + "</ul>"
LIBRARIES = {
    "SortableJS": (["sortablejs/Sortable.min.js"], ROWS, "new Sortable(list)"),
    "SortableJS by mouse": (
        ["sortablejs/Sortable.min.js"], ROWS, "new Sortable(list, { forceFallback: true })"),
    "SortableJS animated": (
        ["sortablejs/Sortable.min.js"], ROWS, "new Sortable(list, { animation: 150 })"),
    "jQuery UI": (JQUERY_UI, ROWS, "$('#list').sortable()"),
    "dnd-kit": (
        [REACT], "<div id=root></div>",
        "widgets.show(widgets.SortableRows, { rows: ['1', '2', '3', '4', '5'] })"),
}  # fmt: skip


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize(
    ("one", "other", "side", "order"),
    [
        (1, 3, "--before", "21345"),
        (1, 3, "--after", "23145"),
        (5, 2, "--before", "15234"),
        (5, 2, "--after", "12534"),
        (2, 3, "--after", "13245"),
    ],
)
def test_drag_reorders_the_list_of_a_library(
    browser, site, library, one, other, side, order
):  # fmt: skip
    files, html, script = LIBRARIES[library]
    html = f"{linked(site, *files)}{STYLE}{html}<script>{script}</script>"
    browser.post("goto", site.page("/sortable", html))

    browser.ok("drag", f"li:text-is('{one}')", f"li:text-is('{other}')", side)

    shown = "[...document.querySelectorAll('li')].map((it) => it.textContent.trim()).join('')"
    assert browser.ok("js", shown).page == order
