"""What a person sees in fields, on canvases and in lines of code is part of the text."""

import pytest

pytestmark = pytest.mark.e2e

CANVAS = "[canvas 200\N{MULTIPLICATION SIGN}100: use screenshot]"


@pytest.fixture
def show(browser, site):
    """Serve markup and go there."""

    def go(html: str, path: str = "/shown"):
        browser.post("goto", site.page(path, html))
        return browser

    return go


FIELDS = """<form><p><label>Name <input value=Ann></label> <b>bold </b>next</p>
<label>City</label><input value=Ulm><input type=number value=3><input type=date value=2026-01-31>
<p><input placeholder=none> <input type=checkbox> <input type=hidden value=unseen> end</p>
<p><textarea>first line
  second line</textarea></p>
<p><select><option>Red<option selected>Green<option>Blue</select></p>
<select multiple><option>One<option>Two</select>
<p><input type=password value=hidden1> <input name=api_key value=hidden2>
<input autocomplete=one-time-code value=hidden3> <input style=opacity:0 value=hidden4>
<input style=color:white value=hidden5> <input style=display:none value=hidden6></p>
<input type=submit value='Save all'><input type=submit><input type=reset></form>
<canvas width=800 height=400 style=width:200px></canvas><canvas width=1 height=1></canvas>"""
FIELDS_SEEN = f"""Name Ann bold next
City Ulm 3 2026-01-31
end
first line
  second line
Green
One
Two
Save all Submit Reset
{CANVAS}"""


def test_text_has_what_fields_show(show):
    page = show(FIELDS)

    assert page.ok("text").page == FIELDS_SEEN
    assert page.ok("text", "select >> nth=0").page == "Green"
    assert page.ok("text", "textarea").page == "first line\n  second line"
    assert page.ok("text", "[name=api_key]").page == ""
    assert page.ok("text", "canvas >> nth=0").page == CANVAS


def test_markdown_has_what_fields_show(show):
    assert show(FIELDS).ok("markdown").page == (
        "Name Ann **bold** next\n\nCity Ulm 3 2026-01-31\n\nend\n\n"
        "```\nfirst line\n  second line\n```\n\nGreen\n\nOne, Two\n\n"
        "Save all Submit Reset\n\n" + CANVAS
    )
    inline = "<p>Size <span><select><option>S<option selected>M</select></span> please"
    assert show(inline).ok("markdown").page == "Size M please"


def test_a_cell_shows_the_chosen_option(show):
    rows = "".join(
        f"<tr><td>{name}<td><select><option>Old<option selected>New</select>" for name in "ab"
    )

    assert "| a   | New   |" in show(f"<table><tr><th>N<th>State{rows}</table>").ok("table").page


CODE = """<style>.code { white-space: pre } .mirror div { white-space: break-spaces }</style>
<pre>def f():
    if x:
\treturn 1</pre><div class=code>{
  "a": 1
}</div><div class=mirror><div>one</div><div>    two</div></div>
<p> plain
   words</p><div style=white-space:pre-line>  here
  there</div><div>&nbsp;&nbsp;key: value</div>"""
CODE_SEEN = """def f():
    if x:
\treturn 1
{
  "a": 1
}
one
    two
plain words
here
there
  key: value"""


@pytest.mark.parametrize("beside", ["", "<input>", "<iframe srcdoc=''></iframe>"])
def test_lines_of_code_keep_their_indentation(show, beside):
    assert show(CODE + beside).ok("text").page == CODE_SEEN
    assert show(f"<div>{beside}{CODE}</div>").ok("text").page == CODE_SEEN


@pytest.mark.issue(18)
@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div class=code>{\n  a: 1\n}</div>", "```\n{\n  a: 1\n}\n```"),
        ("<div class=mirror><div>a:</div><div>  b</div></div>", "```\na:\n  b\n```"),
        ("<p>Code: <textarea>a:\n  b</textarea> end", "Code:\n\n```\na:\n  b\n```\n\nend"),
        ("<div class=code>Dear A,\nthanks</div>", "Dear A,  \nthanks"),
        ("<div class=code><p>Words</p>\n <ul><li>one</ul></div>", "Words\n\n- one"),
        ("<p><math><mi>x</mi><mo>=</mo><mn>1</mn></math> holds", "x=1 holds"),
    ],
)
def test_markdown_shows_indented_lines_as_code(show, html, expected):
    style = "<style>.code { white-space: pre } .mirror { white-space: break-spaces }</style>"

    assert show(style + html).ok("markdown").page == expected


@pytest.mark.issue(18)
@pytest.mark.parametrize("command", ["text", "markdown"])
@pytest.mark.parametrize(
    ("html", "seen"),
    [
        ("<div><slot></slot></div>", "Words"),
        ("<section><span><slot></slot></span></section>", "Words"),
        ("<div><slot name=none>Instead</slot></div>", "Instead"),
        ("<div style='display: contents'>Own</div>", "Own"),
    ],
)
def test_what_stands_in_a_slot_is_read_wherever_the_slot_is(show, command, html, seen):
    made = f"host.attachShadow({{mode: 'open'}}).innerHTML = `{html}`"

    assert show(f"<div id=host>Words</div><script>{made}</script>").ok(command).page == seen


@pytest.mark.issue(18)
def test_what_follows_a_canvas_begins_its_line(show):
    canvas = "<canvas width=200 height=100></canvas>"

    assert show(f"{canvas}<input value=Tea>").ok("text").page == f"{CANVAS}\nTea"


@pytest.mark.issue(18)
@pytest.mark.parametrize("command", ["text", "markdown", "snapshot"])
def test_what_is_folded_away_or_for_other_browsers_is_not_read(show, command):
    html = "<input><details><summary>More</summary>Ghost</details><meter>Ghost</meter>"

    said = show(html + "<progress>Ghost</progress>").ok(command).page

    assert "More" in said
    assert "Ghost" not in said


@pytest.mark.issue(18)
def test_what_is_rendered_only_when_one_scrolls_there_is_read(show):
    later = "<div style='content-visibility: auto'><p>Far words</p></div>"

    assert show(f"<p>Top</p><div style='height: 9000px'></div>{later}").ok("text").page == (
        "Top\nFar words"
    )


EDITED = """<h1>Form</h1><div contenteditable aria-label=PIN id=pin>zebra1</div>
<div contenteditable role=textbox aria-label=Password id=pw><p>zebra2 <b>zebra3</b></p></div>
<textarea name=api_key>zebra4</textarea><input type=password value=zebra5>
<p>Your PIN: <span contenteditable aria-label=PIN>zebra6</span> end</p>
<a href=/x>see <i contenteditable title=Password>zebra7</i></a>
<table><tr><th>a<th>b<tr><td>1<td><span contenteditable aria-label=Password>zebra8</span></table>
<div contenteditable aria-label=Comment>giraffe</div>"""


@pytest.mark.issue(18)
@pytest.mark.parametrize(
    "words",
    [
        ["text"], ["text", "p"], ["text", "#pw b"], ["text", "#pin"], ["text", "--main"],
        ["markdown"], ["markdown", "#pw"], ["markdown", "#pw p"],
        ["html"], ["html", "#pin"], ["html", "#pw p"], ["table"], ["links"], ["forms"],
        ["snapshot"], ["accessibility"], ["find", "e"], ["ux-audit"], ["value", "#pin"],
    ],
)  # fmt: skip
def test_no_reading_tells_what_a_secret_field_holds_whatever_it_is_made_of(show, words):
    said = show(EDITED).browse(*words)

    assert "zebra" not in said.out + said.err


@pytest.mark.issue(18)
@pytest.mark.parametrize("command", ["text", "markdown", "html", "snapshot"])
def test_what_is_around_a_secret_field_is_read(show, command):
    said = show(EDITED).ok(command).page

    assert "giraffe" in said
    assert "Your PIN:" in said


@pytest.mark.issue(18)
def test_the_owner_may_have_the_secrets_of_markup_shown(show):
    page = show(EDITED)

    assert "zebra1" in page.ok("html", "--reveal").page
    assert page.ok("html", "#pin").page == "****"
