"""The mouse and scrolling with the real client, daemon and Chromium."""

import pytest

pytestmark = pytest.mark.e2e

MENU = """<style>#menu ul { display: none } #menu:hover ul { display: block }</style>
<div id=menu>Products<ul><li>Tea</ul></div><p id=p>Words</p>"""
BOARD = """<style>div { width: 80px; height: 60px; border: 1px solid }</style>
<div id=card draggable=true ondragstart="event.dataTransfer.setData('text/plain', 'card')"></div>
<div id=pile ondragover="event.preventDefault()"
  ondrop="this.title = event.dataTransfer.getData('text/plain')"></div>
<div id=knob style="position:relative;touch-action:none"></div><div id=far style=margin-left:500px>
</div><script>
let from = null;
knob.onpointerdown = (event) => { from = event.clientX; knob.setPointerCapture(event.pointerId); };
knob.onpointermove = (event) => {
  if (from !== null) knob.style.left = `${event.clientX - from}px`;
};
knob.onpointerup = () => { from = null; };
</script>"""
LONG = "<p id=top>Top</p><div style=height:3000px></div><p id=end>End</p>"
APP = """<style>html, body { height: 100%; margin: 0; overflow: hidden }</style>
<div id=side style="height:100px;overflow:auto"><div style=height:400px></div></div>
<div id=main style="height:400px;overflow:auto"><div style=height:2000px></div></div>"""
ENDLESS = """<div id=list></div><script>
let rounds = 0;
const more = () => { list.append(...Array.from({length: 40}, () => {
  const row = document.createElement('p'); row.textContent = 'Row'; return row; })); };
more();
addEventListener('scroll', () => { if (rounds++ < 2) more(); });
</script>"""


@pytest.fixture
def show(browser, site):
    def go(html: str):
        browser.post("goto", site.page("/pointer", html))
        return browser

    return go


def test_hover_tells_what_a_style_alone_shows(show):
    page = show(MENU)

    shown = page.ok("hover", "#menu")
    nothing = page.ok("hover", "#menu", "--json").json
    moved = page.ok("mouse", "move", "600", "300")

    assert shown.out.startswith("Hovered #menu\n")
    assert "Nothing changed" not in shown.out
    assert nothing["changed"] is False
    assert "Nothing changed" not in moved.out


def test_drag_moves_what_html_and_what_a_script_lets_move(show):
    page = show(BOARD)

    ran = page.ok("drag", "#card", "#pile")
    page.ok("drag", "#knob", "#far")

    assert ran.out.startswith("Dragged #card to #pile: dropped at ")
    assert page.ok("js", "pile.title").page == "card"
    assert page.ok("js", "knob.style.left").page == "500px"


def test_scroll_moves_the_page_or_brings_into_view(show):
    page = show(LONG)
    where = "[Math.round(scrollY), scrollY + innerHeight >= document.body.scrollHeight].join()"

    said = []
    for words in ([], ["--to", "top"], ["#end"], ["--by", "0,-100"], ["#top"], ["--by", "50"]):
        said.append(page.ok("scroll", *words).out.splitlines()[0].partition(" →")[0])
        said.append(page.ok("js", where).page.partition(",")[2])

    assert said == [
        "Scrolled to bottom", "true",
        "Scrolled to top", "false",
        "Scrolled #end into view", "true",
        "Scrolled by 0,-100", "false",
        "Scrolled #top into view", "false",
        "Scrolled by 0,50", "false",
    ]  # fmt: skip
    page.ok("scroll", "#top")
    assert "Nothing changed" in page.ok("scroll", "#top").out


def test_what_a_page_shows_as_it_is_scrolled_is_in_the_reply(show):
    page = show(
        LONG + "<script>addEventListener('scroll', () => requestAnimationFrame(() => {"
        " end.innerHTML = '<button>More</button>'; }));</script>"
    )

    assert "More" in page.ok("scroll", "--by", "0,500", "--snapshot").page


def test_scroll_moves_what_scrolls_inside(show):
    page = show(APP)

    page.ok("scroll", "--by", "0,300")
    page.ok("scroll", "#side", "--to", "bottom")
    refused = page.browse("scroll", "body > #main > div", "--to", "top")

    assert page.ok("js", "[main.scrollTop, side.scrollTop].join()").page == "300,300"
    assert refused.code == 1
    assert "does not scroll" in refused.err


def test_scroll_again_and_again_loads_more_and_stops_when_no_more_comes(show):
    page = show(ENDLESS)

    once = page.ok("scroll", "--times", "1")
    all = page.ok("scroll", "--times", "9", "--wait", "200")

    assert once.out.startswith("Scrolled 1 time with 1000ms delay")
    assert all.out.startswith("Scrolled 4 of 9 times with 200ms delay: nothing more came")
    assert page.ok("js", "list.children.length").page == "120"


def test_mouse_is_used_by_places(show):
    page = show("""<canvas id=c width=300 height=200></canvas><div style=height:3000px></div>
        <script>window.log = []; for (const kind of ['mousemove', 'mousedown', 'mouseup'])
        c.addEventListener(kind, (it) => log.push([kind, it.offsetX, it.offsetY, it.button]))
        oncontextmenu = () => false</script>""")
    page.ok("js", "document.body.style.margin = 0")

    page.ok("mouse", "move", "20", "30")
    page.ok("mouse", "down", "--button", "right")
    page.ok("mouse", "move", "40,50")
    page.ok("mouse", "up", "--button", "right")
    turned = page.ok("mouse", "wheel", "0", "120")

    assert page.ok("js", "log.join(' ')").page == (
        "mousemove,20,30,0 mousedown,20,30,2 mousemove,40,50,0 mouseup,40,50,2"
    )
    assert turned.out.startswith("Wheel turned by 0,120")
    page.ok("wait", "--js", "scrollY === 120")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["hover"], "<selector> is missing"),
        (["drag", "#a"], "name an element to drop it on"),
        (["mouse", "move", "99999", "1"], "99999,1 is outside the window, which is 1280 by 720"),
        (["mouse", "move", "-1", "1"], "is outside the window"),
        (["mouse", "move", "1"], "mouse move: it takes two whole numbers"),
        (["mouse", "down", "1", "2"], "mouse down: unexpected argument '1'"),
        (["mouse", "wheel", "0", "1", "--button", "left"], "mouse wheel: Unknown flag: --button"),
        (["mouse", "fly"], "Unknown command: 'mouse fly'."),
        (["scroll", "--by", "far"], "'far' is not a distance in pixels"),
        (["scroll", "--by", "1,1", "--to", "top"], "--by and --to cannot be combined"),
        (["scroll", "--wait", "5"], "--wait is the pause between several times"),
        (["scroll", "--times", "400"], "that would take longer than 300 s"),
    ],
)
def test_wrong_words_are_refused(browser, words, said):
    ran = browser.browse(*words)

    assert ran.code == 2
    assert said in ran.err


@pytest.mark.issue(18)
@pytest.mark.parametrize(
    "words", [["click", "#a", "--right"], ["press", "Shift+F10", "--on", "#a"]]
)
def test_a_context_menu_opens_by_mouse_and_by_keys(show, words):
    page = show("""<button id=a oncontextmenu="event.preventDefault(); menu.hidden = false">
        Row</button><div id=menu role=menu hidden><div role=menuitem>Delete</div></div>""")

    page.ok(*words, "--expect", "text=Delete")

    assert page.ok("js", "menu.hidden").page == "false"
