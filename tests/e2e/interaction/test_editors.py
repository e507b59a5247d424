"""Filling, typing and pasting into editors, which keep their text themselves."""

import json

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.issue(18)]

CODE = "def f(a):\n    if a:\n        return [1]\n\n    return None"

# A field that nobody sees catches what is typed; the text is drawn elsewhere, as in Ace, Monaco and
# CodeMirror 5. A new line is indented as the one before.
CATCHER = """<style>#area { position: absolute; width: 1px; height: 1em; opacity: 0 }</style>
<div id=editor><textarea id=area aria-label=Code></textarea><pre id=shown></pre></div><script>
let text = 'old\\n    words', all = false
const draw = () => { shown.textContent = text; area.value = '' }
const put = (it) => { text = all ? it : text + it; all = false; draw() }
const indent = () => text.split('\\n').at(-1).match(/^ */)[0]
area.onkeydown = (event) => {
  if (event.key === 'a' && event.ctrlKey) all = true
  else if (event.key === 'Delete' && all) put('')
  else if (event.key === 'ArrowRight') all = false
  else if (event.key === 'Enter') put('\\n' + indent())
  else return
  event.preventDefault()
}
area.oninput = () => put(area.value)
area.onpaste = (event) => { event.preventDefault(); put(event.clipboardData.getData('text/plain')) }
area.oncopy = (event) => {
  event.preventDefault(); event.clipboardData.setData('text/plain', all ? text : '') }
draw()</script>"""

# The document shows the first lines of a model only, and what else changes it is taken back, as in
# CodeMirror 6 and Draft.js.
MODEL = """<div id=area contenteditable role=textbox style="white-space: pre"></div><script>
let text = 'old\\nwords', all = false
const draw = () => {
  area.replaceChildren(...text.split('\\n').slice(0, 20).map((line) => {
    const it = document.createElement('div'); it.textContent = line
    if (!line) it.append(document.createElement('br'))
    return it }))
  watch.takeRecords() }
const watch = new MutationObserver(draw)
const put = (it) => { text = all ? it : text + it; all = false; draw() }
area.onkeydown = (event) => {
  if (event.key === 'a' && event.ctrlKey) { all = true; event.preventDefault() }
  if (event.key === 'Delete' && all) { put(''); event.preventDefault() }
  if (event.key === 'ArrowRight') all = false
}
area.onbeforeinput = (event) => { event.preventDefault(); put(event.data || '') }
area.onpaste = (event) => { event.preventDefault(); put(event.clipboardData.getData('text/plain')) }
area.oncopy = (event) => {
  event.preventDefault(); if (all) event.clipboardData.setData('text/plain', text) }
watch.observe(area, { childList: true, characterData: true, subtree: true })
draw()</script>"""

ORIGINAL = "<textarea id=original style='display: none'>old</textarea>"

PLAIN = """<div id=area contenteditable style="white-space: pre-wrap">old<div>words</div></div>
<script>Object.defineProperty(window, 'text', { get: () => area.innerText })</script>"""


@pytest.fixture
def show(browser, site):
    """Serve an editor and go there."""

    def go(html: str):
        browser.post("goto", site.page("/editor", html))
        return browser

    return go


def has(page, value: str, text: str = "text") -> bool:
    """Whether the page has this text, whatever paragraphs it makes of empty lines."""
    lines = json.dumps([line for line in value.split("\n") if line])
    now = f"{text}.split('\\n').map((it) => it.replaceAll('\\xa0', ' ')).filter(Boolean)"
    return page.ok("js", f"JSON.stringify({now}) === JSON.stringify({lines})").page == "true"


@pytest.mark.parametrize("html", [CATCHER, MODEL, PLAIN])
@pytest.mark.parametrize("value", ["select * from t", CODE, "\n".join(map(str, range(300)))])
def test_fill_replaces_all_text_of_an_editor(show, html, value):
    page = show(html)

    page.ok("fill", "#area", value)

    assert has(page, value)


@pytest.mark.parametrize("html", [CATCHER, MODEL, PLAIN])
def test_fill_without_a_value_empties_an_editor(show, html):
    page = show(html)

    page.ok("fill", "#area")

    assert page.ok("js", "text.trim() === ''").page == "true"


@pytest.mark.parametrize(
    ("html", "target"),
    [
        (CATCHER, "#editor"),
        (CATCHER.replace("<div", f"{ORIGINAL}<div"), "#original"),
    ],
)
def test_fill_finds_the_editor_in_an_element_or_beside_a_hidden_field(show, html, target):
    page = show(html)

    page.ok("fill", target, "new")

    assert page.ok("js", "text").page == "new"


@pytest.mark.parametrize("target", ["iframe", "iframe >>> body"])
def test_fill_replaces_the_text_of_an_editor_in_a_frame(show, target):
    page = show("<iframe srcdoc='<body contenteditable><p>old</p><p>words</p>'></iframe>")

    page.ok("fill", target, "new")

    assert page.ok("js", "frames[0].document.body.innerText.trim()").page == "new"


def test_fill_waits_for_an_editor_that_pastes_later(show):
    page = show("""<div id=area contenteditable>old</div><script>area.onpaste = (event) => {
        const text = event.clipboardData.getData('text/plain')
        event.preventDefault()
        setTimeout(() => document.execCommand('insertText', false, text), 50) }</script>""")

    page.ok("fill", "#area", "new")

    assert page.ok("js", "area.innerText").page == "new"


def test_fill_types_where_the_page_takes_the_paste_and_does_nothing(show):
    page = show("<div id=area contenteditable onpaste='return false'>old</div>")

    page.ok("fill", "#area", "new")

    assert page.ok("js", "area.innerText").page == "new"


@pytest.mark.parametrize(
    ("broken", "now"),
    [
        ("put = (it) => {}", "old\n    words"),
        ("area.onkeydown = null", "new"),
    ],
)
def test_fill_says_what_an_editor_holds_that_is_not_what_was_asked(show, broken, now):
    page = show(CATCHER.replace("const put", "let put"))
    page.ok("js", f"{broken}; 1")

    ran = page.browse("fill", "#area", "new")

    assert ran.code != 0
    assert "holds something else now" in ran.err
    assert now not in ran.err.partition("--- page")[0]


def test_fill_does_not_show_what_an_editor_made_of_a_secret(show):
    page = show(CATCHER.replace("text + it", "it").replace("all ? it", "all ? it + 1"))

    ran = page.browse("fill", "#area", "--secret-env", "CODE_SECRET", CODE_SECRET="hunter2-is-long")

    assert ran.code != 0
    assert "hunter2" not in ran.out + ran.err


def test_fill_of_an_editor_that_is_read_only_changes_nothing(show):
    page = show(CATCHER.replace("<textarea", "<textarea readonly"))

    ran = page.browse("fill", "#editor", "new", "--json")

    assert (ran.code, ran.json["code"]) == (1, "not-actionable")
    assert page.ok("js", "text.split('\\n')[0]").page == "old"


@pytest.mark.parametrize("html", [CATCHER, MODEL, PLAIN, "<textarea id=area></textarea>"])
@pytest.mark.parametrize("words", [["type", "--on", "#area"], ["paste", "--on", "#area"]])
def test_indentation_is_kept(show, html, words):
    page = show(html)
    page.ok("fill", "#area")

    page.ok(*words, CODE)

    assert has(page, CODE, "(area.value || text)")


def test_type_says_that_it_was_one_insertion(show):
    page = show(CATCHER)

    data = page.ok("type", "--on", "#editor", "a:\n  b", "--json").json

    assert data["whole"] is True


def test_type_presses_enter_between_lines_without_indentation(show):
    page = show("<textarea id=area onkeydown=\"if (event.key === 'Enter') sent = 1\"></textarea>")

    page.ok("type", "--on", "#area", "a\nb")

    assert page.ok("js", "sent").page == "1"


def test_paste_reads_stdin_and_leaves_what_is_not_selected(show):
    page = show("<textarea id=area>old </textarea>")
    page.ok("js", "area.setSelectionRange(4, 4); 1")

    page.ok("paste", "--on", "#area", stdin=CODE)

    assert page.ok("js", f"area.value === 'old ' + {CODE!r}").page == "true"


def test_paste_is_one_event_of_the_page(show):
    page = show("<input id=area onpaste='got = event.clipboardData.getData(\"text/plain\")'>")

    page.ok("paste", "--on", "#area", "one", "two")

    assert page.ok("js", "got + area.value").page == "one twoone two"


@pytest.mark.parametrize(
    ("words", "said"),
    [(["paste", "words"], "no field has the focus"), (["paste"], "stdin is empty")],
)
def test_paste_says_what_is_missing(show, words, said):
    ran = show("<p>Nothing").browse(*words, stdin="")

    assert ran.code != 0
    assert said in ran.err


def test_paste_does_not_show_a_secret(show):
    page = show("<input id=area type=password>")

    page.ok("paste", "--on", "#area", "hunter2-is-long")

    assert "hunter2-is-long" not in page.ok("js", "area.value").out


FIELDS = """<style>div { min-height: 1em; border: 1px solid }</style>
<div id=a contenteditable role=textbox></div>
<div id=b contenteditable role=textbox aria-label=Password>PWSECRET99</div>
<div id=moves contenteditable role=textbox>same</div><div id=c contenteditable>same</div>
<div id=dots contenteditable role=textbox style="-webkit-text-security: disc"></div><script>
moves.onpaste = (event) => { event.preventDefault(); c.focus() }</script>"""


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("a", "Dear A\nthanks  B"),
        ("a", "two  blanks and\ta tab"),
        ("a", "list:\n  - indented"),
        ("moves", "words"),
        ("dots", "Dots-7"),
    ],
)
def test_fill_changes_and_tells_of_no_other_field(browser, site, field, text):
    browser.ok("goto", site.page("/fields", FIELDS))
    all_of_them = "JSON.stringify([...document.body.children].map((it) => it.textContent))"
    before = json.loads(browser.ok("js", all_of_them).page)[:5]

    told = browser.ok("fill", f"#{field}", text)

    after = json.loads(browser.ok("js", all_of_them).page)[:5]
    changed = [one != other for one, other in zip(before, after, strict=True)]
    at = ["a", "b", "moves", "c", "dots"].index(field)
    assert changed == [number == at for number in range(5)]
    # What is masked is a secret, and shown to nobody.
    assert after[at] == "****" or after[at].strip().startswith(text.split()[0])
    assert "SECRET" not in told.out
    browser.ok("click", "#c")
    browser.ok("type", "!")  # text may go into other fields again
    assert "!" in browser.ok("js", "c.textContent").page


def ref_of(page, words: str) -> str:
    lines = page.ok("snapshot", "-i").page.splitlines()
    return next(line.split()[0] for line in lines if words in line)


def test_value_of_editable_content_keeps_its_lines(show):
    page = show(PLAIN)
    page.ok("fill", "#area", CODE)

    held = page.ok("value", "#area").page.split("\n")
    assert list(filter(None, held)) == list(filter(None, CODE.split("\n")))


@pytest.mark.parametrize("html", [CATCHER, MODEL])
def test_value_reads_all_of_an_editor_that_shows_a_part(show, html):
    text = "\n".join(map(str, range(300)))
    page = show(html)
    page.ok("fill", "#area", text)

    assert page.ok("value", "#area", "--whole").page == text


def test_value_of_what_takes_the_text_of_an_editor_says_how_to_read_it(show):
    page = show(CATCHER)

    ran = page.browse("value", "#area", "--json")

    assert (ran.code, ran.json["code"]) == (1, "not-actionable")
    assert "browse value '#area' --whole" in ran.json["hint"]


def test_value_says_that_lines_are_left_out(show):
    page = show("<div id=area contenteditable>shown<div style='height: 9000px'></div></div>")

    ran = page.ok("value", "#area", "--json")

    assert ran.json["page"]["value"].strip() == "shown"
    assert ran.json["part"] is True


@pytest.mark.parametrize("words", [[], ["--whole"]])
def test_value_shows_no_secret_of_an_editor(show, words):
    page = show(
        "<div id=editor><textarea style='opacity: 0' aria-label=Password>hunter2-is</textarea>"
    )

    assert "hunter2" not in page.ok("value", "#editor", *words).out


def test_the_whole_value_is_not_for_who_may_only_read(show):
    page = show(CATCHER)
    token = page.ok("token", "reader", "--restrict", "read").out.strip()

    status, said = page.ask(
        "POST",
        "/command",
        {"command": "value", "args": ["#area", "--whole"]},
        authorization=f"Bearer {token}",
    )

    assert (status, json.loads(said)["code"]) == (403, "scope")
    page.ok("tunnel", "revoke", "reader")


def test_a_ref_of_an_editor_that_is_called_after_its_line_stays(show):
    page = show(
        CATCHER.replace("const put", "let n = 1; const put").replace(
            "area.value = ''", "area.value = ''; area.setAttribute('aria-label', `Row ${n++}`)"
        )
    )
    ref = ref_of(page, "Row 1")
    page.ok("fill", ref, "one")

    page.ok("fill", ref, "two")

    assert page.ok("js", "text").page == "two"


def test_type_goes_into_an_editor_that_is_a_document(show):
    page = show("<div id=editor><iframe srcdoc='<body contenteditable>'></iframe></div>")

    page.ok("type", "--on", "#editor", "new")

    assert page.ok("js", "frames[0].document.body.innerText.trim()").page == "new"


def test_text_has_blanks_as_they_are_copied(show):
    page = show("<p>return&nbsp;[1,&nbsp;2]</p>")

    assert page.ok("text").page == "return [1, 2]"


def test_a_snapshot_has_no_blanks_between_the_colours_of_code(show):
    page = show(
        "<div contenteditable role=textbox aria-label=Code><div><b>def</b> f<i>(</i>n<i>)</i>"
        "</div><div>return<br>n</div></div>"
    )

    assert '"Code": def f(n) return n' in page.ok("snapshot", "-i").page
