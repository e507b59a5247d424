"""Dragging: before and after others, to points, by pixels, and to what is only partly seen."""

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]

ITEMS = "".join(f"<li draggable=true>{number}</li>" for number in range(1, 6))
STYLE = "<style>ul { padding: 0 } li { height: 30px; list-style: none; user-select: none }</style>"

# Which half of another item it is dropped on decides where it goes.
HALVES = """<script>
let held
list.ondragstart = (event) => { held = event.target }
list.ondragover = (event) => event.preventDefault()
list.ondrop = (event) => {
  const on = event.target, box = on.getBoundingClientRect()
  on[event.clientY < box.top + box.height / 2 ? 'before' : 'after'](held) }</script>"""

# Sorted while it is dragged: what the mouse is over changes places with what is held.
SORTED = """<script>
let held
list.ondragstart = (event) => event.preventDefault()
list.onmousedown = (event) => { held = event.target }
onmousemove = (event) => {
  const on = event.target
  if (!held || on === held || on.parentNode !== list) return
  const order = held.compareDocumentPosition(on) & Node.DOCUMENT_POSITION_FOLLOWING
  on[order ? 'after' : 'before'](held) }
onmouseup = () => { held = null }</script>"""


@pytest.fixture
def show(browser, site):
    """Serve a page and go there."""

    def go(html: str):
        browser.post("goto", site.page("/dragging", STYLE + html))
        return browser

    return go


def item(number: int) -> str:
    return f"li:text-is('{number}')"


@pytest.mark.parametrize("sorts", [HALVES, SORTED])
@pytest.mark.parametrize(
    ("one", "other", "side", "order"),
    [
        (1, 3, "--before", "21345"),
        (5, 2, "--before", "15234"),
        (1, 3, "--after", "23145"),
        (5, 2, "--after", "12534"),
        (2, 3, "--after", "13245"),
        (2, 5, "--before", "13425"),
    ],
)
def test_drag_puts_an_item_before_or_after_another(show, sorts, one, other, side, order):
    page = show(f"<ul id=list>{ITEMS}</ul>{sorts}")

    data = page.ok("drag", item(one), item(other), side, "--json").json

    assert page.ok("js", "list.textContent").page == order
    assert data["order"] == side.removeprefix("--")
    assert data["number"] == order.index(str(one)) + 1


def test_drag_moves_nothing_that_stands_there_already(show):
    page = show(f"<ul id=list onmousedown='pressed = 1'>{ITEMS}</ul>")

    ran = page.ok("drag", item(1), item(2), "--before")

    assert "it stood there already" in ran.out
    assert page.ok("js", "typeof pressed").page == "undefined"


def test_drag_says_that_the_order_is_not_as_asked(show):
    page = show(f"<ul id=list>{ITEMS}</ul>")

    ran = page.browse("drag", item(1), item(3), "--before")

    assert ran.code != 0
    assert "it is 1 of 5 in its list" in ran.err


TAKES = "ondragover='event.preventDefault()' ondrop='dropped = [event.offsetX, event.offsetY]'"


@pytest.mark.parametrize(
    "covered",
    [
        # Its middle is below what can be scrolled to, and below something that lies over it.
        "<div style='height: 60px; overflow: hidden'>"
        f"<p id=to {TAKES} style='height: 900px'></div>",
        f"<p id=to {TAKES} style='height: 200px'></p><b style='position: absolute; top: 90px;"
        " left: 0; width: 100%; height: 120px; background: red'></b>",
    ],
)
def test_drag_aims_at_the_part_that_can_be_seen(show, covered):
    page = show(f"<i draggable=true id=from>Card</i>{covered}")

    page.ok("drag", "#from", "#to")

    assert page.ok("js", "dropped.length").page == "2"


def test_drag_drops_at_a_point_of_the_target(show):
    page = show(f"<i draggable=true id=from>Card</i><p id=to {TAKES} style='height: 200px'></p>")

    ran = page.ok("drag", "#from", "#to", "--at", "40,150")

    assert page.ok("js", "dropped.map(Math.round).join()").page == "40,150"
    assert "dropped at" in ran.out


def test_drag_by_pixels_says_how_far_it_went(show):
    page = show("""<b id=knob style="position: absolute; left: 50px; top: 50px; width: 20px;
        height: 20px; background: red"></b><script>
        let held; knob.onmousedown = () => { held = true }; onmouseup = () => { held = false }
        onmousemove = (event) => { if (held) knob.style.left = `${Math.min(event.x - 10, 80)}px` }
        </script>""")

    data = page.ok("drag", "#knob", "--by", "100,5", "--json").json

    assert data["moved"] == [30, 0]


@pytest.mark.parametrize(
    "words",
    [
        ["drag", "#a"],
        ["drag", "#a", "#b", "--by", "1,1"],
        ["drag", "#a", "#b", "--before", "--after"],
        ["drag", "#a", "--by", "1,1", "--before"],
    ],
)
def test_drag_says_what_it_takes(show, words):
    ran = show("<p id=a>A<p id=b>B").browse(*words)

    assert ran.code == 2
    assert "name an element to drop it on" in ran.err


def test_drag_drops_nothing_outside_of_the_window(show):
    page = show(f"""<i draggable=true id=from onmousedown='pressed = 1'>Card</i>
        <p id=to {TAKES} style='height: 200px; width: 300px'></p>""")

    told = page.browse("drag", "#from", "#to", "--at", "5000,5", "--json").json

    assert told["error"].startswith(
        "#to is 300x200 pixels large: 5000,5 from its corner is outside"
    )
    assert page.ok("js", "typeof pressed").page == "undefined"


@pytest.mark.parametrize("words", [["#b", "--at", "5"], ["--by", "5"], ["--by", "-5"]])
def test_drag_takes_two_numbers(show, words):
    ran = show("<p id=a>A<p id=b>B").browse("drag", "#a", *words)

    assert ran.code == 2
    assert "is one number; it takes two, right and down" in ran.err


BOARD_OF_COLUMNS = """<style>ul { float: left; width: 200px; min-height: 200px }</style>
<ul id=one><li id=x1 draggable=true>x1<li id=x2 draggable=true>x2</ul>
<ul id=two><li id=y1 draggable=true>y1<li id=y2 draggable=true>y2</ul><script>
let held;
document.ondragstart = (event) => { held = event.target };
document.ondragover = (event) => event.preventDefault();
document.ondrop = (event) => {
  event.preventDefault();
  const card = event.target.closest('li'), box = card.getBoundingClientRect();
  card[event.clientY < box.top + box.height / 2 ? 'before' : 'after'](held);
};</script>"""


@pytest.mark.parametrize(
    ("words", "one", "two"),
    [
        (["#x1", "#y2", "--before"], "x2", "y1x1y2"),
        (["#y1", "#x2", "--after"], "x1x2y1", "y2"),
        (["#x2", "#y1", "--before"], "x1", "x2y1y2"),
    ],
)
def test_a_neighbour_in_another_column_does_not_stand_there_already(browser, site, words, one, two):
    browser.ok("goto", site.page("/columns", BOARD_OF_COLUMNS))

    browser.ok("drag", *words)

    columns = "[one, two].map((it) => it.textContent.replace(/\\s/g, '')).join()"
    assert browser.ok("js", columns).page == f"{one},{two}"
