"""Waiting for pages with the real client, daemon and Chromium."""

import pytest

pytestmark = pytest.mark.e2e

PAGE = """<title>W</title><p id=seen>in sight</p><p id=hidden style=display:none>out of sight</p>
<i class=some style=display:none>1</i><i class=some>2</i><input id=field value=12>
<select id=pick><option>One<option value=2 selected>Two</select>"""


@pytest.fixture
def page(browser, site):
    browser.post("goto", site.page("/waiting", PAGE))
    return browser


def ended(process) -> tuple[int, str]:
    out, err = process.communicate(timeout=150)
    return process.returncode, out.decode() + err.decode()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["#seen"], "Element #seen appeared"),
        ([".some"], "Element .some appeared"),
        (["text=in sight"], "Element text=in sight appeared"),
        (["#hidden", "--gone"], "Element #hidden is gone"),
        (["#nowhere", "--gone"], "Element #nowhere is gone"),
        (["10"], "Waited 10 ms"),
        (["0"], "Waited 0 ms"),
        (["#seen", "0"], "Element #seen appeared"),
        (["#seen", "300000"], "Element #seen appeared"),
        (["--load"], "Page loaded"),
        (["--domcontentloaded"], "DOM content loaded"),
        (["--networkidle"], "Network idle"),
        (["--networkidle", "5000"], "Network idle"),
        (["--text", "in sight"], "Text 'in sight' appeared"),
        (["--text", "out of sight", "--gone"], "Text 'out of sight' is gone"),
        (["--url", "/wait"], "URL matches /wait"),
        (["--url", "**/waitin?"], "URL matches **/waitin?"),
        (["#seen", "--stable"], "The text of #seen is stable"),
        (["--stable", "--still", "50"], "The text of the page is stable"),
        (["--still", "50"], "The text of the page is stable"),
        (["#field", "--value", "12"], "#field holds '12'"),
        (["value", "#field", "12"], "#field holds '12'"),
        (["#pick", "--value", "Two"], "#pick holds 'Two'"),
        ([".some", "--count", "1"], "1 element of .some visible"),
        (["#nowhere", "--count", "0"], "0 elements of #nowhere visible"),
        (["i, p", "--count", "2+"], "2 elements of i, p visible"),
        (["--js", "document.title == 'W'"], "Condition is true"),
        (["--js", "await Promise.resolve(1)"], "Condition is true"),
        (["--js", "() => true"], "Condition is true"),
    ],
)
def test_wait_says_what_came_true(page, words, line):
    assert page.ok("wait", *words).out == line + "\n"


def test_how_things_stand_is_seen_also_on_a_page_that_was_busy_all_the_time(page):
    busy = "const end = Date.now() + 2000; while (Date.now() < end);"
    page.ok("js", f"setTimeout(() => {{ {busy} }}), 1")

    ran = page.browse("wait", "#field", "--value", "13", "50")

    assert (ran.code, ran.out) == (5, "")
    assert "it holds something else" in ran.err


@pytest.mark.parametrize(
    ("words", "standing"),
    [
        (["#nowhere", "300"], "element '#nowhere' to appear: nothing matches it"),
        (["#nowhere", "--timeout", "0"], "element '#nowhere' to appear: nothing matches it"),
        (["#hidden", "300"], "to appear: 1 element matches it and none is visible"),
        (["#seen", "300", "--gone"], "to go: 1 element matches it and 1 is visible"),
        ([".some", "300", "--gone"], "to go: 2 elements match it and 1 is visible"),
        (["--text", "out of sight", "--timeout", "300"], "to appear: it is not visible"),
        (["--text", "in sight", "--gone", "--timeout", "300"], "to go: it is visible"),
        (["--url", "elsewhere", "--timeout", "300"], "`browse url` shows where the tab is"),
        (["#field", "--value", "13", "300"], "to hold '13': it holds something else, or is no"),
        (["#nowhere", "--value", "13", "300"], "nothing matches it"),
        ([".some", "--count", "2", "300"], "2 of .some: 1 element visible"),
        (["#nowhere", "--stable", "300"], "nothing matches it"),
        (["--js", "1 > 2", "--timeout", "300"], "'1 > 2' to be true: it is still false"),
        (["--js", "Promise.resolve(0)", "--timeout", "300"], "it is still false"),
        (["#seen", "--text", "nowhere", "--timeout", "300"], "text 'nowhere' to appear"),
    ],
)
def test_wait_in_vain_says_for_what_and_how_things_stand(page, words, standing):
    ran = page.browse("wait", *words)

    assert (ran.code, ran.out) == (5, "")
    assert ran.err.startswith("Waited ")
    assert standing in ran.err


def test_wait_for_a_page_that_is_still_loading_says_so(browser, site):
    picture = site.hold("/slow-picture")
    browser.ok("goto", site.page("/slow", f"<p>x<img src={picture.url}>"))

    ran = browser.browse("wait", "--load", "300")
    picture.let_go.set()

    assert ran.code == 5
    assert "the page is still loading" in ran.err


@pytest.mark.parametrize("flag", ["--load", "--networkidle"])
def test_wait_lasts_until_the_page_is_done(browser, site, flag):
    picture = site.hold(f"/late-picture{flag}")
    browser.ok("goto", site.page(f"/late{flag}", f"<p>x<img src={picture.url}>"))
    waiting = browser.start("wait", flag)
    assert picture.arrived.wait(150)

    picture.let_go.set()

    assert ended(waiting)[0] == 0
    assert browser.ok("js", "document.readyState").page == "complete"


@pytest.mark.parametrize(
    ("words", "then"),
    [
        (["#late"], "document.body.innerHTML = '<p id=late>late</p>'"),
        (["#early", "--gone"], "document.querySelector('#early').remove()"),
        (["--text", "late words"], "document.body.append('late words')"),
        (["--url", "/moved"], "history.pushState({}, '', '/moved')"),
        (["--url", "**/moved"], "location.hash = '/moved'"),
        (["--js", "window.done"], "window.done = 1"),
        (["--js", "document.querySelector('#new').id"], "document.body.innerHTML='<p id=new>'"),
        (["--js", "await Promise.resolve(window.done)"], "window.done = 1"),
    ],
)
def test_wait_lasts_until_it_comes_true(browser, site, words, then):
    held = site.hold("/go-on")
    url = site.page(
        "/later", f"<p id=early>x</p><script>fetch('/go-on').then(() => {{ {then} }})</script>"
    )
    browser.ok("goto", url)
    assert held.arrived.wait(150)
    waiting = browser.start("wait", *words)

    held.let_go.set()

    assert ended(waiting)[0] == 0


def test_wait_for_several_conditions_tells_each(page):
    told = page.ok("wait", "#seen", "--load", "--text", "in sight", "--js", "1", "--json").json

    assert told == {
        "met": [
            "Page loaded",
            "Element #seen appeared",
            "Text 'in sight' appeared",
            "Condition is true",
        ]
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no condition was given"),
        (["--gone"], "no condition was given"),
        (["--timeout", "5"], "no condition was given"),
        ([""], "the selector is empty"),
        (["--text", ""], "--text is empty"),
        (["--url", " "], "--url is empty"),
        (["--js", ""], "--js is empty"),
        (["#x", "soon"], "'soon' is not a whole number from 0 to 300,000"),
        (["#x", "-5"], "'-5' is not a whole number"),
        (["#x", "1.5"], "'1.5' is not a whole number"),
        (["300001"], "'300001' is not a whole number"),
        (["#x", "--timeout", "300001"], "'300001' is not a whole number"),
        (["p[["], "The selector 'p[[' cannot be parsed"),
    ],
)
def test_wait_refuses_what_cannot_be_waited_for(browser, words, message):
    ran = browser.browse("wait", *words)

    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_wait_for_a_script_that_throws_shows_what_it_threw(browser):
    ran = browser.browse("wait", "--js", "nobody.knows", "--timeout", "2000")

    assert ran.code == 5
    assert "to be true: it throws an error" in ran.err
    assert "ReferenceError: nobody is not defined" in ran.err


def test_wait_for_a_script_that_cannot_be_parsed_does_not_wait(browser):
    ran = browser.browse("wait", "--js", "1 +", "--timeout", "50000")

    assert ran.code == 1
    assert "SyntaxError" in ran.err


LATE_VALUES = """<input id=name><select id=state><option>Old<option>New</select>
<input type=password id=secret><button>Go</button><script>
document.querySelector('button').onclick = () => setTimeout(() => {
  document.getElementById('name').value = 'Ann Lee';
  document.getElementById('state').selectedIndex = 1;
  document.getElementById('secret').value = 'swordfish';
}, 50);
</script>"""


def test_a_text_that_a_field_shows_is_waited_for(browser, site):
    browser.ok("goto", site.page("/late-values", LATE_VALUES))
    missing = browser.browse("wait", "--text", "ann lee", "--timeout", "300")
    browser.ok("click", "button")

    assert (missing.code, "it is not visible" in missing.err) == (5, True)
    assert "Text 'ann lee' appeared" in browser.ok("wait", "--text", "ann lee").out
    assert "Text 'New' appeared" in browser.ok("wait", "--text", "New").out
    assert browser.browse("wait", "--text", "swordfish", "--timeout", "300").code == 5
    browser.ok("fill", "#name", "Bob")
    assert "Text 'Ann Lee' is gone" in browser.ok("wait", "--text", "Ann Lee", "--gone").out


@pytest.mark.issue(18)
def test_stable_waits_for_the_end_of_a_streamed_answer(browser, site):
    script = """let n = 0;
    const timer = setInterval(() => { it.textContent += ` ${++n}`;
    if (n == 12) clearInterval(timer); }, 60)"""
    browser.post("goto", site.page("/streamed", f"<p id=it></p><script>{script}</script>"))

    browser.ok("wait", "#it", "--stable", "--still", "3s")

    assert browser.ok("text", "#it").page.endswith(" 12")


@pytest.mark.issue(18)
def test_a_value_that_a_script_sets_is_noticed(browser, site):
    script = "setTimeout(() => { it.value = 'done' }, 300)"
    browser.post("goto", site.page("/valued", f"<input id=it><script>{script}</script>"))

    browser.ok("wait", "#it", "--value", "done")

    assert browser.ok("value", "#it").page == "done"


@pytest.mark.issue(18)
def test_a_secret_value_is_never_compared(browser, site):
    browser.post("goto", site.page("/secret", "<input type=password id=it value=hunter2>"))

    for held in ("hunter2", "else"):
        ran = browser.browse("wait", "#it", "--value", held)

        assert ran.code == 1
        assert "#it is a secret field: what it holds is never compared." in ran.err
        assert held not in ran.out + ran.err


@pytest.mark.issue(18)
def test_what_a_field_should_hold_is_in_no_log(project, site):
    page = "<input type=password id=it value=hunter2><input id=sum value=4217>"
    project.ok("goto", site.page("/secret-log", page))

    project.browse("wait", "#it", "--value", "hunter2")
    project.ok("wait", "#sum", "--value", "4217")
    project.end()

    folder = project.root / ".gstack"
    logged = "".join(file.read_text() for file in folder.glob("browse-*.*l*"))
    assert "hunter2" not in logged
    journal = (folder / "browse-journal.jsonl").read_text()
    assert '"--value=***"' in journal
    assert '"--value=4217"' in journal


SECRETS = """<div contenteditable aria-label=PIN id=pin>zebra1</div>
<div contenteditable role=textbox aria-label=Password><p>zebra2</p></div>
<textarea name=api_key>zebra3</textarea>
<p id=line>Your PIN is: <span contenteditable aria-label=PIN>zebra4</span> or so</p>
<a href=/x>see <i contenteditable title=Password>zebra5</i></a>
<table><tr><th>a<th>b<tr><td>1<td><span contenteditable aria-label=Password>zebra6</span></table>
<div contenteditable aria-label=Comment>giraffe</div>"""


@pytest.mark.issue(18)
@pytest.mark.parametrize(
    "words",
    ["zebra1", "zebra2", "zebra3", "PIN is: zebra4", "see zebra5", "zebra6"],
)
def test_a_text_that_only_secret_fields_hold_is_not_confirmed(browser, site, words):
    browser.post("goto", site.page("/secret-texts", SECRETS))

    ran = browser.browse("wait", "--text", words, "--timeout", "300")

    assert ran.code == 5
    assert "it is not visible" in ran.err


@pytest.mark.issue(18)
def test_texts_around_secret_fields_are_found(browser, site):
    browser.post("goto", site.page("/secret-texts", SECRETS))

    for words in ("giraffe", "Your PIN is", "or so"):
        browser.ok("wait", "--text", words)
    browser.ok("wait", "--text", "zebra1", "--gone")


@pytest.mark.issue(18)
@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["#it", "--value", "3", "--gone"], "--gone is about a selector or --text, not --value"),
        (["#it", "--count", "3", "--gone"], "--gone is about a selector or --text, not --count"),
        (["--load", "--gone"], "--gone is about a selector or --text, not --load"),
        (["--stable", "--still", "5s", "--timeout", "3s"], "cannot stay the same for 5000 ms"),
        (["--stable", "--still", "20s"], "cannot stay the same for 20000 ms within 15000 ms"),
        (
            ["#it", "--stable", "200", "--still", "201"],
            "cannot stay the same for 201 ms within 200",
        ),
    ],
)
def test_a_wait_that_cannot_come_true_is_refused(page, words, why):
    ran = page.browse("wait", *words)

    assert (ran.code, why in ran.err) == (2, True)


@pytest.mark.issue(18)
@pytest.mark.parametrize("flags", [["--stable"], ["--count", "3"], ["--value", "3"]])
def test_a_selector_that_is_none_is_told(page, flags):
    page.browse("url")  # what others did in the tab is told to it, and not below
    ran = page.browse("wait", "div[[", *flags, "--timeout", "1500")
    plain = page.browse("wait", "div[[", "--timeout", "1500")

    assert ran.code == plain.code
    assert "script" not in ran.err
    assert ran.err == plain.err


@pytest.mark.issue(18)
def test_network_that_is_not_idle_is_named(browser, site):
    held = site.hold("/busy-api")
    browser.post("goto", site.page("/busy", "<script>fetch('/busy-api')</script>"))

    ran = browser.browse("wait", "--networkidle", "700", "--json")
    held.let_go.set()

    assert ran.code == 5
    assert f"GET {held.url} (fetch, began" in ran.out + ran.err


@pytest.mark.issue(18)
@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--value=3"], "wait: --value needs a selector"),
        (["--count=3"], "wait: --count needs a selector"),
        (["#it", "--count", "many"], "'many' is not a count"),
    ],
)
def test_a_wait_for_content_without_its_words_is_refused(page, words, why):
    ran = page.browse("wait", *words)

    assert (ran.code, why in ran.err) == (2, True)


@pytest.mark.issue(18)
def test_a_text_that_did_not_change_is_not_said_to_change(browser, site):
    browser.post("goto", site.page("/unchanged", "<p>quiet"))

    ran = browser.browse("wait", "--stable", "300")

    assert ran.code == 5
    assert "it did not change in that time" in ran.err
