"""What `select` says is what the page holds then."""

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]


@pytest.fixture
def show(browser, site):
    """Serve a page and go there."""

    def go(html: str):
        browser.post("goto", site.page("/chosen", html))
        return browser

    return go


SELECT = """<select id=s onchange="{}"><option>Small<option>Large</select>
<select id=m multiple onchange="this.options[1].selected = false"><option>a<option>b</select>"""


@pytest.mark.parametrize(
    "resets",
    [
        "this.value = 'Small'",
        "queueMicrotask(() => { this.value = 'Small' })",
        "setTimeout(() => { this.value = 'Small'; document.title = 'sold out' }, 150)",
        "fetch('/chosen').then(() => { this.value = 'Small'; document.title = 'no' })",
    ],
)
def test_select_fails_where_the_page_takes_the_choice_back(show, resets):
    told = show(SELECT.format(resets)).browse("select", "#s", "Large", "--json").json

    assert told["code"] == "unmet"
    assert told["error"].startswith("'Large' was chosen in #s, but it is not chosen now")
    assert told["page"]["detail"] == "chosen now: Small"


def test_select_fails_where_one_of_several_is_taken_back(show):
    told = show(SELECT.format("")).browse("select", "#m", "a", "b", "--json").json

    assert told["error"].startswith("'b' was chosen in #m, but it is not chosen now")
    assert told["page"]["detail"] == "chosen now: a"


LATER = """<input role=combobox id=c aria-controls=l onclick="l.hidden = false">
<div role=listbox id=l hidden><div role=option onclick="l.hidden = true; {}">Bremen</div>"""


def test_a_choice_that_shows_a_little_later_is_waited_for(show):
    page = show(LATER.format("setTimeout(() => { c.value = 'Bremen' }, 700)"))

    assert page.ok("select", "#c", "Bremen").out == 'Selected "Bremen" in #c\n'


def test_a_hidden_select_without_words_tells_nothing(show):
    sends = "<select hidden><option value=1 selected></option></select>"
    page = show(LATER.format("c.value = 'Bremen'") + sends)
    page.ok("js", "c.after(document.querySelector('select'))")

    assert page.ok("select", "#c", "Bremen").out == 'Selected "Bremen" in #c\n'


CHIPS = """<div id=box><span id=chips></span><input role=combobox id=c aria-controls=l
onclick="l.hidden = false"></div><div role=listbox id=l hidden></div><script>
for (const name of ["Ada", "Ben", "Cid"]) {
  const option = l.appendChild(document.createElement("div"))
  option.role = "option"
  option.textContent = name
  option.onclick = () => { chips.insertAdjacentHTML("beforeend", `<b>${name}</b>`) }
}</script>"""


def test_several_are_chosen_where_a_combobox_does_not_say_that_it_takes_them(show):
    page = show(CHIPS)

    assert page.ok("select", "#c", "Ada", "Cid").out == 'Selected "Ada", "Cid" in #c\n'
    assert page.ok("js", "chips.textContent").page == "AdaCid"


def test_a_combobox_that_takes_one_of_several_says_which_is_missing(show):
    page = show(CHIPS.replace('chips.insertAdjacentHTML("beforeend",', "chips.innerHTML = (0,"))

    told = page.browse("select", "#c", "Ada", "Cid", "--json").json

    assert told["error"].startswith("'Ada' was chosen in #c, but it is not chosen now")


@pytest.mark.parametrize(
    ("says", "said"),
    [
        ("alert('Sold out')", "alert: Sold out"),
        ("b.innerHTML = '<p role=alert>Sold out</p>'", "alert: Sold out"),
    ],
)
def test_select_tells_why_the_page_takes_the_choice_back(show, says, said):
    page = show(SELECT.format(f"this.value = 'Small'; {says}") + "<div id=b></div>")

    told = page.browse("select", "#s", "Large", "--json").json

    assert told["page"]["detail"] == f"chosen now: Small\n{said}"


def test_select_survives_a_select_that_leads_to_another_page(show, site):
    away = site.page("/away", "<h1>Away</h1>")

    ran = show(SELECT.format(f"location = '{away}'")).ok("select", "#s", "Large")

    assert ran.out.startswith('Selected "Large" in #s; that is gone from the page now → now at')


def test_select_survives_a_select_that_the_page_replaces(show):
    page = show(SELECT.format("this.replaceWith(this.cloneNode(true))"))

    ran = page.ok("select", "#s", "Large", "--json").json

    assert ran["verified"] is False


LISTBOX = """<ul id=l role=listbox onclick="{}"><li role=option aria-selected=true>Small
<li role=option aria-selected=false>Large</ul>"""
TAKES = "for (const it of this.children) it.ariaSelected = it === event.target"
COMBO = """<div><{tag} id=c role=combobox tabindex=0 aria-controls=l style="min-height: 20px"
onclick="l.hidden = false">
{shown}</{tag}><i id=chips></i></div><ul id=l role=listbox hidden onclick="pick(event.target)">
<li role=option {mark}>Red<li role=option {mark}>Redder</ul><script>
const pick = (it) => {{ const name = it.textContent.trim(); l.hidden = true; {does} }}</script>"""


def combo(does: str, *, tag: str = "div", shown: str = "pick", mark: str = "") -> str:
    return COMBO.format(does=does, tag=tag, shown=shown, mark=mark)


@pytest.mark.parametrize(
    ("html", "target"),
    [
        (LISTBOX.format(TAKES), "#l"),
        (combo("c.textContent = name"), "#c"),
        (combo("setTimeout(() => { c.textContent = `${name} (1)` }, 150)"), "#c"),
        (combo("c.value = name", tag="input"), "#c"),
        (combo("c.value = ''; chips.innerHTML = `<b>${name}<u>x</u></b>`", tag="input"), "#c"),
        (combo("it.ariaSelected = 'true'", shown="", mark="aria-selected=false"), "#c"),
    ],
)
def test_select_believes_what_the_widget_shows(show, html, target):
    page = show(html)

    ran = page.ok("select", target, "Large" if target == "#l" else "Red", "--json").json

    assert ran["verified"] is True


@pytest.mark.parametrize(
    ("html", "target", "now"),
    [
        (LISTBOX.format(""), "#l", "Small"),
        (LISTBOX.format(TAKES + "; this.children[0].ariaSelected = 'true'; "
                        "this.children[1].ariaSelected = 'false'"), "#l", "Small"),
        (combo(""), "#c", "pick"),
        (combo("c.textContent = 'Redder'"), "#c", "Redder"),
        (combo("c.value = name; setTimeout(() => { c.value = '' })",
               tag="input"), "#c", ""),
        (combo("c.value = 'Blue'", tag="input"), "#c", "Blue"),
        (combo("", shown="", mark="aria-selected=false"), "#c", ""),
    ],
)  # fmt: skip
def test_select_fails_where_the_widget_shows_something_else(show, html, target, now):
    words = ["select", target, "Large" if target == "#l" else "Red"]

    told = show(html).browse(*words, "--json").json

    assert told["code"] == "unmet"
    assert told.get("page", {}).get("detail", "") == (f"chosen now: {now}" if now else "")
    if not now:
        assert "the page shows nothing there" in told["error"]


@pytest.mark.parametrize("shown", ["", "EN"])
def test_select_says_when_the_widget_does_not_tell(show, shown):
    page = show(combo(f"c.textContent = '{shown}'; document.title = 'x'", shown=""))

    ran = page.ok("select", "#c", "Red")

    assert ran.out.startswith('Clicked "Red" in #c, which shows ')
    assert f"shows: {shown}" in ran.out if shown else "shows nothing" in ran.out


def test_select_reads_back_in_a_frame(show, site):
    inner = site.page("/inner", SELECT.format("this.value = 'Small'"))
    page = show(f"<iframe src={inner}></iframe>")

    ran = page.browse("select", "iframe >>> #s", "Large")

    assert ran.code != 0
    assert "chosen now: Small" in ran.out + ran.err
