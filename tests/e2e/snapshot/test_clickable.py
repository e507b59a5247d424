"""What has no role and can be operated: which elements get a ref, and what they are called."""

import re

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]


@pytest.fixture
def rows(browser, site):
    """Serve markup, and list what a snapshot says of it, without numbers."""

    def take(html: str, *flags: str) -> list[str]:
        browser.post("goto", site.page("/clickable", html))
        page = browser.ok("snapshot", *(flags or ("-i",))).page
        return [re.sub(r"@([ec])\d+", r"@\1", line).strip() for line in page.splitlines() if line]

    return take


MAIL = """<style>.row, .star { cursor: pointer } .bar, .bar * { cursor: pointer }</style>
<div class=row>Ada: lunch? <i class=star title=Star>☆</i> <i class="star trash"></i>
  <i>not a button</i></div>
<div class=bar><b>All <u>of it</u></b></div>
<p id=actions><span id=reply>Reply</span> <span id=forward>Forward</span></p>
<style>.trash { display: inline-block; width: 9px; height: 9px }</style>
<script>
document.body.firstElementChild.nextElementSibling.addEventListener("click", () => {});
for (const it of [actions, reply, forward]) it.addEventListener("click", () => {});
</script>"""


def test_inner_ones_with_a_cursor_of_their_own_are_listed(rows):
    assert rows(MAIL) == [
        '@c [cursor:pointer] "Ada: lunch? ☆ not a button"',
        '@c [cursor:pointer] "Star"',
        "@c [cursor:pointer] [hint=star]",
        '@c [cursor:pointer] "All of it"',
    ]


def test_inner_ones_with_a_listener_of_their_own_are_listed_and_not_what_is_around_them(rows):
    lines = rows(MAIL, "-iC")

    assert '@c [listener] "Reply"' in lines
    assert '@c [listener] "Forward"' in lines
    assert not [line for line in lines if "Reply Forward" in line]


LOUD = """<div id=app><a>Open</a><button>Go</button><style>.x { cursor: pointer }</style>
<span class=x>Pick</span> words <details open><summary>More</summary><i class=x>Inner</i></details>
</div><script>
for (const it of document.querySelectorAll("#app, a")) it.addEventListener("click", () => {})
</script>"""


def test_asking_for_listeners_never_shows_less_and_repeats_nothing(rows):
    plain, asked = rows(LOUD), rows(LOUD, "-iC")

    assert plain == [
        '@e [button] "Go"',
        '@e [button] "More" [expanded]',
        '@c [cursor:pointer] "Pick"',
        '@c [cursor:pointer] "Inner"',
    ]
    assert [line for line in asked if line not in plain] == [
        "── cursor-interactive (not in ARIA tree) ──",
        '@c [listener] "Open"',
    ]


def test_a_custom_element_whose_control_is_in_the_tree_is_not_listed_again(rows):
    html = """<style>my-button { cursor: pointer }</style><my-button></my-button><script>
    document.querySelector("my-button").attachShadow({mode: "open"}).innerHTML =
      "<button><slot></slot>Save</button>"</script>"""

    assert rows(html, "-iC") == ['@e [button] "Save"']


def test_a_label_whose_field_is_not_shown_is_what_is_pressed(rows):
    html = "<label>Attach a file<input type=file hidden></label><label>Name<input></label>"

    assert rows(html) == ['@e [textbox] "Name"', '@c [label] "Attach a file"']


SVG = """<svg width=200 height=90 xmlns:xlink=http://www.w3.org/1999/xlink>
<a href="#x"><text y=20>Linked</text></a>
<g cursor=pointer><title>Node one</title><rect width=30 height=30 y=30></rect></g>
<g style="cursor: move" id=mover><rect x=50 width=30 height=30 y=30></rect></g>
<circle r=9 cx=150 cy=50 id=heard></circle></svg>
<script>heard.addEventListener("mousedown", () => {})</script>"""


def test_parts_of_a_drawing_that_can_be_operated_have_refs(rows):
    assert rows(SVG, "-iC") == [
        '@e [link] "Linked"',
        "── cursor-interactive (not in ARIA tree) ──",
        '@c [cursor:pointer] "Node one"',
        "@c [draggable] [hint=mover]",
        "@c [listener] [hint=heard]",
    ]


def test_what_is_dragged_and_where_it_is_dropped_have_refs(rows):
    html = """<ul><li draggable=true>Card one<li draggable=true>Card two</ul>
    <div ondragover=go()>Trash</div><div id=done>Done</div>
    <script>done.addEventListener("drop", () => {})</script>"""

    assert rows(html) == [
        '@c [draggable] "Card one"',
        '@c [draggable] "Card two"',
        '@c [drop zone] "Trash"',
    ]
    assert '@c [drop zone] "Done"' in rows(html, "-iC")


@pytest.mark.parametrize(
    ("inner", "said"),
    [
        ("title=Close", '"Close"'),
        ("aria-label=Close", '"Close"'),
        ("><img alt=Close src=x.png", '"Close"'),
        ("id=closer", "[hint=closer]"),
        ("id=closer data-tooltip='Close it'", "[hint=Close-it]"),
        ("class='close-it active'", "[hint=close-it]"),
        ("><img src=/close.png alt=''", "[hint=close]"),
        ("title=Close>\ue5cd<i", '"Close"'),
    ],
)
def test_what_has_no_words_is_called_by_what_its_author_wrote(rows, inner, said):
    style = "<meta charset=utf-8><style>span { display: block; height: 9px }</style>"
    html = f"{style}<span onclick=go() {inner}></span>"

    assert rows(html) == [f"@c [onclick] {said}"]


def test_the_cross_of_a_tab_needs_no_listener_of_its_own(rows):
    html = """<ul role=tablist><li role=tab><b>Notes</b><i class=tab-close title="Close Notes">x</i>
    </ul>"""

    assert rows(html)[1:] == ['@c [close] "x"']


def test_what_is_around_one_control_is_that_control(rows):
    html = """<div id=outer><p id=inner><button>Save</button></p></div><script>
    for (const it of [outer, inner])
      for (const type of ["click", "drop"]) it.addEventListener(type, () => {})</script>"""

    assert rows(html, "-iC") == ['@e [button] "Save"']


def test_a_tab_has_its_cross_beside_it(rows):
    html = """<div role=tablist><div role=tab tabindex=0 style="cursor: pointer">
    <b onclick=show()>Notes</b> <i onclick=shut() title=Close>✕</i></div></div>"""

    assert rows(html) == ['@e [tab] "Notes ✕"', '@c [onclick] "Notes"', '@c [onclick] "Close"']


def test_those_of_a_group_that_only_the_arrows_reach_are_listed(rows):
    html = """<ul><li><span class=file tabindex=0 role=button>one</span>
<li><span class=file tabindex=-1>two</span></ul><main class=page tabindex=-1>Words</main>
<div tabindex=0 role=presentation style="height: 1px"></div>"""

    assert rows(html) == ['@e [button] "one"', '@c [tabindex=-1] "two"']


def test_parts_of_a_picture_are_told_apart_by_what_is_around_them(rows):
    port = "<g class=port-{0}><rect class=port onclick=1 width=9 height=9 /></g>"
    node = "<g>{0}<text y=20>{1}</text></g>"
    ends = port.format("input") + port.format("output")

    found = rows(f"<svg>{node.format(ends, 'one')}{node.format(ends, 'two')}</svg>", "-iC")

    assert [line for line in found if "port" in line] == [
        '@c [onclick] [in "one"] [hint=port-input]',
        '@c [onclick] [in "one"] [hint=port-output]',
        '@c [onclick] [in "two"] [hint=port-input]',
        '@c [onclick] [in "two"] [hint=port-output]',
    ]


def test_words_that_are_drawn_as_pictures_are_no_names(rows):
    icon = "<i class='q-icon material-icons' aria-hidden=true>{0}</i>"
    html = f"""<button>{icon.format("edit_calendar")}</button>
<b onclick=1>{icon.format("arrow_upward")}Name</b>"""

    assert rows(html, "-iC") == [
        "@e [button] [hint=edit_calendar]",
        "── cursor-interactive (not in ARIA tree) ──",
        '@c [onclick] "Name"',
    ]


def test_what_is_called_nothing_at_all_has_the_nearest_words(rows):
    html = "<style>b { display: inline-block; width: 9px; height: 9px }</style>"
    near = f"{html}<p>Tea <b onclick=1></b></p>"

    assert rows(near) == ['@c [onclick] [in "Tea"]']
    assert rows(f"{html}<b onclick=1></b>") == ['@c [onclick] "b"']


def test_an_empty_editor_is_told_by_what_it_shows(rows):
    html = "<div contenteditable class=ql-editor data-placeholder='Write here…'></div>"

    assert rows(html) == ["@e [textbox] [hint=Write-here]"]
