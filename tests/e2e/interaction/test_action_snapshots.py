"""Actions with `--snapshot`: what changed in the tree, or all of it where that is shorter."""

import pytest

pytestmark = pytest.mark.e2e
MENU = """<button onclick="document.querySelector('ul').hidden = false">Menu</button>
    <button>Something else on the page</button><button>And one more of them</button>
    <ul hidden><li onclick="document.body.innerHTML = '<button>Undo</button>'">Delete</ul>"""


@pytest.fixture
def show(browser, site):
    """Serve markup, and go there."""

    def go(html: str):
        browser.post("goto", site.page("/looks", html))
        return browser

    return go


def test_a_menu_that_opens_is_shown_with_what_has_no_role(show):
    page = show(MENU)

    opened = page.ok("click", "text=Menu", "--snapshot").page
    assert '+ @c1 [onclick] "Delete"' in opened.splitlines()

    chosen = page.ok("click", "@c1", "--snapshot")
    assert chosen.out.startswith("Clicked @c1\nAll elements:\n--- page [")
    assert chosen.page == '@e4 [button] "Undo"'


def test_a_new_page_is_shown_whole(show, site):
    there = site.page("/whole", "<button>Next</button><a href=/whole>Home</a>")
    page = show(f"<a href={there}>Home</a>")

    ran = page.ok("click", "text=Home", "--snapshot")

    assert ran.out.startswith(f"Clicked text=Home → now at {there}\nAll elements:\n--- page [")
    assert ran.page == '@e1 [button] "Next"\n@e2 [link] "Home"'


def test_a_snapshot_that_is_the_same_needs_no_envelope(show):
    page = show("<p>0</p><button onclick=\"document.querySelector('p').lang = 'en'\">Go</button>")
    page.ok("click", "text=Go")

    ran = page.ok("click", "text=Go", "--snapshot")

    assert ran.out == "Clicked text=Go\nThe snapshot is the same\n"


@pytest.mark.issue(18)
def test_what_came_after_the_callers_last_snapshot_is_shown(show):
    page = show("""<p>Old</p><button>Go</button><div id=later></div>
        <textarea>many words, so that all of it is longer than what is new</textarea>""")
    page.ok("snapshot", "-i")
    page.ok("js", "later.innerHTML = '<button>Late</button>'")

    first = page.ok("focus", "text=Go", "--snapshot").page
    second = page.ok("hover", "text=Go", "--snapshot")

    assert '+ @e3 [button] "Late"' in first.splitlines()
    assert "Late" not in second.out


@pytest.mark.issue(15)
def test_text_that_appears_is_told_up_to_a_few_lines(show):
    page = show("""<p>Old</p><button onclick="out.innerHTML = '<p>Answer'">One</button>
        <button onclick="out.innerHTML = '<p>1<p>2<p>3<p>4<p>5'">All</button><div id=out></div>""")
    page.ok("click", "text=Old")

    one = page.ok("click", "text=One", "--snapshot")
    many = page.ok("click", "text=All", "--snapshot")

    assert one.page.splitlines()[-1] == "+ [text]: Answer"
    assert many.page.splitlines()[-3:] == ["+ [text]: 1", "+ [text]: 2", "+ [text]: 3"]
    assert "2 more lines of new text" in many.out


@pytest.mark.issue(15)
def test_of_a_frame_that_appears_only_the_text_is_told(show):
    page = show("""<p>Old</p><button onclick="frames[0].document.body.textContent = 'In it'">Go
        </button><iframe></iframe>""")
    page.ok("click", "text=Old")

    told = page.ok("click", "text=Go", "--snapshot").page.splitlines()

    assert [it for it in told if "[text]" in it] == ["+ [text]: In it"]


def test_a_standing_choice_adds_the_snapshot_to_every_action(show):
    page = show("<input id=a>")

    told = page.ok("fill", "#a", "tea", BROWSE_SNAPSHOT="1")
    plain = page.ok("fill", "#a", "milk", BROWSE_SNAPSHOT="0")
    chained = page.ok("chain", "fill #a water", BROWSE_SNAPSHOT="1")

    assert told.page == "~ @e1 [textbox] [active] [hint=a]: tea"
    assert plain.out == "Filled #a\n"
    assert chained.page == "~ @e1 [textbox] [active] [hint=a]: water"
