"""What of the tree is shown, how it is cut and compared, and what else can be pressed."""

import re

import pytest

from support.site import Site

pytestmark = pytest.mark.e2e

CLICKABLE = """<style>.card { cursor: pointer } @media all { .wide { cursor: pointer } }</style>
<button style="cursor: pointer">Real</button>
<a href=#x style="cursor: pointer">Link <span onclick="1">inner</span></a>
<div class=card>Card <b class=card>bold</b> <i>words</i></div>
<div class=wide>Wide</div>
<div onclick="document.title = 'attribute'">Attribute</div>
<div id=heard>Heard <span id=within>within</span></div>
<div id=silent>Silent</div>
<div tabindex=0>Keyboard</div>
<div tabindex=-1>Unreachable</div>
<label class=card><input type=checkbox> Box</label>
<div style="position: fixed; z-index: 20; top: 0"><p onclick="1">Floating</p></div>
<div class=card style="display: none">Gone</div>
<div class=card style="width: 0; height: 0; overflow: hidden"></div>
<div id=host></div>
<script>
heard.addEventListener("click", () => { document.title = "listener" });
within.addEventListener("click", () => {});
document.body.addEventListener("click", () => {});
host.attachShadow({mode: "open"}).innerHTML =
  "<style>em { cursor: pointer }</style><em>Shadow</em>";
</script>"""
NESTED = "<style>nav { & div { cursor: pointer } }</style><nav><div>Nested</div></nav>"
LIST = "<h1>T</h1><ul><li><button>One</button><li><button>Two</button></ul>"
LONG = (
    "<h2>Head</h2><button>Here</button><p>Near words</p><div style='height: 5000px'></div>"
    "<h2>Far head</h2><button>There</button>"
)


@pytest.fixture
def show(browser, site: Site):
    """Serve markup and go there."""

    def go(html: str):
        browser.post("goto", site.page("/flags", html))
        return browser

    return go


def pressed(page: str) -> list[str]:
    """The lines of what can be pressed without a role, without their numbers."""
    return [re.sub(r"@c\d+ ", "", line) for line in page.splitlines() if line.startswith("@c")]


def test_what_can_be_pressed_without_a_role_is_found_once(show):
    browser = show(CLICKABLE)
    page = browser.ok("snapshot", "-i").page

    heading = "── cursor-interactive (not in ARIA tree) ──"
    assert heading not in page
    assert heading in browser.ok("snapshot", "-iC").page
    assert pressed(page) == [
        '[cursor:pointer] "Card bold words"',
        '[cursor:pointer] "Wide"',
        '[onclick] "Attribute"',
        '[tabindex=0] "Keyboard"',
        '[popover-child, onclick] "Floating"',
        '[cursor:pointer] "Shadow"',
    ]


def test_listeners_of_scripts_are_asked_for(show):
    page = show(CLICKABLE).ok("snapshot", "-C").page
    (ref,) = re.findall(r'(@c\d+) \[listener\] "Heard within"', page)

    assert '[listener] "within"' in page  # a listener of its own
    assert "Silent" not in " ".join(pressed(page))
    assert "stale" in show(CLICKABLE).browse("click", ref).err


def test_refs_of_what_has_no_role_can_be_pressed(show):
    browser = show(CLICKABLE)
    page = browser.ok("snapshot", "-iC").page
    by_name = {name: ref for ref, name in re.findall(r'(?m)^(@c\d+) \[[^\]]+\] "(.+)"', page)}

    browser.ok("click", by_name["Attribute"])
    first = browser.ok("js", "document.title").page
    browser.ok("click", by_name["Heard within"])
    second = browser.ok("js", "document.title").page
    browser.ok("js", "heard.textContent = 'Delete everything'")
    changed = browser.browse("click", by_name["Heard within"])

    assert (first, second) == ("attribute", "listener")
    assert changed.code != 0
    assert "Delete everything" in changed.err


def test_rules_that_cannot_be_listed_are_no_obstacle(show):
    assert pressed(show(NESTED).ok("snapshot", "-i").page) == ['[cursor:pointer] "Nested"']


def test_diff_shows_an_inserted_row_as_one_line(show):
    browser = show(LIST)
    browser.ok("snapshot", "-i")
    browser.ok(
        "js", "document.querySelector('ul').insertAdjacentHTML('afterbegin', '<li><button>New')"
    )

    ran = browser.ok("snapshot", "-D")

    assert re.sub(r"@e\d+", "@e", ran.page) == '+ @e [button] "New"'
    assert "(2 lines as before)" in ran.out
    assert browser.ok("snapshot", "-D").out == "(nothing changed)\n"


def test_diff_counts_one_line_as_one(show):
    browser = show("<button>Buy</button>")
    browser.ok("snapshot", "-i")
    browser.ok("js", "document.body.insertAdjacentHTML('beforeend', '<button>New')")

    assert "(1 line as before)" in browser.ok("snapshot", "-D").out


def test_diff_says_where_a_row_went(show):
    browser = show(LIST + "<button>Three</button>")
    browser.ok("snapshot", "-i")
    browser.ok("js", "document.body.prepend([...document.querySelectorAll('button')].at(-1))")

    assert browser.ok("snapshot", "-D").page == "> @e3 moved to the top"


def test_diff_gives_the_whole_tree_where_that_is_shorter(show):
    browser = show(LIST)
    browser.ok("snapshot", "-i")
    browser.ok("js", "document.body.innerHTML = '<button>Only</button>'")

    ran = browser.ok("snapshot", "-D")

    assert ran.page == '@e3 [button] "Only"'
    assert ran.out.endswith("(all of it: the changes are longer)\n")


def test_diff_has_what_can_be_pressed_without_a_role(show):
    browser = show("<button>One</button><ul hidden><li onclick=go()>Open<li onclick=go()>Save</ul>")
    browser.ok("snapshot", "-i")
    browser.ok("js", "document.querySelector('ul').hidden = false")

    assert browser.ok("snapshot", "-D").page == '+ @c1 [onclick] "Open"\n+ @c2 [onclick] "Save"'


HINTS = """
<button><i class="fa fa-solid fa-trash"></i></button>
<button><svg width=9 height=9><use href="/sprite.svg#icon-edit"></use></svg></button>
<button class="btn icon-save"></button>
<button><img src="/pictures/delete.png?v=2"></button>
<a href="#day"><span class=date-icon title="Choose a date"></span></a>
<button data-testid="close-panel"><svg width=9 height=9></svg></button>
<input name=email>
<button class="primary">Named</button>
<button><i class="fa fa-trash] @e9 [button"></i></button>
<span onclick=go() class="icon-gear" style="display:block;width:9px;height:9px"></span>"""


def test_a_control_without_a_name_has_a_hint_that_is_no_name(show):
    browser = show(HINTS)

    nodes = browser.ok("snapshot", "-i", "--json").json["page"]["nodes"]

    assert [(node["name"], node["marks"]) for node in nodes] == [
        ("", "[hint=trash]"),
        ("", "[hint=edit]"),
        ("", "[hint=save]"),
        ("", "[hint=delete]"),
        ("", "[hint=Choose-a-date]"),
        ("", "[hint=close-panel]"),
        ("", "[hint=email]"),
        ("Named", ""),
        ("", ""),
        ("", "[hint=gear]"),
    ]
    assert "@e1 [button] [hint=trash]" in browser.ok("snapshot", "-i").page


def test_diff_after_a_new_load_tells_the_new_refs(show):
    browser = show(LIST)
    browser.ok("snapshot", "-i")
    show(LIST.replace("Two", "Three"))

    lines = browser.ok("snapshot", "-D", "--json").json["page"]["difference"]

    assert [re.sub(r"@e\d+", "@e", line) for line in lines] == [
        '  @e [button] "One"',
        '- @e [button] "Two"',
        '+ @e [button] "Three"',
    ]


@pytest.mark.issue(18)
def test_diff_after_a_navigation_shows_the_new_page_and_nothing_of_the_old_one(show):
    browser = show(LIST)
    browser.ok("snapshot", "-i")
    show(LIST.replace("Two", "Three"))

    ran = browser.ok("snapshot", "-D")

    assert ran.page == '@e1 [button] "One"\n@e2 [button] "Three"'
    assert ran.out.endswith("(all of it: this is another document)\n")


def test_diff_without_anything_to_compare_shows_the_tree(show, browser):
    browser.ok("newtab")
    first = show(LIST).ok("snapshot", "-D", "-i")
    other = browser.ok("snapshot", "-D", "-c")

    assert '[button] "One"' in first.page
    assert "(no previous snapshot to diff against — this snapshot stored as baseline)" in first.out
    assert "(the last snapshot had other flags — this snapshot stored as baseline)" in other.out


def test_hidden_words_are_listed_with_the_reason(show):
    html = "<p>Seen</p><p style='opacity: 0'>Ghost</p><p style='font-size: 0'>Mite</p>"
    browser = show(html)

    plain = browser.ok("snapshot").page
    told = browser.ok("snapshot", "--hidden").page
    data = browser.ok("snapshot", "--hidden", "--json").json["page"]

    assert "Ghost" not in plain
    assert "Mite" not in plain
    assert "hidden (transparent) [paragraph]: Ghost" in told
    assert "hidden (tiny text) [paragraph]: Mite" in told
    assert [it["text"] for it in data["hidden"]] == ["Ghost", "Mite"]


def test_a_short_reply_has_what_is_on_screen_and_can_be_operated_first(show):
    browser = show(LONG)
    whole = browser.ok("snapshot").page.splitlines()

    pages, after = [], "0"
    while after:
        ran = browser.ok("snapshot", "--max-chars", "60", "--after", after)
        pages.append(ran.page.splitlines())
        after = (re.findall(r"--after (\d+)", ran.out) or [""])[0]

    assert '"Here"' in " ".join(pages[0])
    assert '"There"' not in " ".join(pages[0])
    assert sorted(line for page in pages for line in page) == sorted(whole)


def test_what_comes_closest_is_named_with_its_ref(show):
    browser = show(
        "<button id=save-all>Save everything</button><a href=#>Home</a><input type=password id=pw>"
    )

    ran = browser.browse("click", "#saveall")
    misspelt = browser.browse("click", "text=Hone")
    nothing = browser.browse("click", "text=Zzz")
    (ref,) = re.findall(r'(@e\d+) \[button\] "Save everything"', ran.err)

    assert ran.code != 0
    assert "use one of these refs" in ran.err
    assert '[link] "Home"' in misspelt.err
    assert "browse snapshot -i" in nothing.err
    assert "Clicked" in browser.ok("click", ref).out


def test_what_comes_closest_and_has_no_name_has_its_hint(show):
    browser = show("<input id=mail><button><i class=fa-trash></i></button>")

    assert "@e1 [textbox] [hint=mail]" in browser.browse("fill", "#email", "x").err
