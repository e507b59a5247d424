"""Choosing options and ticking boxes with the real client, daemon and Chromium."""

import pytest

pytestmark = pytest.mark.e2e

SIZES = """<label>Size <select id=s><option value=S>Small<option value=NY>New York
<option value=N disabled>None<option value=1>Same<option value=2>Same
<optgroup label=Far disabled><option>Moon</optgroup></select></label>
<select id=m multiple><option>a<option>b<option>c d<option>c<option>d</select>"""
COMBO = """<div id=c role=combobox tabindex=0 aria-controls=l aria-label=Colour
onclick="setTimeout(() => { l.hidden = false }, 50)">pick</div>
<div id=l role=listbox hidden
onclick="log.push(event.target.textContent); c.textContent = log[0]; l.hidden = true">
<div role=option>Red</div><div role=option aria-disabled=true>Blue</div>
<div role=option>Redder</div></div>"""


@pytest.fixture
def show(browser, site):
    """Serve markup that can write things down, and go there."""

    def go(html: str):
        browser.post("goto", site.page("/choose", "<script>window.log = []</script>" + html))
        return browser

    return go


@pytest.mark.parametrize(
    ("target", "words", "value"),
    [
        ("#s", ["S"], "S"),
        ("#s", ["Small"], "S"),
        ("#s", ["New", "York"], "NY"),
        ("#s", ["2"], "2"),
        ("text=Size", ["NY"], "NY"),
        ("#m", ["a", "b"], "a,b"),
        ("#m", ["c", "d"], "c d"),
        ("#m", ["c d", "d"], "c d,d"),
    ],
)
def test_select_chooses_by_value_or_label(show, target, words, value):
    page = show(SIZES)

    ran = page.ok("select", target, *words)

    chosen = "[...s.form?.elements ?? [], s, m].flatMap(it => [...it.selectedOptions])"
    assert ran.out.startswith('Selected "')
    assert ran.out.splitlines()[0].endswith(f'" in {target}')
    assert value in page.ok("js", f"{chosen}.map(it => it.value).join()").page
    assert page.ok("js", f"({'m' if target == '#m' else 's'}).value").page == value.split(",")[0]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["#s", "Huge"], "no-match", "'Huge' is no option of #s"),
        (["#s", "Huge", "one"], "no-match", "'Huge one' is no option of #s"),
        (["#s", "N"], "not-actionable", "'N' is a disabled option of #s"),
        (["#s", "Moon"], "not-actionable", "'Moon' is a disabled option of #s"),
        (["#s", "Same"], "several-match", "'Same' names 2 options of #s"),
        (["#s", "S", "NY"], "not-actionable", "#s takes one value; 2 were given"),
        (["#m", "a", "x"], "no-match", "'x' is no option of #m"),
        (["body", "S"], "not-actionable", "body is not a select, combobox or listbox"),
    ],
)
def test_select_says_why_nothing_was_chosen(show, words, code, said):
    page = show(SIZES)

    told = page.browse("select", *words, "--json").json

    assert told["code"] == code
    assert said in told["error"]
    assert page.ok("js", "s.value + m.value").page == "S"
    if code in ("no-match", "several-match"):
        assert '"New York" value=NY' in told["page"]["detail"] or words[0] == "#m"


def test_select_among_very_many_options_lists_only_some(show):
    page = show(
        """<select id=s></select><script>
        for (let n = 0; n < 20000; n += 1) s.add(new Option(`Row ${n}`, n))</script>"""
    )

    ran = page.ok("select", "#s", "Row", "19999")
    missed = page.browse("select", "#s", "Row 20000", "--json").json["page"]["detail"]

    assert ran.code == 0
    assert page.ok("js", "s.value").page == "19999"
    assert len(missed.splitlines()) == 51
    assert missed.endswith("… and 19,950 more")


def test_select_opens_a_list_that_the_page_made(show):
    page = show(COMBO)

    ran = page.ok("select", "#c", "Red")
    refused = page.browse("select", "#c", "Blue", "--json").json
    missing = page.browse("select", "#c", "Green", "--json").json

    assert ran.out.startswith('Selected "Red" in #c')
    assert page.ok("js", "log.join()").page == "Red"
    assert refused["error"] == "'Blue' is a disabled option of #c; nothing was chosen."
    assert missing["page"]["detail"] == '"Red"\n"Blue" [disabled]\n"Redder"'


def test_select_leaves_alone_what_is_selected_in_a_list_for_several(show):
    page = show("""<div id=l role=listbox aria-multiselectable=true
        onclick="event.target.ariaSelected = event.target.ariaSelected !== 'true'">
        <div role=option aria-selected=true>One</div><div role=option>Two</div></div>""")

    page.ok("select", "#l", "One")
    page.ok("select", "#l", "Two")

    assert page.ok("js", "[...l.children].map(it => it.ariaSelected).join()").page == "true,true"


@pytest.mark.issue(18)
def test_select_chooses_several_in_a_combobox_for_several(show):
    page = show("""<div id=c role=combobox tabindex=0 aria-controls=l
        onclick="l.hidden = false">+</div><div id=l role=listbox aria-multiselectable=true hidden
        onclick="event.target.ariaSelected = 'true'; l.hidden = true"><div role=option>One</div>
        <div role=option>Two</div><div role=option>New York</div></div>""")

    page.ok("select", "#c", "One", "New York")

    assert page.ok("js", "[...l.children].map(it => it.ariaSelected).join()").page == "true,,true"


# Of 500 options, those are in the page that are scrolled to, or that begin as what is typed.
VIRTUAL = """<{tag} id=c role=combobox tabindex=0 aria-controls=l></{tag}>
<div id=l role=listbox style="height: 100px; overflow: auto; position: relative">
<div id=rows style="height: 10000px"></div></div><script>
const all = Array.from({{ length: 500 }}, (_, at) => `Row ${{at}}`)
const draw = () => {{
  const some = all.filter((it) => it.startsWith(c.value || ''))
  const first = Math.floor(l.scrollTop / 20)
  rows.style.height = `${{some.length * 20}}px`
  rows.replaceChildren(...some.slice(first, first + 6).map((it, at) => {{
    const row = document.createElement('div')
    row.role = 'option'; row.textContent = it; row.ariaSetSize = some.length
    row.style.cssText = `position: absolute; top: ${{(first + at) * 20}}px; height: 20px`
    row.onclick = () => {{ log.push(it); c.title = it }}
    return row }})) }}
l.onscroll = c.oninput = draw; draw()</script>"""


@pytest.mark.issue(18)
@pytest.mark.parametrize(
    ("tag", "name", "tells"),
    [("div", "Row 60", True), ("div", "Row 60", False), ("input", "Row 444", True)],
)
def test_select_finds_an_option_that_is_not_in_the_page_yet(show, tag, name, tells):
    html = VIRTUAL.format(tag=tag)
    page = show(html if tells else html.replace("ariaSetSize", "unsaid"))

    page.ok("select", "#c", name)

    assert page.ok("js", "log.join()").page == name


@pytest.mark.issue(18)
def test_select_says_how_many_options_it_has_seen(show):
    page = show(VIRTUAL.format(tag="div").replace("10000px", "10px").replace("l.onscroll =", ""))
    page.ok("js", "rows.style.height = '10px'; 1")

    told = page.browse("select", "#c", "Row 400", "--json").json

    assert "is none of the 6 options of #c that were seen, of 500" in told["error"]


@pytest.mark.issue(18)
def test_select_counts_the_options_that_it_has_scrolled_to(show):
    page = show(VIRTUAL.format(tag="div").replace("ariaSetSize", "unsaid"))

    told = page.browse("select", "#c", "Row 999", "--json").json

    assert "is none of the 406 options of #c that were seen; it was not chosen" in told["error"]


def test_select_says_when_a_combobox_shows_no_list(show):
    page = show("<input id=c role=combobox aria-label=Town>")

    told = page.browse("select", "#c", "Oslo", "--json").json

    assert "shows no list of options" in told["error"]
    assert "browse snapshot -i" in told["hint"]


BOXES = {
    "box": "<input id=a type=checkbox>",
    "in its label": "<label id=a><input type=checkbox>Agree</label>",
    "transparent": """<style>#a { position: absolute; opacity: 0; width: 0; height: 0 }</style>
        <label><input id=a type=checkbox><a href=/terms>Agree to all terms</a></label>""",
    "not shown": "<input id=a type=checkbox hidden><label for=a>Agree</label>",
    "covered": """<div style=position:relative><input id=a type=checkbox>
        <label for=a style=position:absolute;inset:0>Agree</label></div>""",
    "switch": """<div id=a role=switch tabindex=0 aria-checked=false
        onclick="setTimeout(() => this.ariaChecked = this.ariaChecked !== 'true', 150)">On</div>""",
    "menu": """<div role=menu><div id=a role=menuitemcheckbox tabindex=0
        onclick="this.ariaChecked = this.ariaChecked !== 'true'">On</div></div>""",
    "asks": "<input id=a type=checkbox onclick='return confirm(\"Sure?\")'>",
}


@pytest.mark.parametrize("html", BOXES.values(), ids=BOXES)
def test_check_and_uncheck_bring_about_the_state(show, html):
    page = show(html)
    state = "(a.control ?? a).checked ?? a.ariaChecked === 'true'"

    seen = []
    for command in ("check", "check", "uncheck", "uncheck"):
        ran = page.ok(command, "#a", "--json").json
        seen.append((ran["already"], page.ok("js", state).page))

    assert seen == [(False, "true"), (True, "true"), (False, "false"), (True, "false")]


def test_check_says_what_it_did(show):
    page = show("<input id=a type=checkbox><input id=b type=radio>")

    assert page.ok("check", "#a").out.startswith("Checked #a")
    assert page.ok("check", "#a").out.startswith("#a is already checked")
    assert page.ok("uncheck", "#a").out.startswith("Unchecked #a")
    assert page.ok("uncheck", "#b").out.startswith("#b is already unchecked")
    assert page.ok("check", "#b").out.startswith("Checked #b")


def test_where_there_was_nothing_to_do_nothing_is_waited_for(show):
    page = show("<input id=a type=checkbox checked>")
    later = "js 'setTimeout(() => document.body.append(1), 200)'"

    ran = page.ok("chain", f"{later} | check '#a'")

    assert "#a is already checked (Nothing changed)" in ran.out


def test_check_survives_a_box_that_goes_away(show, site):
    away = site.page("/away", "<h1>Away</h1>")
    page = show(f"""<input id=a type=checkbox onclick="this.remove()">
        <div id=b role=checkbox tabindex=0 onclick="this.replaceWith(this.cloneNode())">B</div>
        <input id=c type=checkbox onclick="location = '{away}'">""")

    for target in ("#a", "#b", "#c"):
        assert page.ok("check", target).out.startswith(f"Checked {target}")
    assert page.ok("url").page == away


@pytest.mark.parametrize(
    ("command", "html", "code", "said"),
    [
        ("check", "<button id=a>Go</button>", "not-actionable", "is not a checkbox, radio button"),
        ("uncheck", "<input id=a type=radio checked>", "not-actionable", "is a radio button"),
        ("check", "<div id=a role=checkbox>x</div>", "unmet", "has not become checked"),
    ],
)
def test_check_says_what_cannot_be_checked(show, command, html, code, said):
    told = show(html).browse(command, "#a", "--json").json

    assert told["code"] == code
    assert said in told["error"]
