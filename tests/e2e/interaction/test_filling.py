"""Filling fields with the real client, daemon and Chromium."""

import threading

import pytest

pytestmark = pytest.mark.e2e


@pytest.fixture
def show(browser, site):
    """Serve markup that can write things down, and go there."""

    def go(html: str):
        browser.post("goto", site.page("/fill", "<script>window.log = []</script>" + html))
        return browser

    return go


def refs(browser, words: str) -> list[str]:
    """The refs on the lines that hold these words, in the order of the page."""
    lines = browser.ok("snapshot", "-i").page.splitlines()
    return [line.split()[0] for line in lines if words in line]


@pytest.mark.parametrize(
    ("html", "value", "after"),
    [
        ("<input id=a value=old>", "new words", "a.value"),
        ("<textarea id=a>old</textarea>", "new", "a.value"),
        ("<div id=a contenteditable>old</div>", "new", "a.textContent"),
        ("<input id=a type=date>", "2026-12-24", "a.value"),
        ("<input id=a type=color>", "#ff8800", "a.value"),
        ("<input id=a type=range max=10>", "7", "a.value"),
        ("<input id=a type=password>", "hunter2", "a.value"),
    ],
)
@pytest.mark.parametrize("by_ref", [True, False])
def test_fill_replaces_the_value_and_tells_the_page_once(show, html, value, after, by_ref):
    page = show(f"{html}<script>a.onchange = () => log.push('changed')</script>")
    target = refs(page, "[")[0] if by_ref else "#a"

    ran = page.ok("fill", target, value)

    assert ran.out.startswith(f"Filled {target}\n")
    assert page.ok("js", after, "--reveal").page == value
    assert page.ok("js", "log.length").page == "1"


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    ("html", "instead"),
    [
        ("<select id=a><option>L</select>", "browse select '#a' <option>"),
        ("<input id=a type=checkbox>", "browse check '#a'"),
        ("<input id=a type=file>", "browse upload '#a'"),
        ("<input id=a type=submit>", "browse click '#a'"),
    ],
)
def test_fill_names_the_command_for_what_is_no_field(show, html, instead):
    ran = show(html).browse("fill", "#a", "L")

    assert ran.code == 1
    assert instead in ran.err


def test_fill_without_a_value_empties_the_field(show):
    page = show("<input id=a value=old>")

    page.ok("fill", "#a")

    assert page.ok("js", "a.value === ''").page == "true"


def test_fill_finds_a_field_by_its_label(show):
    page = show("<label>Your name <input id=a></label><input id=b placeholder=Town data-testid=t>")

    page.ok("fill", "label=Your name", "Ada")
    page.ok("fill", "placeholder=Town", "London")
    page.ok("fill", "testid=t", "Paris")

    assert page.ok("js", "a.value + b.value").page == "AdaParis"


def test_fill_survives_a_field_that_changes_its_name(show):
    page = show("<input id=a aria-label=Old oninput='this.ariaLabel = this.value'>")

    page.ok("fill", refs(page, "Old")[0], "New")

    assert page.ok("js", "a.value").page == "New"


@pytest.mark.parametrize(
    ("html", "value"),
    [
        ("<button id=a>Go</button>", "x"),
        ("<input id=a type=checkbox>", "x"),
        ("<input id=a type=date>", "tomorrow"),
        ("<input id=a type=number>", "many"),
        ("<input id=a disabled>", "x"),
        ("<input id=a readonly>", "x"),
    ],
)
def test_fill_says_what_a_field_does_not_take(show, html, value):
    ran = show(html).browse("fill", "#a", value, "--json")

    assert (ran.code, ran.json["code"]) == (1, "not-actionable")
    assert "#a" in ran.json["error"]


@pytest.mark.issue(15)
def test_fill_does_not_say_filled_of_a_field_that_stayed_empty(show):
    page = show("<input id=a onfocus='this.disabled = true'>")

    ran = page.browse("fill", "#a", "words")

    assert ran.code != 0
    assert "disabled" in ran.err


@pytest.mark.issue(15)
def test_fill_says_what_the_page_made_of_the_value(show):
    page = show("<input id=a oninput='this.value = this.value.toUpperCase()'>")

    ran = page.ok("fill", "#a", "words")
    data = page.ok("fill", "#a", "more", "--json").json

    assert ran.out.startswith("Filled #a; the page made another value of it")
    assert ran.page == "value: WORDS"
    assert data["page"]["value"] == "MORE"


@pytest.mark.issue(15)
def test_fill_does_not_show_a_secret_that_the_page_changed(show):
    page = show("<input id=a type=password oninput='this.value += 1'>")

    ran = page.ok("fill", "#a", "hunter")

    assert ran.page == "value: ****"


@pytest.mark.issue(15)
@pytest.mark.parametrize(
    ("html", "words", "said"),
    [
        ("<input id=a disabled>", ["fill", "#a", "x"], "it is disabled"),
        ("<input id=a readonly>", ["fill", "#a", "x"], "it cannot be edited"),
        ("<button id=a disabled>Go</button>", ["click", "#a"], "it is disabled"),
    ],
)
def test_what_is_disabled_fails_at_once_on_a_quiet_page(show, html, words, said):
    page = show(html)
    page.ok("wait", "--networkidle")

    # With a limit that the test could not outlive.
    ran = page.browse(*words, "--timeout", "250s")

    assert ran.code != 0
    assert said in ran.err


@pytest.mark.issue(15)
def test_what_becomes_enabled_is_waited_for_while_the_page_is_not_quiet(show, site):
    held = site.hold("/held")
    page = show(f"""<button id=a disabled onclick="log.push('pressed')">Go</button><script>
        fetch('{held.url}').then(() => {{ a.disabled = false }})</script>""")
    assert held.arrived.wait(150)
    threading.Timer(0.7, held.let_go.set).start()

    page.ok("click", "#a", "--timeout", "100s")

    assert page.ok("js", "log.join()").page == "pressed"


@pytest.mark.issue(18)
def test_a_button_is_waited_for_that_a_timer_enables_after_typing(show):
    page = show("""<input id=a onkeyup="setTimeout(() => { b.disabled = false }, 150)">
        <button id=b disabled onclick="log.push('pressed')">Send</button>""")
    page.ok("wait", "--networkidle")

    page.ok("chain", "fill #a tea | click #b")

    assert page.ok("js", "log.join()").page == "pressed"


@pytest.mark.issue(15)
def test_text_goes_into_no_other_field(show):
    page = show("""<input id=a onfocus="setTimeout(() => b.focus())"><input id=b>""")

    page.browse("fill", "#a", "words")

    assert page.ok("js", "b.value").page == ""


@pytest.mark.issue(18)
@pytest.mark.parametrize("frame", [False, True])
def test_a_page_that_looks_at_a_field_when_a_key_is_let_go_sees_the_value(show, site, frame):
    html = """<input id=a onkeyup="b.disabled = !value"><button id=b disabled>Send</button>"""
    page = show(f'<iframe src="{site.page("/keys", html)}"></iframe>' if frame else html)

    page.ok("fill", *(["iframe >>> #a"] if frame else ["#a"]), "tea")

    assert page.ok("is", "enabled", "iframe >>> #b" if frame else "#b").out == "true\n"
