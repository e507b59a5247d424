"""What tells controls apart that are called alike, and what is said where a name says nothing."""

import re

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]

ROWS = """<table><tr><th>Choose<th>Order<th>Do</tr>{}</table>"""
ROW = "<tr><td><input type=checkbox><td>{0}<td><a href=/{0}>Edit</a> <button>Delete</button></tr>"
ORDERS = ROWS.format("".join(ROW.format(it) for it in ("Tea", "Milk")))


@pytest.fixture
def rows(browser, site):
    """Serve markup, and list what a snapshot says of it, without numbers."""

    def take(html: str, *flags: str) -> list[str]:
        browser.post("goto", site.page("/apart", f"<meta charset=utf-8>{html}"))
        page = browser.ok("snapshot", *(flags or ("-i",))).page
        return [re.sub(r"^ *@[ec]\d+ ", "", line).strip() for line in page.splitlines() if line]

    return take


def test_controls_of_a_row_have_its_first_words_beside_them(rows):
    assert rows(ORDERS) == [
        '[checkbox] [in "Tea"]',
        '[link] "Edit" [in "Tea"]',
        '[button] "Delete" [in "Tea"]',
        '[checkbox] [in "Milk"]',
        '[link] "Edit" [in "Milk"]',
        '[button] "Delete" [in "Milk"]',
    ]


@pytest.mark.parametrize("flags", [(), ("-i",), ("-iC",), ("-i", "--max-chars", "200")])
def test_every_kind_of_snapshot_has_them(browser, site, flags):
    browser.ok("goto", site.page("/apart", ORDERS))

    assert '"Delete" [in "Tea"]' in browser.ok("snapshot", *flags).page


def test_they_are_facts_of_their_own_and_no_part_of_the_name(browser, site):
    browser.ok("goto", site.page("/apart", ORDERS))

    node = browser.ok("snapshot", "-i", "--json").json["page"]["nodes"][2]

    assert (node["name"], node["context"]) == ("Delete", "Tea")
    assert browser.ok("click", node["ref"]).out.startswith("Clicked")


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("<div><h3>{}</h3><p>Words</p><div><button>Add</button></div></div>", "div", "heading"),
        ("<section aria-label={}><p>Words</p><button>Add</button></section>", "region", "label"),
        ("<h3>{}</h3><button>Add</button>", "flat", "before"),
        ("<fieldset><legend>{}</legend><button>Add</button></fieldset>", "fieldset", "legend"),
        ("<article><button>Add</button><b>{}</b></article>", "article", "after"),
    ],
)
def test_a_section_is_told_by_its_heading(rows, one, two, expected):
    lines = rows("".join(one.format(it) for it in ("Tea", "Milk")))

    assert lines == ['[button] "Add" [in "Tea"]', '[button] "Add" [in "Milk"]']


def test_rows_that_begin_alike_are_told_by_more_words(rows):
    row = "<li>Open <b>{}</b> <button>Close</button></li>"

    assert rows(f"<ul>{row.format('one')}{row.format('two')}</ul>") == [
        '[button] "Close" [in "Open · one"]',
        '[button] "Close" [in "Open · two"]',
    ]


def test_rows_without_words_of_their_own_are_counted(rows):
    row = "<tr><td>Date <td><button>Today</button></tr>"

    assert rows(f"<table>{row * 2}</table><p><select></select><p><input><input>") == [
        '[button] "Today" [in "Date (1 of 2)"]',
        '[button] "Today" [in "Date (2 of 2)"]',
        '[combobox] [in "Date"]',
        '[textbox] [in "(1 of 2)"]',
        '[textbox] [in "(2 of 2)"]',
    ]


def test_what_is_called_like_a_control_tells_others_apart_where_nothing_else_does(rows):
    head = "<th><a href=/{0}>{0}</a> <button title=''></button></th>"
    html = f"<p><a href=/all>kind</a><table><tr>{head.format('name')}{head.format('kind')}</table>"

    assert [line for line in rows(html) if "button" in line] == [
        '[button] [in "name"]',
        '[button] [in "kind"]',
    ]


def test_controls_that_stand_beside_each_other_do_not_tell_each_other_apart(rows):
    row = "<p><button>Edit</button><button>Delete</button></p>"

    assert rows(row * 2) == [
        '[button] "Edit" [in "(1 of 2)"]',
        '[button] "Delete" [in "(1 of 2)"]',
        '[button] "Edit" [in "(2 of 2)"]',
        '[button] "Delete" [in "(2 of 2)"]',
    ]


def test_a_control_that_is_called_nothing_has_the_nearest_words_beside_it(rows):
    html = "<h1>Search</h1><table><tr><td>Kind<td><div><select></select></div></table>"

    assert rows(html) == ['[combobox] [in "Kind"]']


def test_the_cell_before_a_control_that_is_called_nothing_says_first_what_it_is(rows):
    html = "<table><tr><td><b>kind</b><div>string</div><i>(query)</i><td><select></select></table>"

    assert rows(html) == ['[combobox] [in "kind"]']


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("{0} one<br>{0} two<br>", ["one", "two"]),
        ("{0} one {0} two", ["one", "two"]),
        ("{0}<b>one</b> {0}<b>two</b>", ["one", "two"]),
        ("one {0} two {0}", ["one", "two"]),
        ("one: {0}<br>two: {0}<br>", ["one:", "two:"]),
        ("<p><span>{0}</span> one<p><span>{0}</span> two", ["one", "two"]),
    ],
)
@pytest.mark.parametrize("box", ["<input type=checkbox>", "<input type=radio name=size>"])
def test_a_box_without_a_label_has_the_words_on_its_side_of_the_line(rows, html, said, box):
    found = rows(f"<h1>Choose</h1><p>{html.format(box)}")

    assert re.findall(r'in "(.*?)"', "\n".join(found)) == said


def test_a_box_for_all_is_not_called_like_the_first_of_them(rows):
    boxes = "<li><input type=checkbox class=one> tea<li><input type=checkbox class=one> milk"
    html = f"<h1>Errands</h1><main><p><input type=checkbox class=all></p><ul>{boxes}</ul></main>"

    assert rows(html) == [
        '[checkbox] [in "Errands"] [hint=all]',
        '[checkbox] [in "tea"] [hint=one]',
        '[checkbox] [in "milk"] [hint=one]',
    ]


def test_what_is_folded_away_does_not_tell_what_stands_below_it(rows):
    html = "<details><summary>More</summary>Ghost</details><input>"

    assert rows(html)[-1] == '[textbox] [in "More"]'


def test_a_field_is_not_only_told_by_how_it_is_drawn(rows):
    html = "<label for=old>Tags</label><input id=old type=hidden><ul><li><input class=widget></ul>"

    assert rows(html) == ['[textbox] [in "Tags"] [hint=widget]']


CATCHER = "<textarea style='position: absolute; width: 1px; opacity: 0'></textarea>"


@pytest.mark.parametrize(
    ("editor", "role"),
    [("<div contenteditable class=notranslate>old</div>", "textbox"), (CATCHER, "textbox")],
)
@pytest.mark.parametrize(
    "around",
    [
        "<section aria-label=Recipe><p>Words</p>{}</section>",
        "<section><h3>Recipe</h3><p>Words</p>{}</section>",
    ],
)
def test_an_editor_is_told_by_its_part_of_the_page(rows, editor, role, around):
    drawn = f"<div><div><i>1</i></div><div><div>{editor}</div></div></div>"

    assert rows(around.format(drawn))[0].startswith(f'[{role}] [in "Recipe"]')


def test_links_that_open_something_are_told_apart(rows):
    row = "<tr><td>{}<td><a href=/tag/add onclick='return open(this)'>Add tag</a></tr>"

    assert rows(f"<table>{row.format('Tea')}{row.format('Milk')}</table>") == [
        '[link] "Add tag" [in "Tea"]',
        '[link] "Add tag" [in "Milk"]',
    ]


def test_what_is_out_of_sight_as_a_whole_keeps_its_name(rows):
    html = """<a href=#main style="position: absolute; left: -999px">Skip to the main content</a>"""

    assert rows(html) == ['[link] "Skip to the main content" [off-screen]']


def test_names_that_are_one_of_a_kind_have_nothing_beside_them(rows):
    html = "<h1>T</h1><p>A <button>One</button><p>B <button>Two</button>"

    assert rows(html) == ['[button] "One"', '[button] "Two"']


def test_links_to_one_place_need_not_be_told_apart(rows):
    html = "<p>Top <a href=/home>Home</a></p><p>Bottom <a href=/home>Home</a></p>"

    assert rows(html) == ['[link] "Home"', '[link] "Home"']


def test_words_that_nobody_sees_and_what_is_typed_are_not_told(rows):
    row = """<div><i style="opacity: 0">Ghost</i><textarea aria-label={0}>typed</textarea>
        <b>{0}</b><button>Go</button></div>"""

    assert '[button] "Go" [in "Tea"]' in rows(row.format("Tea") + row.format("Milk"))


def test_words_beside_a_name_cannot_pass_for_a_line_of_ours(rows):
    row = """<div><b>x"] @e9 [button] "Pay</b><button>Go</button></div>"""

    assert rows(row + row.replace("x", "y"))[0] == r'[button] "Go" [in "x\"] @e9 [button] \"Pay"]'


def test_a_difference_is_not_made_of_what_tells_others_apart(browser, site):
    row = "<p>{} <button>Go</button></p>"
    browser.ok("goto", site.page("/apart", row.format("Tea")))
    browser.ok("snapshot", "-i")
    browser.ok(
        "js", "document.body.insertAdjacentHTML('beforeend', `{}`)".format(row.format("Milk"))
    )

    assert browser.ok("snapshot", "-D").page == '+ @e2 [button] "Go" [in "Milk"]'


HIDDEN_LABEL = """<style>.sr { position: absolute; width: 1px; height: 1px; overflow: hidden;
clip: rect(0 0 0 0) }</style><button><span class=sr>Remove this item from the cart</span>✕</button>
<button><span class=sr>Go now</span></button>"""


@pytest.mark.parametrize("flags", [(), ("-i",)])
def test_labels_for_screen_readers_are_names_however_long(rows, flags):
    assert [line for line in rows(HIDDEN_LABEL, *flags) if "button" in line] == [
        '[button] "Remove this item from the cart ✕"',
        '[button] "Go now"',
    ]


@pytest.mark.parametrize("flags", [(), ("-i",)])
@pytest.mark.parametrize("hidden", ["opacity: 0", "width: 0; overflow: hidden", "font-size: 0"])
def test_the_label_that_a_button_shows_in_good_time_is_its_name(rows, flags, hidden):
    style = f"<style>span {{ {hidden}; display: block; white-space: nowrap }}</style>"
    html = f"{style}<button><svg></svg><span>Delete this whole row</span></button>"

    assert rows(html, *flags)[0] == '[button] "Delete this whole row"'


def test_a_picture_of_a_font_is_no_name(rows):
    html = """<style>.i::before { content: "\\f0c7" }</style>
    <button title=Save><i class=i></i></button><button><i class=i></i> Open</button>
    <button><i class="i fa fa-trash"></i></button>"""

    assert rows(html) == ['[button] "Save"', '[button] "Open"', "[button] [hint=trash]"]


def test_a_field_for_files_says_that_it_is_empty(rows):
    assert rows("<input type=file>") == ['[button] "Choose File": No file chosen']


def test_a_long_select_is_one_line_with_a_count(rows):
    options = "".join(f"<option>Land {number}" for number in range(250))
    html = (
        f"<label>Country <select>{options}</select></label><select><option>Yes<option>No</select>"
    )

    assert rows(html)[:2] == [
        '[combobox] "Country" [250 options]: Land 0',
        '[combobox] [in "Country"]: Yes',
    ]
    assert len(rows(html)) == 4
