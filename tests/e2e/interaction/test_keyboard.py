"""Focus, typing and keys with the real client, daemon and Chromium."""

import pytest

pytestmark = pytest.mark.e2e

FORM = """<script>window.log = []</script><form onsubmit="log.push('sent'); return false">
<input id=a><input id=b onfocus="c.focus()"><input id=c>
<p id=p>Words</p><button id=d>Send</button></form>"""


@pytest.fixture
def page(browser, site):
    browser.post("goto", site.page("/keys", FORM))
    return browser


def test_typing_goes_where_the_focus_is(page):
    focused = page.ok("focus", "#a")
    again = page.ok("focus", "#a")
    typed = page.ok("type", "hello", "wörld", "🙂")

    assert focused.out.startswith("Focused #a\n")
    assert "Nothing changed" not in focused.out
    assert "Nothing changed" in again.out
    assert typed.out.startswith("Typed 13 characters\n")
    assert "hello" not in typed.out
    assert page.ok("js", "a.value").page == "hello wörld 🙂"


def test_keys_and_chords_are_pressed(page):
    page.ok("fill", "#a", "old")

    page.ok("press", "control+a", "--on", "#a")
    page.ok("type", "New")
    page.ok("press", "Backspace")
    page.ok("press", "Shift+x")
    page.ok("press", "enter")

    assert page.ok("js", "a.value").page == "NeX"
    assert page.ok("js", "log.join()").page == "sent"


@pytest.mark.issue(15)
def test_the_focus_that_a_key_needs_is_no_change(page):
    assert page.ok("press", "F7", "--on", "#d").out == "Pressed F7 on #d\nNothing changed\n"
    assert page.ok("press", "Tab", "--on", "#a").out == "Pressed Tab on #a\n"


def test_typing_without_a_focus_changes_nothing(page):
    assert "Nothing changed" in page.ok("type", "x").out


@pytest.mark.parametrize("target", ["#p", "#b"])
def test_a_key_never_goes_to_another_element(page, target):
    """Neither one that cannot take the focus nor one that passes it on gets the key elsewhere."""
    page.ok("focus", "#d")

    ran = page.browse("press", "Enter", "--on", target)

    assert ran.code == 1
    assert f"{target} cannot be focused" in ran.err
    assert page.ok("js", "log.join() === ''").page == "true"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["focus"], "focus needs a target here: the browser has no window"),
        (["type"], "<text> is missing"),
        (["press"], "<key> is missing"),
        (["press", ""], "there is no key ''"),
        (["press", "Entre"], "Did you mean Enter?"),
        (["press", "a", "b"], "unexpected argument 'b'"),
        (["press", "--onn", "#a", "x"], "Did you mean --on?"),
    ],
)
def test_wrong_words_are_refused(page, words, said):
    ran = page.browse(*words)

    assert ran.code == 2
    assert said in ran.err


KEYS = """<input id=a><script>window.log = [];
for (const kind of ["keydown", "keyup"])
  addEventListener(kind, (e) => log.push(`${kind} ${e.key} ${e.shiftKey}`));
addEventListener("click", (e) => log.push(`click ${e.shiftKey}`))</script>"""


@pytest.fixture
def keys(browser, site):
    browser.ok("goto", site.page("/held", KEYS))
    return browser


def test_a_key_is_held_until_it_is_released(keys):
    held = keys.ok("keydown", "shift")
    clicked = keys.ok("click", "#a")
    pressed = keys.ok("press", "b")
    released = keys.ok("keyup", "Shift")
    again = keys.ok("keyup", "Shift")

    assert held.out.startswith("Holding Shift")
    assert clicked.code == 0
    assert pressed.out.startswith("Pressed b (holding Shift)")
    assert released.out.startswith("Released Shift")
    assert again.out.startswith("Shift was not held")
    assert keys.ok("js", "log.slice(0, 2).join()").page == "keydown Shift true,click true"


def test_all_held_keys_are_released_at_once(keys):
    keys.ok("keydown", "Shift")
    keys.ok("keydown", "Alt")

    ran = keys.ok("keyup", "--json")

    assert ran.json["held"] == []
    assert keys.ok("keyup").out.startswith("No key was held")


def test_held_keys_end_with_their_tab(keys, site):
    keys.ok("newtab", site.page("/other", KEYS))
    keys.ok("keydown", "Shift")
    keys.ok("closetab")

    assert "holding" not in keys.ok("press", "a").out


@pytest.mark.parametrize("words", [["keydown", "Control+a"], ["keydown"], ["keydown", "Shfit"]])
def test_one_key_is_held_at_a_time(keys, words):
    assert keys.browse(*words).code == 2


def test_a_key_is_pressed_several_times(keys):
    ran = keys.ok("press", "x", "--on", "#a", "--times", "3")

    assert ran.out.startswith("Pressed x 3 times on #a")
    assert keys.ok("js", "a.value").page == "xxx"
    assert keys.browse("press", "x", "--times", "0").code == 2
    assert keys.browse("press", "x", "--times", "501").code == 2
