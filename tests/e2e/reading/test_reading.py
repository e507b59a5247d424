"""Reading pages with the real client, daemon and Chromium."""

import pytest

pytestmark = pytest.mark.e2e

PAGE = """<title>T</title>
<h1>Head   line</h1><div>A</div><div>B</div>
<p style=display:none>not shown</p>
<p style=visibility:hidden>unseen <span style=visibility:visible>but this</span></p>
<table><tr><td>1<td>2<tr><td>3<td>4</table>
<pre>a  b
 c</pre>
<p>one<br>two</p>
<details><summary>more</summary>folded</details>
<p style=text-transform:uppercase>loud</p>
<button>Press <b>me</b></button>
<template>template</template><noscript>noscript</noscript><script>script()</script>
<svg><title>svg title</title><text>drawn</text><style>x{}</style></svg>"""
SEEN = """Head line
A
B
but this
1\t2
3\t4
a  b
 c
one
two
more
LOUD
Press me
drawn"""


@pytest.fixture
def show(browser, site):
    """Serve markup and go there."""

    def go(html: str | bytes, path: str = "/read", **headers: str):
        browser.post("goto", site.page(path, html, **headers))
        return browser

    return go


def test_text_is_what_a_person_sees(show):
    assert show(PAGE).ok("text").page == SEEN


def test_text_is_the_same_beside_a_shadow_root(show):
    shadow = "<div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML = 'x'</script>"

    assert show(PAGE + shadow).ok("text").page == SEEN + "\nx"


def test_text_goes_into_shadow_roots_and_their_slots(show):
    page = show(
        """<p>before</p><div id=host><b>given</b><i slot=named>by name</i></div><p>after</p><script>
        host.attachShadow({mode: 'open'}).innerHTML = `<style>p { color: red }</style>
          <p>inside</p><slot name=named></slot>
          <p style=visibility:hidden>no<span id=deep></span></p>
          <slot></slot><slot name=none>instead</slot><p style=display:none>no</p><pre>a  b</pre>`;
        const deep = host.shadowRoot.querySelector('#deep');
        deep.style.visibility = 'visible';
        deep.attachShadow({mode: 'open'}).innerHTML = 'deeper';
        </script>"""
    )

    assert page.ok("text").page == ("before\ninside\nby name\ndeeper\ngiveninstead\na  b\nafter")
    assert page.ok("text", "#host").page == "inside\nby name\ndeeper\ngiveninstead\na  b"


def test_text_has_the_words_of_frames_in_their_place(show, site):
    site.page("/framed", "<p>inner words</p><iframe srcdoc='<p>innermost'></iframe>")
    elsewhere = site.url.replace("127.0.0.1", "localhost")
    page = show(
        f"<p>before</p><div><iframe src='{elsewhere}/framed'></iframe></div><p>after</p>"
        "<iframe srcdoc=unseen style=display:none></iframe>"
        "<iframe srcdoc=pixel width=1 height=1 frameborder=0></iframe>"
    )
    page.ok("wait", "--load")

    assert page.ok("text").page == (
        f"before\n[frame: {elsewhere}/framed]\ninner words\n[frame: about:srcdoc]\ninnermost\n"
        "[end of frame]\n[end of frame]\nafter"
    )
    assert page.ok("text", "body").page == page.ok("text").page
    assert page.ok("text", "iframe >> nth=0").page == (
        f"[frame: {elsewhere}/framed]\ninner words\n[frame: about:srcdoc]\ninnermost\n"
        "[end of frame]\n[end of frame]"
    )


def test_text_does_not_wait_for_a_frame_that_hangs(show, site):
    held = site.hold("/hangs-held")
    site.page("/hangs", f"<p>x</p><script>setTimeout(() => {held.blocking})</script>")
    elsewhere = site.url.replace("127.0.0.1", "localhost")
    page = show(f"<p>before</p><iframe src='{elsewhere}/hangs'></iframe><p>after</p>")
    assert held.arrived.wait(150)

    assert page.ok("text").page == "before\n[frame: could not be read]\nafter"


@pytest.mark.parametrize(
    ("selector", "text"),
    [
        ("table", "1\t2\n3\t4"),
        ("h1", "Head line"),
        ("text=Press", "Press me"),
        ("role=button[name='Press me']", "Press me"),
        ("xpath=//tr[2]", "3\t4"),
        ("td >> nth=2", "3"),
        ("tr:has-text('3')", "3\t4"),
        ("[style='display:none']", ""),
        ("svg", "drawn"),
        ("button b", "me"),
    ],
)
def test_text_of_one_element(show, selector, text):
    assert show(PAGE).ok("text", selector).page == text


@pytest.mark.parametrize("command", ["text", "html"])
@pytest.mark.parametrize(
    ("selector", "code", "message"),
    [
        ("#nowhere", 3, "Nothing on the page matches '#nowhere'."),
        ("[a='b']", 3, "browse wait '[a='\"'\"'b'\"'\"']'"),
        ("td", 3, "'td' matches 4 elements."),
        ("p[[", 2, "The selector 'p[[' cannot be parsed."),
        ("role=", 2, "The selector 'role=' cannot be parsed."),
        ("bogus=x", 2, "The selector 'bogus=x' cannot be parsed."),
        ("xpath=//[", 2, "The selector 'xpath=//[' cannot be parsed."),
        ("", 2, "the selector is empty"),
        ("@e99999", 3, "Ref @e99999 not found"),
    ],
)
def test_a_selector_that_does_not_mean_one_element(show, command, selector, code, message):
    ran = show(PAGE).browse(command, selector)

    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err


HOSTILE = """<p id=p>true words</p><a href=/there>a link</a><script>
for (const kind of [Element, HTMLElement, Node, Document])
  for (const name of ['innerText', 'textContent', 'innerHTML', 'outerHTML', 'querySelectorAll'])
    Object.defineProperty(kind.prototype, name, {get: () => 'FAKE'});
JSON.stringify = JSON.parse = () => 'FAKE';
String.prototype.trim = String.prototype.replace = () => 'FAKE';
String.prototype.split = () => ['FAKE'];
Array.prototype.join = () => 'FAKE';
document.createElement = window.getComputedStyle = () => { throw 'FAKE' };
</script>"""


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["text"], "true words\na link"),
        (["text", "#p"], "true words"),
        (["html", "#p"], "true words"),
        (["links"], "a link → {site}/there"),
    ],
)
def test_a_page_cannot_change_what_is_read_of_it(show, site, words, shown):
    assert show(HOSTILE).ok(*words).page == shown.replace("{site}", site.url)


@pytest.mark.parametrize(
    "command", ["text", "html", "links", "markdown", "table", "forms", "media"]
)
def test_reading_leaves_no_trace_in_the_page(show, command):
    page = show(
        "<p>x</p><a href=/a>b</a><table><tr><th>1<th>2<tr><td>3<td>4</table>"
        "<script>window.changes = 0; new MutationObserver(() => changes++)"
        ".observe(document, {subtree: true, childList: true, attributes: true})</script>"
    )

    page.ok(command)

    assert page.ok("js", "changes").page == "0"


@pytest.mark.parametrize(
    ("command", "shown"), [("text", "words"), ("links", "words → {site}/a"), ("html", "<title>")]
)
def test_a_strict_policy_does_not_stop_reading(show, site, command, shown):
    policy = "default-src 'none'; require-trusted-types-for 'script'; sandbox"
    page = show("<title></title><a href=/a>words</a>", content_security_policy=policy)

    assert shown.replace("{site}", site.url) in page.ok(command).page


def test_text_of_two_thousand_rows_is_whole(show):
    rows = [f"<tr><td>row {number}<td>value" for number in range(2000)]

    shown = show("<table>" + "".join(rows)).ok("text", "--max-chars", "0").page

    assert shown == "\n".join(f"row {number}\tvalue" for number in range(2000))


@pytest.mark.parametrize(
    ("html", "kind", "text"),
    [
        ("", "text/html", ""),
        ("<frameset><frame></frameset>", "text/html", ""),
        ("plain <b> &amp;\nwords", "text/plain", "plain <b> &amp;\nwords"),
        ('{"a": 1}', "application/json", '{"a": 1}'),
        (
            "<svg xmlns='http://www.w3.org/2000/svg'><text>one</text><style>x{}</style>"
            "<text>two</text></svg>",
            "image/svg+xml",
            "one\ntwo",
        ),
        (
            "<html xmlns='http://www.w3.org/1999/xhtml'><body><p>strict</p></body></html>",
            "application/xhtml+xml",
            "strict",
        ),
        ("<?xml version='1.0'?><r><a>one</a></r>", "application/xml", None),
    ],
)
def test_text_of_every_kind_of_document(show, html, kind, text):
    shown = show(html, content_type=kind).ok("text").page

    assert shown == text if text is not None else "<a>one</a>" in shown


LONE = """<p id=p></p><a id=a href=/z></a><script>
p.textContent = 'a\\ud800b'; a.textContent = 'l\\udc00'; document.title = 't\\ud800'</script>"""


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["text", "p"], "a\ufffdb"),
        (["html", "p"], "a\ufffdb"),
        (["links"], "l\ufffd → "),
        (["tabs"], "t\ufffd — "),
        (["tab-each", "text"], "t\ufffd"),
    ],
)
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["plain", "json"])
def test_half_characters_of_a_page_become_the_replacement_character(show, words, shown, form):
    ran = show(LONE).ok(*words, *form)

    if form:
        assert "\ufffd" in ran.out
    else:
        assert shown in ran.out


def test_html_of_the_page_has_its_doctype(show):
    markup = "<!DOCTYPE html><html><head></head><body><p>x</p></body></html>"

    assert show(markup).ok("html").page == markup.replace("html><html", "html>\n<html")


def test_html_of_an_element_is_what_is_inside(show):
    page = show("<article><p class=a>x &amp; y</p></article>")

    assert page.ok("html", "article").page == '<p class="a">x &amp; y</p>'


@pytest.mark.parametrize(
    ("html", "line"),
    [
        ("<a href=/abs>words</a>", "words → {site}/abs"),
        ("<a href=rel?q#f>words</a>", "words → {site}/rel?q#f"),
        ("<base href=/base/><a href=rel>words</a>", "words → {site}/base/rel"),
        ("<a href=/p><img src=x alt='a picture'></a>", "a picture → {site}/p"),
        ("<a href=/p aria-label='a label'><img src=x></a>", "a label → {site}/p"),
        ("<a href=/p title='a title'></a>", "a title → {site}/p"),
        ("<a href=/p><svg><title>a drawing</title></svg></a>", "a drawing → {site}/p"),
        ("<a href=/p aria-labelledby=i></a><i id=i>by id</i>", "by id → {site}/p"),
        ("<a href=/p><img src=x></a>", "(image) → {site}/p"),
        ("<map><area href=/p alt='an area'></map>", "an area → {site}/p"),
        ("<a href='javascript:void(0)'>script</a>", "script → javascript:void(0)"),
        ("<a href=mailto:a@b.example>mail</a>", "mail → mailto:a@b.example"),
        ("<a href=/p><div>two</div><div>lines</div></a>", "two lines → {site}/p"),
        ("<a href=/p>seen<i style=display:none>not</i></a>", "seen → {site}/p"),
        ("<a href=/p style=visibility:hidden>folded</a>", "folded → {site}/p"),
        ("<svg><a href=/p><text>drawn</text></a></svg>", "drawn → {site}/p"),
        (
            "<div id=d></div><script>d.attachShadow({mode: 'open'}).innerHTML ="
            " '<a href=/p>shadow</a>'</script>",
            "shadow → {site}/p",
        ),
        # A form's fields take the place of its methods.
        ("<form><input name=matches><a href=/p>in a form</a></form>", "in a form → {site}/p"),
        ("<a>no address</a><a href=/p></a>", "(no links)"),
        ("<p>none</p>", "(no links)"),
        (f"<a href=/p>{200 * 'x'}</a>", f"{120 * 'x'} → {{site}}/p"),
    ],
)
def test_links(show, site, html, line):
    assert show(html).ok("links").page == line.replace("{site}", site.url)


def test_links_as_data(show, site):
    page = show("<a href=/one>1</a><a href=/two>2</a>", "/links-json")

    assert page.ok("links", "--json").json == {
        "page": {
            "url": f"{site.url}/links-json",
            "links": [
                {"text": "1", "href": f"{site.url}/one"},
                {"text": "2", "href": f"{site.url}/two"},
            ],
        }
    }


@pytest.mark.issue(15)
def test_several_matches_without_names_are_told_apart_by_their_words(browser, site):
    browser.ok("goto", site.page("/two", "<p>First words</p><p>Second words</p>"))

    ran = browser.browse("text", "p")

    assert ran.code != 0
    assert '@e1 [paragraph] "First words" (nth=0)' in ran.err
    assert '@e2 [paragraph] "Second words" (nth=1)' in ran.err


@pytest.mark.issue(15)
def test_a_match_only_in_a_frame_is_named_with_what_to_type(browser, site):
    inner = site.page("/inner", "<p class=only>In the frame</p>")
    browser.ok("goto", site.page("/outer", f"<h1>Out</h1><iframe id=shop src={inner}></iframe>"))
    browser.ok("wait", "--load")

    ran = browser.browse("text", "p.only")

    assert "another frame has a match" in ran.err
    assert f'[paragraph] "In the frame" in the frame {inner}' in ran.err
    assert "#shop >>> p.only" in ran.err
    assert browser.ok("text", "#shop >>> p.only").page == "In the frame"


@pytest.mark.issue(15)
def test_a_match_only_on_the_main_page_says_how_to_get_back(browser, site):
    inner = site.page("/inner", "<p>In the frame</p>")
    browser.ok("goto", site.page("/outer", f"<h1>Out</h1><iframe id=shop src={inner}></iframe>"))
    browser.ok("wait", "--load")
    browser.ok("frame", "#shop")

    ran = browser.browse("text", "h1")

    assert "browse frame main" in ran.err
    assert "the main page" in ran.err
