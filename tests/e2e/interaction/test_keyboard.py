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
