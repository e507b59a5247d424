"""What cells say that hold no words: boxes, fields, pictures."""

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]


def cells(browser, site, *inner: str) -> list[str]:
    """Return what cells with this inside say, each in a row of its own."""
    rows = "".join(f"<tr><td>{number}<td>{words}" for number, words in enumerate(inner))
    browser.post("goto", site.page("/cells", f"<table><tr><th>No<th>It{rows}</table>"))
    return [row["It"] for row in browser.ok("table", "--json").json["page"]["rows"]]


def test_boxes_say_whether_they_are_checked(browser, site):
    said = cells(
        browser,
        site,
        "<input type=checkbox checked>",
        "<input type=checkbox aria-label='Select row 2'>",
        "<label><input type=checkbox checked> Active</label>",
        "<div role=checkbox aria-checked=mixed tabindex=0></div>",
        "<button role=switch aria-checked=true aria-label='Dark mode'></button>",
        "<input type=radio>",
        "<div role=radio aria-checked=true>Small</div>",
        "<label><input type=checkbox checked style=display:none><i>on</i></label>",
        "<input type=checkbox checked style='opacity:0'><span></span>",
    )

    assert said == ["✓", "✗", "✓ Active", "\u2013", "✓", "✗", "✓ Small", "✓ on", "✓"]


def test_the_box_for_all_rows_is_no_value_of_its_column(browser, site):
    html = (
        "<table><thead><tr><th><input type=checkbox aria-label='Select all'><th>Name</thead>"
        "<tr><td><input type=checkbox checked><td>Ada</table>"
    )
    browser.post("goto", site.page("/all", html))

    row = {"column 1": "✓", "Name": "Ada"}
    assert browser.ok("table", "--json").json["page"]["rows"] == [row]


def test_icons_say_what_they_are_called(browser, site):
    said = cells(
        browser,
        site,
        "<img src='icon-yes.svg' alt=True>",
        "<span aria-label='In stock'></span>",
        "<i class='fa fa-check' title=Yes></i>",
        "<i class='fa fa-times' aria-hidden=true></i>",
        "<svg width=9 height=9><title>Failed</title><rect width=9 height=9 /></svg>",
        "<a href=/x title='Edit row'><img src='pen.png' alt=''></a>",
        "",
    )

    assert said == ["True", "In stock", "Yes", "[times]", "Failed", "Edit row", ""]


def test_fields_say_what_they_hold_and_secrets_nothing(browser, site):
    said = cells(
        browser,
        site,
        "<input value=ada>",
        "<select><option>red<option selected>blue</select>",
        "<textarea>two words</textarea>",
        "<input type=password value=hunter2hunter2>",
        "<input type=range min=0 max=9 value=7>",
        "<progress max=100 value=40></progress>",
    )

    assert said[:3] == ["ada", "blue", "two words"]
    assert "hunter2" not in "".join(said)
    assert said[4:] == ["7", "40"]


ICON = "<i class='q-icon material-icons' aria-hidden=true>{0}</i>"
DRAWN = f"""<p>{ICON.format("menu")}Tea shop {ICON.format("star")} open</p>
<p class=material-icons-help>two words</p>
<table><thead><tr><th>{ICON.format("arrow_upward")}Name<th>Done<tbody>
<tr><td>{ICON.format("local_cafe")} Assam%s<td>{ICON.format("check")}</table>"""


@pytest.mark.parametrize("inner", ["", "<table><tr><th>A<th>B<tr><td>1<td>2</table>"])
def test_words_that_are_drawn_as_pictures_are_not_read_as_words(browser, site, inner):
    browser.ok("goto", site.page("/drawn", DRAWN % inner))

    text = browser.ok("text").page
    rows = browser.ok("table", "--nth", "1", "--json").json["page"]["rows"]

    assert text.splitlines()[:3] == ["Tea shop open", "two words", "Name\tDone"]
    assert not [word for word in ("menu", "star", "local_cafe", "check") if word in text]
    assert "menu" not in browser.ok("markdown").page
    assert rows == [{"Name": "Assam", "Done": "[check]"}]
